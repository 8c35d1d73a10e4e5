/* wandb_console - pieces of printed text to lines, and lines to the terminal reader. */
#include "config.h"

#include "curve/wandb_console.h"

#include <string.h>

#include "curve/terminal.h"

const struct curve_format wandb_console_format = {
	.name = "wandb-console",
	.title = "W&B console lines",
	.delay = "each 32 KiB block or flush",
	.shape = CURVE_STREAM,
	.rank = RANK_TEXT,
};

void wandb_console_init(struct wandb_console *c)
{
	*c = (struct wandb_console){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(c->streams); i++)
		buf_init(&c->streams[i].text);
}

void wandb_console_release(struct wandb_console *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->streams); i++) {
		if (c->streams[i].state)
			terminal_format.free_state(c->streams[i].state);
		buf_release(&c->streams[i].text);
		curve_notes_release(&c->streams[i].sink.notes);
	}
}

static void begin_stream(struct wandb_stream *s, const struct curve_sink *sink)
{
	s->sink = (struct curve_sink){
		.options = sink->options,
		.name = sink->name,
		.budget_bytes = INT64_MAX / 2,
	};
	s->state = terminal_format.new_state(&s->sink);
}

/* Times without a zone are said of the printed series alone. */
static void take_notes(struct wandb_stream *s, struct curve_sink *sink)
{
	bool zone_unknown = false;

	for (size_t i = 0; i < s->sink.notes.n; i++) {
		const struct curve_note *note = &s->sink.notes.notes[i];

		if (strcmp(note->id, "zone-unknown") == 0 || strcmp(note->id, "year-unknown") == 0)
			zone_unknown = true;
		else
			curve_notes_add(&sink->notes, note->id, "%s", note->text);
	}
	for (size_t i = 0; zone_unknown && i < sink->printed->n; i++)
		sink->printed->series[i]->zone_unknown = true;
}

/* Complete lines of P[0..N); returns how many bytes they took. */
static size_t take_lines(struct wandb_stream *s, struct curve_sink *sink, double written_s,
	const char *p, size_t n)
{
	struct curve_source src;
	int64_t taken;

	s->sink.series = sink->printed;
	s->sink.changed_s = written_s;
	s->sink.health = (struct health)HEALTH_INIT;
	s->sink.first_wall_s = __builtin_nan("");
	source_open_memory(&src, p, n);
	taken = terminal_format.advance(s->state, &s->sink, &src, 0);
	source_release(&src);
	sink->health.points += s->sink.health.points;
	sink->health.non_finite += s->sink.health.non_finite;
	sink->health.non_numeric += s->sink.health.non_numeric;
	sink->health.malformed += s->sink.health.malformed;
	take_notes(s, sink);
	return (size_t)taken;
}

void wandb_console_take(struct wandb_console *c, struct curve_sink *sink, bool is_output,
	double written_s, const char *p, size_t n)
{
	struct wandb_stream *s = &c->streams[is_output];
	size_t taken;

	if (!n)
		return;
	if (!sink->printed) {
		sink->printed = run_series_new();
		sink->printed->staging = sink->series->staging;
	}
	if (!s->state)
		begin_stream(s, sink);
	if (s->text.n) {
		buf_add(&s->text, p, n);
		if (!memchr(p, '\n', n) && s->text.n <= LINE_BYTES_MAX)
			return;
		taken = take_lines(s, sink, written_s, s->text.s, s->text.n);
		memmove(s->text.s, s->text.s + taken, s->text.n - taken);
		buf_truncate(&s->text, s->text.n - taken);
		return;
	}
	taken = take_lines(s, sink, written_s, p, n);
	buf_add(&s->text, p + taken, n - taken);
}
