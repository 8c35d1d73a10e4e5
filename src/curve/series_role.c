/* series_role - see series_role.h. */
#include "config.h"

#include "curve/series_role.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

const char *const series_sample_names[] = { "num_samples", "consumed_samples", "total_samples",
	"samples", "train/samples", "consumed_train_samples", NULL };
const char *const series_token_names[] = { "num_tokens", "num_input_tokens_seen", "total_tokens",
	"tokens", "train/tokens", "consumed_tokens", NULL };

const char *series_last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

bool series_is_learning_rate(const char *name)
{
	const char *last = series_last_part(name);

	/* The group of parameters stands behind a slash of its own: "lr-AdamW/pg1". */
	return strcmp(last, "learning_rate") == 0 || strcmp(last, "lr") == 0 ||
		text_starts(name, "lr-") || strstr(name, "/lr-");
}

bool series_is_evaluation(const char *name)
{
	return text_starts(name, "eval") || text_starts(name, "val") || strstr(name, "/eval") ||
		strstr(name, "/val");
}

static bool is_among(const char *const *names, const char *last)
{
	for (; *names; names++)
		if (strcmp(series_last_part(*names), last) == 0)
			return true;
	return false;
}

bool series_is_counter(const char *name)
{
	const char *last = series_last_part(name);

	return is_among(series_sample_names, last) || is_among(series_token_names, last);
}
