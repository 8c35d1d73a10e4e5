/* reader_pieces - see reader_pieces.h. */
#include "config.h"

#include "curve/reader_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/parallel.h"

/* One piece, read by whichever thread. */
struct piece {
	struct curve_sink sink;
	struct curve_source source;
	void *state;
	int64_t start;		/* of the first record that begins in it; -1: none */
	int64_t end;		/* where reading stood; CURVE_AGAIN */
};

struct pieces {
	struct curve_file *file;
	struct curve_sink empty;	/* that of a piece; the file's own changes meanwhile */
	int64_t first, bytes;		/* of all pieces; of one */
	struct piece slots[PARALLEL_SLOTS_MAX];
	size_t n_refused;		/* were read again */
};

static int64_t piece_bytes(const struct curve_file *f)
{
	return f->options.piece_bytes > 0 ? f->options.piece_bytes : PIECE_BYTES;
}

static int threads_of(const struct curve_file *f)
{
	return f->options.threads > 0 ? f->options.threads : parallel_threads(0);
}

bool reader_pieces_pay(const struct curve_file *f)
{
	return f->take && f->format->seek && !f->in_one_piece && threads_of(f) > 1 &&
		f->source.size - f->offset >= PIECES_LEAST * piece_bytes(f);
}

static int64_t piece_first(const struct pieces *p, size_t i)
{
	return p->first + (int64_t)i * p->bytes;
}

static int64_t piece_end(const struct pieces *p, size_t i)
{
	int64_t end = piece_first(p, i + 1);

	return end < p->file->source.size ? end : p->file->source.size;
}

static void begin_piece(struct piece *piece, const struct pieces *p)
{
	const struct curve_file *f = p->file;
	struct run_series *series = piece->sink.series;

	if (piece->state)
		f->format->free_state(piece->state);
	curve_notes_release(&piece->sink.notes);
	settings_release(&piece->sink.settings);
	if (!series) {
		series = run_series_new();
		series->staging = true;
	}
	run_series_reset(series);
	piece->sink = p->empty;
	piece->sink.series = series;
	piece->state = f->format->new_state(&piece->sink);
	if (f->source.memory)
		source_open_memory(&piece->source, f->source.memory, (size_t)f->source.size);
	else
		source_open_fd(&piece->source, f->source.fd, f->source.size);
}

static void read_piece(void *user, size_t i, size_t slot)
{
	struct pieces *p = user;
	struct piece *piece = &p->slots[slot];
	const struct curve_format *format = p->file->format;
	int64_t first = piece_first(p, i), end = piece_end(p, i);

	begin_piece(piece, p);
	piece->start = i == 0
		? first
		: format->seek(piece->state, &piece->sink, &piece->source, first, end);
	piece->end = piece->start;
	if (piece->start < 0)
		return;
	piece->sink.budget_bytes = end - piece->start;
	piece->end = format->advance(piece->state, &piece->sink, &piece->source, piece->start);
}

static void add_counts(struct curve_sink *sink, const struct curve_sink *from)
{
	health_merge(&sink->health, &from->health);
	if (!(from->first_wall_s >= sink->first_wall_s) && !isnan(from->first_wall_s))
		sink->first_wall_s = from->first_wall_s;
	curve_notes_merge(&sink->notes, &from->notes);
	settings_merge(&sink->settings, &from->settings);
}

static bool can_join(const struct pieces *p, struct piece *piece, int64_t at)
{
	const struct curve_file *f = p->file;

	return piece->start == at && piece->end >= at && !piece->source.error &&
		!curve_sink_cancelled(&f->sink) &&
		f->format->join(f->state, piece->state, at);
}

/* The points of the piece, as if they were F's own. */
static void give_piece(struct curve_file *f, struct piece *piece)
{
	struct run_series *own = f->sink.series;

	add_counts(&f->sink, &piece->sink);
	f->sink.series = piece->sink.series;
	f->take(f->take_user);
	f->sink.series = own;
}

static int64_t read_in_order(struct curve_file *f, int64_t at, int64_t end)
{
	int64_t budget = f->sink.budget_bytes, next;

	f->sink.budget_bytes = end - at;
	next = f->format->advance(f->state, &f->sink, &f->source, at);
	f->sink.budget_bytes = budget;
	if (next != CURVE_AGAIN)
		f->take(f->take_user);
	return next;
}

/* Piece I is joined, or read again; returns where reading stands. */
static int64_t join_piece(struct pieces *p, struct piece *piece, size_t i, int64_t at)
{
	int64_t end = piece_end(p, i);

	if (at >= end)
		return at;	/* a record that began before reaches over all of it */
	if (!can_join(p, piece, at)) {
		p->n_refused++;
		return read_in_order(p->file, at, end);
	}
	give_piece(p->file, piece);
	return piece->end;
}

static void release_slots(struct pieces *p)
{
	for (size_t i = 0; i < PARALLEL_SLOTS_MAX; i++) {
		struct piece *piece = &p->slots[i];

		if (!piece->state)
			continue;
		p->file->format->free_state(piece->state);
		run_series_free(piece->sink.series);
		curve_notes_release(&piece->sink.notes);
		settings_release(&piece->sink.settings);
		source_release(&piece->source);
	}
}

static struct curve_sink empty_sink(const struct curve_sink *of)
{
	struct curve_sink sink = *of;

	sink.notes = (struct curve_notes){ 0 };
	sink.settings = (struct settings){ 0 };
	sink.series = sink.printed = NULL;
	sink.health = (struct health)HEALTH_INIT;
	sink.first_wall_s = NAN;
	return sink;
}

int64_t reader_pieces_advance(struct curve_file *f, int64_t *budget)
{
	struct pieces p = { .file = f, .empty = empty_sink(&f->sink), .first = f->offset,
		.bytes = piece_bytes(f) };
	struct parallel_job job = { read_piece, &p };
	int64_t n = (f->source.size - f->offset + p.bytes - 1) / p.bytes, at = f->offset;
	struct parallel *threads;
	size_t i;

	n = n < PIECES_A_CALL ? n : PIECES_A_CALL;
	*budget = n * p.bytes;
	threads = parallel_new(&job, (size_t)n, threads_of(f));
	while (at != CURVE_AGAIN && !curve_sink_cancelled(&f->sink) && parallel_next(threads, &i)) {
		at = join_piece(&p, &p.slots[parallel_slot(threads, i)], i, at);
		if (at < piece_end(&p, i))
			break;	/* the rest waits for more, or all is read again */
	}
	parallel_free(threads);
	release_slots(&p);
	/* A file whose records are not where they seem to be is better read in order. */
	f->in_one_piece = p.n_refused > 4 && p.n_refused > (size_t)n / 4;
	return at;
}
