/* reader - following one curve file, and what every reader shares. */
#include "config.h"

#include "curve/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/reader_pieces.h"

bool curve_notes_has(const struct curve_notes *notes, const char *id)
{
	for (size_t i = 0; i < notes->n; i++)
		if (strcmp(notes->notes[i].id, id) == 0)
			return true;
	return false;
}

static bool has_text(const struct curve_notes *notes, const char *id, const char *text)
{
	for (size_t i = 0; i < notes->n; i++)
		if (strcmp(notes->notes[i].id, id) == 0 && strcmp(notes->notes[i].text, text) == 0)
			return true;
	return false;
}

void curve_notes_add(struct curve_notes *notes, const char *id, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	if (!has_text(notes, id, text.s)) {
		ARRAY_GROW(notes->notes, notes->n, notes->cap);
		notes->notes[notes->n++] = (struct curve_note){ xstrdup(id), xstrdup(text.s) };
	}
	buf_release(&text);
}

void curve_notes_merge(struct curve_notes *into, const struct curve_notes *from)
{
	for (size_t i = 0; i < from->n; i++)
		curve_notes_add(into, from->notes[i].id, "%s", from->notes[i].text);
}

void curve_notes_release(struct curve_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		free(notes->notes[i].id);
		free(notes->notes[i].text);
	}
	free(notes->notes);
	*notes = (struct curve_notes){ 0 };
}

bool curve_sink_cancelled(const struct curve_sink *sink)
{
	return sink->cancel && atomic_load_explicit(sink->cancel, memory_order_relaxed);
}

void curve_sink_wall(struct curve_sink *sink, double wall_s)
{
	if (isnan(wall_s))
		return;
	if (!(wall_s <= sink->health.last_wall_s))
		sink->health.last_wall_s = wall_s;
	if (!(wall_s >= sink->first_wall_s))
		sink->first_wall_s = wall_s;
}

static void count_point(struct curve_sink *sink, double wall_s, bool finite)
{
	sink->health.points++;
	sink->health.non_finite += !finite;
	curve_sink_wall(sink, wall_s);
}

void curve_sink_point(
	struct curve_sink *sink, struct series *s, int64_t x, double wall_s, double value)
{
	series_append(s, x, wall_s, value);
	count_point(sink, wall_s, isfinite(value));
}

void curve_sink_float(
	struct curve_sink *sink, struct series *s, int64_t x, double wall_s, float value)
{
	series_append_float(s, x, wall_s, value);
	count_point(sink, wall_s, isfinite(value));
}

void curve_sink_real(
	struct curve_sink *sink, struct series *s, double x, double wall_s, double value)
{
	series_append_real(s, x, wall_s, value);
	count_point(sink, wall_s, isfinite(value));
}

void curve_sink_zone_unknown(struct curve_sink *sink)
{
	if (!curve_notes_has(&sink->notes, "zone-unknown"))
		curve_notes_add(&sink->notes, "zone-unknown",
			"%s: the times have no zone and are taken as UTC", sink->name);
}

void curve_sink_year_unknown(struct curve_sink *sink, double year_s)
{
	if (curve_notes_has(&sink->notes, "year-unknown"))
		return;
	if (isnan(year_s))
		curve_notes_add(&sink->notes, "year-unknown",
			"%s: the times have no year and are left out", sink->name);
	else
		curve_notes_add(&sink->notes, "year-unknown",
			"%s: the times have no year; %d was taken, by the last change of the file",
			sink->name, (int)(1970 + floor(year_s / (365.2425 * 86400))));
}

void curve_sink_damage(struct curve_sink *sink, int64_t offset)
{
	if (sink->health.first_bad_offset < 0)
		sink->health.first_bad_offset = offset;
}

/* No points, no counters, no parser: as before the first byte. */
static void forget_points(struct curve_file *f)
{
	run_series_free(f->sink.series);
	run_series_free(f->sink.printed);
	f->sink.printed = NULL;
	f->sink.series = run_series_new();
	f->sink.series->staging = f->format->shape != CURVE_DOCUMENT;
	f->sink.health = (struct health)HEALTH_INIT;
	f->sink.first_wall_s = NAN;
	f->sink.changed_s = NAN;
	curve_notes_release(&f->sink.notes);
	settings_release(&f->sink.settings);
	f->offset = 0;
	f->finished = false;
	f->given = false;
	f->restored = f->kept = false;
	f->replaced = true;
}

static void start_over(struct curve_file *f)
{
	forget_points(f);
	f->format->free_state(f->state);
	f->state = f->format->new_state(&f->sink);
	f->head_n = 0;
}

struct curve_file *curve_file_new_as(const char *path, const struct curve_format *format,
	const struct curve_options *options)
{
	struct curve_file *f = xcalloc(1, sizeof *f);

	f->path = xstrdup(path);
	f->format = format;
	if (options)
		f->options = *options;
	f->sink.options = &f->options;
	f->sink.budget_bytes = format->step_bytes ? format->step_bytes : CURVE_STEP_BYTES;
	f->sink.name = fs_basename(f->path);
	f->source.fd = -1;
	forget_points(f);
	f->replaced = false;
	f->state = format->new_state(&f->sink);
	return f;
}

struct curve_file *curve_file_new(const char *path, const struct curve_options *options)
{
	const struct curve_format *format = curve_format_recognise(path);

	return format ? curve_file_new_as(path, format, options) : NULL;
}

void curve_file_free(struct curve_file *f)
{
	if (!f)
		return;
	f->format->free_state(f->state);
	run_series_free(f->sink.series);
	run_series_free(f->sink.printed);
	curve_notes_release(&f->sink.notes);
	settings_release(&f->sink.settings);
	source_release(&f->source);
	free(f->head);
	free(f->error_text);
	free(f->path);
	free(f);
}

/* A segment that was opened and has no point yet stays open. */
static void clear_points(struct run_series *all)
{
	for (size_t i = 0; all && i < all->n; i++) {
		struct series *s = all->series[i];
		struct segment pending = s->pending;
		bool has_pending = s->has_pending;

		series_clear(s);
		s->pending = pending;
		s->has_pending = has_pending;
	}
}

void curve_file_taken(struct curve_file *f)
{
	f->replaced = false;
	if (f->format->shape == CURVE_DOCUMENT)
		return;
	clear_points(f->sink.series);
	clear_points(f->sink.printed);
}

void curve_file_give(struct curve_file *f)
{
	f->given = true;
}

void curve_file_restart(struct curve_file *f)
{
	start_over(f);
	f->device = 0;
	f->inode = 0;
	f->size = -1;
}

void curve_file_end(struct curve_file *f)
{
	f->options.ended = true;
}

static int set_error(struct curve_file *f, int code)
{
	f->error = code;
	free(f->error_text);
	f->error_text = code < 0 ? xstrdup(err_text()) : NULL;
	return code;
}

static int64_t mtime_of(const struct stat *st)
{
	return st->st_mtim.tv_sec * INT64_C(1000000000) + st->st_mtim.tv_nsec;
}

static bool is_unchanged(const struct curve_file *f, const struct stat *st)
{
	return curve_file_is_at(f, st) && !(f->options.ended && !f->finished);
}

/* The first bytes that were read before are still those of the file. */
static bool is_head_kept(struct curve_file *f)
{
	return !f->head_n || source_has(&f->source, 0, f->head, f->head_n);
}

static void keep_head(struct curve_file *f)
{
	size_t n, want = f->offset < CURVE_FIXED_HEAD ? (size_t)f->offset : CURVE_FIXED_HEAD;
	const char *p;

	if (f->head_n >= want)
		return;
	p = source_bytes(&f->source, 0, want, &n);
	if (n < want)
		return;
	f->head = xrealloc(f->head, want);
	memcpy(f->head, p, want);
	f->head_n = want;
}

/* Another file stands at the path, or the same one was rewritten. */
static bool is_replaced(struct curve_file *f, const struct stat *st)
{
	if (f->inode == 0 && f->device == 0)
		return false;
	if (f->inode != st->st_ino || f->device != st->st_dev || st->st_size < f->size)
		return true;
	if (f->format->shape == CURVE_DOCUMENT)
		return f->size != st->st_size || f->mtime_ns != mtime_of(st);
	return !is_head_kept(f);
}

static void remember(struct curve_file *f, const struct stat *st)
{
	f->device = st->st_dev;
	f->inode = st->st_ino;
	f->size = st->st_size;
	f->mtime_ns = mtime_of(st);
}

bool curve_file_is_at(const struct curve_file *f, const struct stat *st)
{
	return f->inode == st->st_ino && f->device == st->st_dev && f->size == st->st_size &&
		f->mtime_ns == mtime_of(st);
}

void curve_file_restored(struct curve_file *f, const struct stat *st)
{
	remember(f, st);
	f->sink.changed_s = (double)f->mtime_ns / 1e9;
	f->restored = f->finished = true;
}

static void finish(struct curve_file *f)
{
	if (!f->options.ended || f->finished)
		return;
	f->finished = true;
	if (f->format->finish)
		f->format->finish(f->state, &f->sink, &f->source, f->offset);
}

/* Reads on from the offset; the source is open. */
/* Small steps, each handed over while its points are in the cache; as long as one call lasts. */
static int64_t advance_by_steps(struct curve_file *f, int64_t *budget)
{
	int64_t step = f->sink.budget_bytes, left = CURVE_STEP_BYTES, next;

	for (;;) {
		next = f->format->advance(f->state, &f->sink, &f->source, f->offset);
		if (next == CURVE_AGAIN || !f->take || !f->format->step_bytes ||
			next - f->offset < step || next >= f->source.size || f->source.error ||
			curve_sink_cancelled(&f->sink))
			break;
		left -= next - f->offset;
		if (left <= 0)
			break;
		f->offset = next;
		f->take(f->take_user);
	}
	if (f->take && f->format->step_bytes)
		*budget = CURVE_STEP_BYTES;
	return next;
}

static int advance(struct curve_file *f)
{
	int64_t start = f->offset, budget = f->sink.budget_bytes, next;

	next = reader_pieces_pay(f) ? reader_pieces_advance(f, &budget)
				    : advance_by_steps(f, &budget);

	if (next == CURVE_AGAIN) {
		forget_points(f);
		return CURVE_MORE;
	}
	f->offset = next;	/* what was read before an error is not read again */
	if (curve_sink_cancelled(&f->sink))
		return err_set(ERR_CANCELLED, "%s: reading was stopped", f->path);
	if (f->source.error) {
		errno = f->source.error;
		return err_errno(ERR_IO, "%s", f->path);
	}
	f->sink.health.tail_bytes = f->source.size - next;
	if (next > start && next < f->source.size && next - start >= budget)
		return CURVE_MORE;
	keep_head(f);
	finish(f);
	return CURVE_CHANGED;
}

static int refresh_stream(struct curve_file *f, int fd, const struct stat *st)
{
	int result;

	source_open_fd(&f->source, fd, st->st_size);
	if (is_replaced(f, st) || f->restored)
		start_over(f);
	remember(f, st);
	f->sink.changed_s = (double)f->mtime_ns / 1e9;
	result = advance(f);
	if (result == CURVE_MORE)
		f->size = -1;
	else
		source_release(&f->source);
	return result;
}

static int refresh_store(struct curve_file *f)
{
	int result = f->format->refresh(f->state, &f->sink, f->path);

	if (result == CURVE_VOID) {
		forget_points(f);
		return CURVE_MORE;
	}
	if ((result == CURVE_SAME || result == CURVE_CHANGED) && f->options.ended && !f->finished) {
		finish(f);
		return CURVE_CHANGED;
	}
	return result;
}

static int open_and_refresh(struct curve_file *f)
{
	struct stat st;
	int fd, result;

	if (f->format->shape == CURVE_STORE)
		return refresh_store(f);
	if (stat(f->path, &st) < 0)
		return err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", f->path);
	if (!S_ISREG(st.st_mode))
		return err_set(ERR_IO, "%s: not a regular file", f->path);
	if (is_unchanged(f, &st))
		return CURVE_SAME;
	fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return err_errno(ERR_IO, "%s", f->path);
	result = fstat(fd, &st) < 0 ? err_errno(ERR_IO, "%s", f->path) : refresh_stream(f, fd, &st);
	close(fd);
	return result;
}

int curve_file_refresh(struct curve_file *f, const atomic_bool *cancel)
{
	int result;

	f->sink.cancel = cancel;
	result = open_and_refresh(f);
	f->sink.cancel = NULL;
	set_error(f, result < 0 ? result : 0);
	return result;
}
