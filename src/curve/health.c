/* health - sums the counters of files and writes them as one line. */
#include "config.h"

#include "curve/health.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "base/units.h"

void health_merge(struct health *into, const struct health *h)
{
	into->records += h->records;
	into->points += h->points;
	into->bad_header += h->bad_header;
	into->bad_data += h->bad_data;
	into->malformed += h->malformed;
	into->orphans += h->orphans;
	into->skipped_bytes += h->skipped_bytes;
	into->tail_bytes += h->tail_bytes;
	into->non_scalar += h->non_scalar;
	into->non_numeric += h->non_numeric;
	into->non_finite += h->non_finite;
	into->left_out += h->left_out;
	if (into->first_bad_offset < 0)
		into->first_bad_offset = h->first_bad_offset;
	if (isnan(into->last_wall_s) || h->last_wall_s > into->last_wall_s)
		into->last_wall_s = h->last_wall_s;
}

static bool is_ok(const struct health *h)
{
	return !(h->bad_header || h->bad_data || h->malformed || h->orphans || h->skipped_bytes ||
		h->tail_bytes || h->non_numeric || h->non_finite || h->left_out);
}

static void add_count(struct buf *out, int64_t n, const char *what)
{
	if (n)
		buf_addf(out, " | %" PRId64 " %s", n, what);
}

static void add_damage(struct buf *out, const struct health *h)
{
	const char *kind = h->bad_data ? "bad data" : h->bad_header ? "bad length" : "unreadable";

	if (h->skipped_bytes) {
		buf_adds(out, " | skipped ");
		units_add_bytes(out, h->skipped_bytes);
	} else if (h->bad_data || h->bad_header) {
		buf_adds(out, " | damage");
	} else {
		return;
	}
	if (h->first_bad_offset >= 0)
		buf_addf(out, " at 0x%" PRIx64, (uint64_t)h->first_bad_offset);
	buf_addf(out, " (%s)", kind);
}

void health_add_line(struct buf *out, const struct health *h)
{
	if (is_ok(h)) {
		buf_adds(out, "ok");
		return;
	}
	buf_addf(out, "%" PRId64 " records", h->records);
	add_damage(out, h);
	add_count(out, h->malformed, "malformed");
	add_count(out, h->orphans, "orphans");
	add_count(out, h->non_numeric, "not numbers");
	add_count(out, h->non_finite, "not finite");
	add_count(out, h->left_out, "left out");
	if (h->tail_bytes) {
		buf_adds(out, " | tail ");
		units_add_bytes(out, h->tail_bytes);
	}
}
