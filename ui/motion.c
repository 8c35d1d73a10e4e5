/* motion - see motion.h. */
#include "config.h"

#include "ui/motion.h"

#include <stddef.h>

#include "base/mem.h"
#include "command/key.h"

static const struct { uint32_t key; enum motion motion; } keys[] = {
	{ 'j', MOTION_DOWN }, { K_DOWN, MOTION_DOWN }, { K_CTRL | 'n', MOTION_DOWN },
	{ 'k', MOTION_UP }, { K_UP, MOTION_UP }, { K_CTRL | 'p', MOTION_UP },
	{ K_CTRL | 'd', MOTION_HALF_DOWN }, { K_CTRL | 'u', MOTION_HALF_UP },
	{ K_PAGE_DOWN, MOTION_PAGE_DOWN }, { K_PAGE_UP, MOTION_PAGE_UP },
	{ 'g', MOTION_FIRST }, { K_HOME, MOTION_FIRST },
	{ 'G', MOTION_LAST }, { K_END, MOTION_LAST },
	{ 'h', MOTION_LEFT }, { K_LEFT, MOTION_LEFT },
	{ 'l', MOTION_RIGHT }, { K_RIGHT, MOTION_RIGHT },
};

enum motion motion_of_key(uint32_t key)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].key == key)
			return keys[i].motion;
	return MOTION_NONE;
}

static long by(enum motion motion, long n, long page)
{
	long half = page > 1 ? page / 2 : 1;

	switch (motion) {
	case MOTION_UP:
		return -1;
	case MOTION_DOWN:
		return 1;
	case MOTION_HALF_UP:
		return -half;
	case MOTION_HALF_DOWN:
		return half;
	case MOTION_PAGE_UP:
		return page > 1 ? -page : -1;
	case MOTION_PAGE_DOWN:
		return page > 1 ? page : 1;
	case MOTION_FIRST:
		return -n;
	case MOTION_LAST:
		return n;
	case MOTION_NONE: case MOTION_LEFT: case MOTION_RIGHT:
		break;
	}
	return 0;
}

long motion_apply(enum motion motion, long at, long n, long page)
{
	if (n <= 0)
		return 0;
	at += by(motion, n, page);
	if (at < 0)
		return 0;
	return at < n ? at : n - 1;
}
