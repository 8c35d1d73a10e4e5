/* view_curves_readout - values as sentences; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "command/compare.h"

/* ---- values --------------------------------------------------------------------------------- */

void curves_add_value(struct buf *out, const struct run_comparison *c, double v)
{
	char number[TEXT_DOUBLE_MAX];

	v *= c->scale;
	if (!isfinite(v)) {
		text_from_double(number, v);
		buf_adds(out, number);
	} else if (*c->goal) {
		buf_addf(out, "%.*f", c->decimals, v);
	} else {
		buf_addf(out, "%.6g", v);
	}
}

void curves_add_x(struct buf *out, const struct curve_look *look, double x)
{
	bool time = look->axis == ALIGN_TIME || look->axis == ALIGN_CLIPPED_TIME;

	int64_t ns = fabs(x) < 1e9 * 9 ? (int64_t)(x * (double)NS_PER_S) : 0;

	if (look->axis == ALIGN_WALL && ns)
		clock_add_short(out, ns, ns);	/* with its time, whatever the year */
	else if (time && fabs(x) < 1e11)
		clock_add_duration(out, (int64_t)(x * (double)NS_PER_S));
	else
		buf_addf(out, look->axis == ALIGN_EPOCH ? "%.4g" : "%.15g", x);
}

static void add_signed(struct buf *out, const struct run_comparison *c, double d)
{
	if (d > 0)
		buf_addc(out, '+');
	curves_add_value(out, c, d);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* A run at the read-out: which one, its nearest point, and how far that is away. */
struct reading { char letter; struct plot_readout at; double distance; };

static bool read_side(struct reading *out, const struct curve_line *line, char letter, double x)
{
	if (!line->drawn)
		return false;
	out->letter = letter;
	plot_read_nearest(&out->at, line->drawn, x);
	out->distance = fabs(out->at.x - x);
	return out->at.found;
}

/* The nearest first; of equally near ones R, then A. */
static size_t read_sides(struct reading *out, const struct curves_view *self,
	const struct curve_chart *chart)
{
	const struct curve_scene *s = self->scene;
	size_t n = 0;

	for (size_t i = 0; i < s->n_sides; i++) {
		struct reading r;
		size_t k = n;

		if (!read_side(&r, &chart->lines[i], s->sides[i].letter, self->cursor_x))
			continue;
		for (; k && out[k - 1].distance > r.distance; k--)
			out[k] = out[k - 1];
		out[k] = r;
		n++;
	}
	return n;
}

/* Values as logged in the grid: only the compared series has a unit and a scale. */
static void add_plain(struct buf *out, const struct run_comparison *c, double v, bool is_main)
{
	char number[TEXT_DOUBLE_MAX];

	if (is_main) {
		curves_add_value(out, c, v);
	} else if (isfinite(v)) {
		buf_addf(out, "%.6g", v);
	} else {
		text_from_double(number, v);
		buf_adds(out, number);
	}
}

static void add_reading(struct buf *out, const struct curve_scene *s, const struct reading *r,
	bool is_main)
{
	buf_addf(out, "  %c ", r->letter);
	add_plain(out, s->pair, r->at.value, is_main);
	if (!isnan(r->at.smoothed)) {
		buf_adds(out, " ~");
		add_plain(out, s->pair, r->at.smoothed, is_main);
	}
	if (r->distance > 0) {
		buf_adds(out, " (at ");
		curves_add_x(out, &s->look, r->at.x);
		buf_addc(out, ')');
	}
	if (r->at.segment)
		buf_addf(out, " segment %u", (unsigned)r->at.segment + 1);
}

/* Which side is worse there, when it is known which way is better. */
static void add_worse(struct buf *out, const struct comparison *c, double d)
{
	bool higher = c->options.direction == BETTER_HIGHER;

	if (!c->options.direction || !isfinite(d) || (d <= 0 && d >= 0))
		return;
	buf_addf(out, " (%c worse%s)", (d < 0) == higher ? 'A' : 'R',
		c->options.direction_assumed ? "?" : "");
}

/* The nearest pair may stand elsewhere: then there is no difference here. */
static void add_difference(struct buf *out, const struct curves_view *self)
{
	const struct run_comparison *c = self->scene->pair;
	size_t pair = c->has_comparison && self->scene->look.axis != ALIGN_WALL
		? plot_pair_at(&c->comparison, self->cursor_x)
		: SIZE_MAX;
	double d;

	if (pair == SIZE_MAX ||
		fabs(align_pair_at(&c->comparison.alignment, pair).x - self->cursor_x) >
			fabs(self->cursor_x) * 1e-12)
		return;
	d = compare_delta(&c->comparison, pair, DELTA_PLAIN);
	buf_adds(out, "  d ");
	add_signed(out, c, d);
	buf_adds(out, c->comparison.inside[pair] ? " in" : " OUT");
	add_worse(out, &c->comparison, d);
}

static void add_time(struct buf *out, const struct reading *r)
{
	if (!isfinite(r->at.wall_s) || fabs(r->at.wall_s) >= 1e11)
		return;
	buf_adds(out, "  ");
	clock_add_short(out, (int64_t)(r->at.wall_s * (double)NS_PER_S), clock_wall_ns());
}

void curves_add_readout(struct buf *out, const struct curves_view *self)
{
	const struct curve_scene *s = self->scene;
	const struct curve_chart *chart = s->pair ? curves_chart(self) : NULL;
	struct reading readings[SCENE_SIDES_MAX];
	bool is_main = chart && chart == s->main;
	size_t n;

	if (!isfinite(self->cursor_x) || !chart)
		return;
	n = read_sides(readings, self, chart);
	buf_addf(out, "%s ", align_axis_name(s->look.axis));
	curves_add_x(out, &s->look, self->cursor_x);
	if (!is_main) {
		buf_addc(out, ' ');
		text_sanitise(out, chart->metric, strlen(chart->metric));
	}
	for (size_t i = 0; i < n && i < 2; i++)
		add_reading(out, s, &readings[i], is_main);
	if (is_main)
		add_difference(out, self);
	for (size_t i = 2; i < n; i++)
		add_reading(out, s, &readings[i], is_main);
	for (size_t i = 0; i < n; i++)
		if (readings[i].letter == 'A')
			add_time(out, &readings[i]);
}

void curves_add_last(struct buf *out, const struct run_comparison *c)
{
	struct buf b = BUF_INIT;
	const char *d;

	compare_add_final(&b, &c->comparison);
	/* The unit stands behind d, where the difference is read. */
	d = *c->unit ? strstr(b.s, "  d ") : NULL;
	if (d) {
		size_t end = (size_t)(d - b.s) + 4 + strcspn(d + 4, " ,;");

		buf_add(out, b.s, end);
		buf_adds(out, c->unit);
		buf_adds(out, b.s + end);
	} else {
		buf_adds(out, b.s);
	}
	buf_release(&b);
}

/* Beside the gap stands what the reference differs from itself by. */
void curves_add_seeds(struct buf *out, const struct run_comparison *c, bool brief)
{
	const struct reference_spread *s = &c->spread;

	compare_add_sides(out, &c->comparison);
	buf_adds(out, "; ");
	if (s->n < 2 || !isfinite(s->low)) {
		if (brief && s->n < 2)
			buf_adds(out, "1 seed a side: spread unknown");
		else
			compare_add_seeds(out, &c->comparison);
	} else if (brief) {
		buf_addf(out, "R itself, %zu runs: ", s->n);
		comparison_add_spread_range(out, c);
	} else {
		comparison_add_spread(out, c);
	}
}

/* ---- age ------------------------------------------------------------------------------- */

/* When the newest point was logged, else when a file was last written; NaN: not known. */
static double newest_s(const struct run_files *files)
{
	double newest = NAN;

	for (size_t i = 0; i < files->n; i++) {
		const struct curve_file *f = files->files[i].file;

		if (!f)
			continue;
		newest = fmax(newest, f->sink.health.last_wall_s);
		if (isnan(f->sink.health.last_wall_s))
			newest = fmax(newest, (double)f->mtime_ns / (double)NS_PER_S);
	}
	return newest;
}

void curves_add_age(struct buf *out, const struct comparison_side *side)
{
	const struct curve_format *format = side->series && side->files
		? run_files_format_of(side->files, side->series)
		: NULL;
	double age = side->files ? (double)clock_wall_ns() / (double)NS_PER_S -
			newest_s(side->files)
				 : NAN;

	if (!(age >= 0) || age > 1e9)
		return;
	buf_adds(out, "last point ");
	clock_add_duration(out, (int64_t)(age * (double)NS_PER_S));
	buf_adds(out, " ago");
	if (format && format->delay)
		buf_addf(out, "; written %s", format->delay);
}
