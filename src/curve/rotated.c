/* rotated - reads the end of a name. */
#include "config.h"

#include "curve/rotated.h"

#include <stdbool.h>
#include <string.h>

enum { DAY_DIGITS = 8, FIRST_DAY = 19700101, LAST_DAY = 99991231 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct rotated rotated_of(const char *name)
{
	size_t n = strlen(name), digits = 0;
	int64_t number = 0;
	char mark;

	while (digits < n && digits <= DAY_DIGITS && is_digit(name[n - 1 - digits]))
		digits++;
	if (!digits || digits > DAY_DIGITS || digits + 1 >= n)
		return (struct rotated){ n, 0 };
	for (size_t i = n - digits; i < n; i++)
		number = number * 10 + (name[i] - '0');
	mark = name[n - digits - 1];
	if (mark == '.' && number >= 1 && number <= ROTATED_MAX && name[n - digits] != '0')
		return (struct rotated){ n - digits - 1, number };
	/* Of days the earlier one is older. */
	if (mark == '-' && digits == DAY_DIGITS && number >= FIRST_DAY && number <= LAST_DAY)
		return (struct rotated){ n - digits - 1, LAST_DAY + 1 - number };
	return (struct rotated){ n, 0 };
}
