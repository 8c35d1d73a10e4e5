/* views - the table of views, in the order of their digits; see view.h. */
#include "config.h"

#include "ui/view.h"

extern const struct view_type attempts_view;
extern const struct view_type checks_view;
extern const struct view_type curves_view;
extern const struct view_type diff_view;
extern const struct view_type journal_view;
extern const struct view_type runs_view;
extern const struct view_type study_view;
extern const struct view_type triage_view;

/* NULL ends. */
static const struct view_type *const types[] = {
	&attempts_view,
	&diff_view,
	&runs_view,
	&curves_view,
	&checks_view,
	&triage_view,
	&journal_view,
	&study_view,
	NULL,
};

const struct view_type *const *view_types(int *n)
{
	*n = 0;
	while (types[*n])
		++*n;
	return types;
}
