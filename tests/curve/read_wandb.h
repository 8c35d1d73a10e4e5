/*
 * read_wandb - a .wandb file that is read from memory, as far as it is there.
 *
 *	struct reading r;
 *
 *	begin(&r, false);
 *	read_to(&r, bytes, n);		as often as there is more
 *	...				r.sink
 *	end(&r);
 */
#ifndef PORTSIDE_TESTS_READ_WANDB_H
#define PORTSIDE_TESTS_READ_WANDB_H

#include "read_alike.h"

#include "base/fs.h"
#include "curve/wandb.h"
#include "make_wandb.h"

struct reading {
	void *state;
	struct curve_options options;
	struct curve_sink sink;
	int64_t offset;
	int again;
};

static inline void begin(struct reading *r, bool ended)
{
	*r = (struct reading){ .options = { .ended = ended } };
	r->sink.options = &r->options;
	r->sink.budget_bytes = INT64_MAX / 2;
	r->sink.name = "sample";
	r->sink.changed_s = NAN;
	forget(&r->sink);
	r->state = wandb_format.new_state(&r->sink);
}

/* What there is are the first N bytes. */
static inline void read_to(struct reading *r, const char *p, size_t n)
{
	char *copy = xmalloc(n + 1);
	struct curve_source src;
	int64_t next;

	memcpy(copy, p, n);	/* so that the sanitizer sees its end */
	source_open_memory(&src, copy, n);
	while ((next = wandb_format.advance(r->state, &r->sink, &src, r->offset)) == CURVE_AGAIN) {
		forget(&r->sink);
		r->offset = 0;
		r->again++;
	}
	assert_true(next >= r->offset && next <= (int64_t)n);
	r->offset = next;
	r->sink.health.tail_bytes = (int64_t)n - next;
	if (r->options.ended)
		wandb_format.finish(r->state, &r->sink, &src, next);
	source_release(&src);
	free(copy);
}

static inline void end(struct reading *r)
{
	wandb_format.free_state(r->state);
	forget(&r->sink);
	run_series_free(r->sink.series);
	curve_notes_release(&r->sink.notes);
}

static inline void dump_reading(struct buf *out, const struct reading *r)
{
	buf_clear(out);
	buf_addf(out, "tail %" PRId64 "\n", r->sink.health.tail_bytes);
	dump(out, &r->sink);
}

static inline void dump_fresh(struct buf *out, const char *p, size_t n)
{
	struct reading r;

	begin(&r, false);
	read_to(&r, p, n);
	dump_reading(out, &r);
	end(&r);
}

static inline void assert_same(
	const char *what, size_t at, const struct buf *got, const struct buf *whole)
{
	if (strcmp(got->s, whole->s) != 0)
		fail_msg("%s, %zu:\n%s\nwhole:\n%s", what, at, got->s, whole->s);
}

static inline void load_sample(struct buf *out, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/tests/curve/samples/wandb/%s", srcdir ? srcdir : ".", name);

	buf_init(out);
	assert_int_equal(fs_read(out, path, 0), 0);
	free(path);
}

static inline void assert_split(const struct buf *bytes, size_t split, const struct buf *whole)
{
	struct buf parts = BUF_INIT;
	struct reading r;

	begin(&r, false);
	read_to(&r, bytes->s, split);
	read_to(&r, bytes->s, bytes->n);
	dump_reading(&parts, &r);
	assert_same("split", split, &parts, whole);
	end(&r);
	buf_release(&parts);
}

#endif
