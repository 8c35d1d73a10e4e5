/* cost - see cost.h. */
#include "config.h"

#include "domain/cost.h"

#include <math.h>

static const struct word class_words[] = {
	{ "", "" },
	{ "tokens", "tokens of the agent" },
	{ "run", "a run that portside did not price" },
	{ "human", "time of people" },
	{ "machine", "a machine that was up without a run" },
	{ "other", "anything else" },
};
const struct words words_cost_class = { "cost class", class_words, ARRAY_LEN(class_words) };

const char *const token_class_names[TOKEN_CLASSES] = {
	[TOKENS_INPUT] = "input",
	[TOKENS_CACHE_WRITE_5M] = "cache_write_5m",
	[TOKENS_CACHE_WRITE_1H] = "cache_write_1h",
	[TOKENS_CACHE_READ] = "cache_read",
	[TOKENS_OUTPUT] = "output",
};

static int64_t saturate(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

int64_t token_prompt(const struct token_counts *t)
{
	__int128 n = 0;

	for (int i = 0; i < TOKENS_OUTPUT; i++)
		n += t->n[i];
	return saturate(n);
}

int64_t token_cost_nano_usd(const struct token_counts *t, const struct token_price *p)
{
	const __int128 million = 1000000;
	__int128 sum = 0;

	for (int i = 0; i < TOKEN_CLASSES; i++)
		sum += (__int128)t->n[i] * p->nano_usd_million[i];
	return saturate((sum + million / 2) / million);
}

const struct token_price *token_price_pick(
	const struct token_price *rows, size_t n, const struct token_counts *request)
{
	const struct token_price *open = NULL, *best = NULL;
	int64_t prompt = token_prompt(request);

	for (size_t i = 0; i < n; i++) {
		if (!rows[i].prompt_up_to)
			open = open ? open : &rows[i];
		else if (prompt <= rows[i].prompt_up_to &&
			 (!best || rows[i].prompt_up_to < best->prompt_up_to))
			best = &rows[i];
	}
	return best ? best : open;
}

int64_t cost_going_on(const struct price *p, int64_t remaining_ns, int chips)
{
	return price_cost_nano_usd(p, remaining_ns, chips);
}

int64_t cost_human_nano_usd(int64_t minutes, int64_t nano_usd_hour)
{
	return saturate(((__int128)minutes * nano_usd_hour + 30) / 60);
}

void cost_add_sum(struct buf *out, int64_t nano_usd, int64_t without, int64_t total)
{
	if (without && without == total) {
		buf_addc(out, '?');
		return;
	}
	units_add_money(out, nano_usd);
	if (without)
		buf_adds(out, "+?");
}

void cost_add_minutes(struct buf *out, int64_t minutes, int64_t without, int64_t total)
{
	if (!total) {
		buf_adds(out, "none on record");
		return;
	}
	if (without == total || (without && !minutes)) {
		buf_adds(out, "unknown");
		return;
	}
	buf_addf(out, "%lld min", (long long)minutes);
	if (without)
		buf_addf(out, " + %lld unknown", (long long)without);
}

struct payback cost_payback(int64_t migration_nano_usd, int64_t gpu_run_nano_usd,
	int64_t tpu_run_nano_usd, double runs_per_month, bool equivalent)
{
	struct payback p = {
		.kind = BREAK_EVEN_UNKNOWN, .months = NAN, .not_equivalent = !equivalent
	};
	int64_t gain;

	if (migration_nano_usd < 0 || gpu_run_nano_usd < 0 || tpu_run_nano_usd < 0)
		return p;
	gain = gpu_run_nano_usd - tpu_run_nano_usd;
	if (gain <= 0) {
		p.kind = BREAK_EVEN_NEVER;
		return p;
	}
	p.kind = BREAK_EVEN_AT;
	p.runs = migration_nano_usd / gain + (migration_nano_usd % gain != 0);
	if (runs_per_month > 0)
		p.months = (double)p.runs / runs_per_month;
	return p;
}

bool cost_interval_overlaps(
	double hours, double half_hours, double usd_hour, double cost, double half_cost)
{
	double low = (hours - half_hours) * usd_hour, high = (hours + half_hours) * usd_hour;

	return low <= cost + half_cost + 1e-12 && cost - half_cost - 1e-12 <= high;
}
