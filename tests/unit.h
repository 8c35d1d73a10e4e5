/*
 * unit - what every cmocka test includes, in the order that cmocka wants.
 */
#ifndef PORTSIDE_TESTS_UNIT_H
#define PORTSIDE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* |got - wanted| within a relative tolerance; both zero is equal. */
static inline void assert_near(double got, double wanted, double relative)
{
	double scale = fabs(wanted) > 1e-300 ? fabs(wanted) : 1;

	if (!(fabs(got - wanted) <= relative * scale))
		fail_msg("got %.17g, wanted %.17g", got, wanted);
}

#endif
