/* curve_picture - see curve_picture.h. */
#include "config.h"

#include "command/curve_picture.h"

#include "base/err.h"
#include "command/compare.h"

int curve_picture_write(
	const struct curve_scene *s, const struct curve_picture *p, const char *path)
{
	(void)p;
	if (!s->pair || !s->pair->has_comparison)
		return err_set(ERR_STATE, "there is no comparison to write: %s",
			s->pair ? s->pair->missing : s->nothing);
	return run_comparison_write(s->pair, path);
}
