/* run_merge - owners of names, splicing, checkpoint chains, parallel writers. */
#include "config.h"

#include "curve/run_merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_slots.h"
#include "curve/trainer_state.h"

enum { DOCUMENT_POINTS_KEPT = 1024 * 1024 };

struct run_owners {
	struct slots names;			/* with their series in the run */
	const struct curve_format **formats;	/* beside names; NULL: free */
	size_t n, cap;
	struct buf name;
};

struct run_owners *run_owners_new(void)
{
	struct run_owners *o = xcalloc(1, sizeof *o);

	buf_init(&o->name);
	return o;
}

void run_owners_free(struct run_owners *o)
{
	if (!o)
		return;
	slots_release(&o->names);
	free(o->formats);
	buf_release(&o->name);
	free(o);
}

/* Number of the name PREFIX NAME; SIZE_MAX when there are too many. */
static size_t find_owner(struct run_files *r, const struct run_file *file, const struct series *s)
{
	struct run_owners *o = r->owners;
	size_t slot;

	buf_clear(&o->name);
	buf_adds(&o->name, file->prefix);
	buf_add(&o->name, s->name, s->name_n);
	slot = slots_find(&o->names, o->name.s, o->name.n);
	while (slot != SIZE_MAX && o->n <= slot) {
		ARRAY_GROW(o->formats, o->n, o->cap);
		o->formats[o->n++] = NULL;
	}
	return slot;
}

/* The points of a weaker source go: a structured one has the same name. */
static void clear_name(struct run_owners *o, size_t slot)
{
	for (int axis = 0; axis < SLOT_AXES; axis++) {
		struct series *s = o->names.slots[slot].series[axis];

		if (s)
			series_clear(s);
	}
}

/* Of lines that were printed beside what the program logged. */
static bool is_of_printed(const struct curve_format *format)
{
	for (size_t i = 0; curve_formats[i]; i++)
		if (curve_formats[i]->printed == format)
			return true;
	return false;
}

/* That a program prints what it logs is no news. */
static void note_duplicate(struct run_files *r, size_t slot, const struct curve_format *kept,
	const struct curve_format *left)
{
	const struct slot *name = &r->owners->names.slots[slot];

	if (is_of_printed(kept) || is_of_printed(left))
		return;
	curve_notes_add(&r->notes, "duplicate-source",
		"%.*s: taken from %s; %s holds it too and is left out",
		(int)(name->name_n < 200 ? name->name_n : 200), name->name, kept->title,
		left->title);
}

static bool claim_name(struct run_files *r, size_t slot, const struct curve_format *format)
{
	const struct curve_format **owner = &r->owners->formats[slot];

	if (*owner == format)
		return true;
	if (*owner && (*owner)->rank >= format->rank) {
		note_duplicate(r, slot, *owner, format);
		return false;
	}
	if (*owner) {
		note_duplicate(r, slot, format, *owner);
		clear_name(r->owners, slot);
	}
	*owner = format;
	return true;
}

/* NULL when another file holds the name. */
static struct series *target_of(struct run_files *r, const struct run_file *file,
	const struct series *s, const struct curve_format *format)
{
	struct run_owners *o = r->owners;
	size_t slot = find_owner(r, file, s);
	struct series **target;

	if (slot == SIZE_MAX) {
		curve_notes_add(&r->notes, "too-many-names",
			"the files of this run have more than %d names, or one over %d bytes; the others are left out",
			SLOTS_MAX, SLOT_NAME_MAX);
		file->file->sink.health.left_out += (int64_t)s->n;
		return NULL;
	}
	if (!claim_name(r, slot, format))
		return NULL;
	target = &o->names.slots[slot].series[s->axis];
	if (!*target)
		*target = run_series_get(
			r->series, o->names.slots[slot].name, o->names.slots[slot].name_n, s->axis);
	return *target;
}

/* What was said of points goes with the last of them. */
static void remove_points(struct run_files *r, size_t i)
{
	for (size_t k = 0; k < r->series->n; k++) {
		struct series *s = r->series->series[k];

		series_remove_file(s, (int)i);
		if (!s->n)
			s->x_derived = s->zone_unknown = s->no_metadata = false;
	}
}

static bool tells_no_instants(const struct curve_file *f)
{
	return curve_notes_has(&f->sink.notes, "zone-unknown") ||
		curve_notes_has(&f->sink.notes, "year-unknown");
}

static double origin_of(const struct series *s)
{
	return s->origin_s != 0 ? s->origin_s : series_wall(s, 0) - series_x(s, 0);
}

/* Seconds are counted from the first point of the run, not of each of its files. */
static void count_from_first(struct series *target, struct series *s)
{
	double shift;

	if (s->axis != AXIS_TIME || !s->n)
		return;
	if (!target->n) {
		target->origin_s = s->origin_s;
		return;
	}
	shift = origin_of(s) - origin_of(target);
	if (isfinite(shift) && shift != 0)
		series_shift_real(s, shift);
}

static void set_x_metric(const struct run_file *file, struct series *target, const char *name)
{
	char *whole = xasprintf("%s%s", file->prefix, name);

	series_set_x_metric(target, whole);
	free(whole);
}

/* FORMAT: that of the file, or that of lines printed in it. */
static void merge_series(struct run_files *r, size_t i, const struct run_series *all,
	const struct curve_format *format)
{
	const struct run_file *file = &r->files[i];
	bool no_instants = format == file->file->format && tells_no_instants(file->file);
	struct series_twin twin = { .to = NULL };

	for (size_t k = 0; k < all->n; k++) {
		struct series *s = all->series[k];
		struct series *target =
			s->n || s->x_metric ? target_of(r, file, s, format) : NULL;

		if (!target)
			continue;
		count_from_first(target, s);
		/* Points from a cache lie there as columns of a run, and are not copied. */
		if (file->file->restored && s->n && !target->n && !target->has_pending)
			series_move(target, s, (int)i);
		else
			series_splice_like(target, s, (int)i, &twin);
		target->printed = format != file->file->format;
		target->zone_unknown |= (no_instants || s->zone_unknown) && s->wall_s.used;
		if (s->x_metric)
			set_x_metric(file, target, s->x_metric);
	}
}

void run_merge_file(struct run_files *r, size_t i)
{
	struct curve_file *f = r->files[i].file;

	if (f->replaced)
		remove_points(r, i);
	merge_series(r, i, f->sink.series, f->format);
	if (f->sink.printed)
		merge_series(r, i, f->sink.printed, f->format->printed);
	curve_file_taken(f);
}

static bool is_same_value(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* How many points of FROM repeat the current ones of S. */
static size_t common_points(const struct series *s, const struct series *from, size_t *n_current)
{
	size_t *points, n = series_current(s, SEGMENT_LATEST_WINS, &points), i = 0;

	while (i < n && i < from->n && s->x[points[i]] == from->x[i] &&
	       is_same_value(series_value(s, points[i]), series_value(from, i)))
		i++;
	free(points);
	*n_current = n;
	return i;
}

static void note_branch(struct run_files *r, const struct series *s, int64_t step)
{
	char id[64];

	snprintf(id, sizeof id, "branch-at-step-%" PRId64, step);
	curve_notes_add(&r->notes, id, "%.*s: a checkpoint differs from step %" PRId64
		" on; the run went back and the earlier points are superseded",
		(int)(s->name_n < 200 ? s->name_n : 200), s->name, step);
}

/* The points of FROM that S has not yet; where they differ a branch begins. */
static void extend_chain(struct run_files *r, struct series *s, const struct series *from, int file)
{
	size_t n_current, i = common_points(s, from, &n_current);
	struct run_series *rest;
	struct series *part;

	if (i == from->n)
		return;
	rest = run_series_new();
	part = run_series_get(rest, "", 0, s->axis);
	if (i < n_current) {
		series_open_segment(part, from->x[i], file, false);
		note_branch(r, s, from->x[i]);
	}
	for (; i < from->n; i++) {
		series_append(part, from->x[i], series_wall(from, i), series_value(from, i));
		if (!isnan(series_epoch(from, i)))
			series_set_epoch(part, series_epoch(from, i));
	}
	series_splice(s, part, file);
	run_series_free(rest);
}

static bool is_document(const struct run_file *f)
{
	return f->file && f->file->format->shape == CURVE_DOCUMENT;
}

/* By the step of the checkpoint: the last one is the whole training. */
static int compare_documents(const void *a, const void *b)
{
	const struct run_file *x = *(const struct run_file *const *)a,
			      *y = *(const struct run_file *const *)b;
	int64_t p = trainer_state_facts(x->file).global_step,
		q = trainer_state_facts(y->file).global_step;

	if (p != q)
		return p < q ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Points of a large document are not kept twice: those of the first go to the run. */
static void merge_document(struct run_files *r, const struct run_file *file, int number)
{
	const struct run_series *series = file->file->sink.series;
	bool is_large = file->file->sink.health.points > DOCUMENT_POINTS_KEPT;

	for (size_t k = 0; k < series->n; k++) {
		struct series *target = target_of(r, file, series->series[k], file->file->format);

		if (!target)
			continue;
		if (is_large && !target->n && !target->has_pending) {
			series_move(target, series->series[k], number);
			curve_file_give(file->file);
		} else {
			extend_chain(r, target, series->series[k], number);
		}
	}
}

/* What was given away is read once more: another document has changed. */
static void read_again(struct curve_file *f)
{
	int result;

	if (!f->given)
		return;
	curve_file_restart(f);
	do
		result = curve_file_refresh(f, NULL);
	while (result == CURVE_MORE);
}

void run_merge_documents(struct run_files *r)
{
	const struct run_file **documents = xcalloc(r->n + 1, sizeof *documents);
	size_t n = 0, last;

	for (size_t i = 0; i < r->n; i++) {
		if (!is_document(&r->files[i]))
			continue;
		remove_points(r, i);
		read_again(r->files[i].file);
		curve_file_taken(r->files[i].file);
		documents[n++] = &r->files[i];
	}
	qsort(documents, n, sizeof *documents, compare_documents);
	last = n ? (size_t)(documents[n - 1] - r->files) : 0;
	for (size_t i = 0; i < n; i++)
		merge_document(r, documents[i], (int)last);
	free(documents);
}

static bool is_same_group(const struct run_file *a, const struct run_file *b)
{
	return a->file && b->file && a->file->format == b->file->format &&
		strcmp(a->group, b->group) == 0;
}

static bool overlaps_earlier(const struct run_files *r, size_t i)
{
	const struct curve_sink *own = r->files[i].file ? &r->files[i].file->sink : NULL;

	for (size_t j = 0; own && j < i; j++)
		if (is_same_group(&r->files[j], &r->files[i]) &&
		    own->first_wall_s < r->files[j].file->sink.health.last_wall_s)
			return true;
	return false;
}

static bool shares_a_series(const struct run_files *r, size_t i)
{
	for (size_t k = 0; k < r->series->n; k++) {
		const struct series *s = r->series->series[k];
		bool own = false, other = false;

		for (size_t g = 0; g < s->n_segments; g++) {
			own |= s->segments[g].file == (int)i;
			other |= s->segments[g].file < (int)i;
		}
		if (own && other)
			return true;
	}
	return false;
}

void run_merge_concurrent(struct run_files *r)
{
	for (size_t i = 0; i < r->n; i++) {
		bool concurrent = overlaps_earlier(r, i) && shares_a_series(r, i);

		if (!concurrent && !r->files[i].concurrent)
			continue;
		r->files[i].concurrent = concurrent;
		for (size_t k = 0; k < r->series->n; k++)
			series_set_concurrent(r->series->series[k], (int)i, concurrent);
		if (concurrent)
			curve_notes_add(&r->notes, "concurrent-writers",
				"%s: written while an earlier file of the folder was; both are kept side by side",
				r->files[i].name);
	}
}
