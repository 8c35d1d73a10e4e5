/*
 * test_log_scan - the scan of a log: the same as every pattern on every part, whatever the
 * log holds and however it is cut.
 */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "evidence/log_clean.h"
#include "evidence/log_scan.h"
#include "tests/evidence/triage_data.h"
#include "tests/unit.h"

static struct signature_catalogue *shipped;

static const char *id_of(const struct log_hit *h)
{
	return signature_at(shipped, h->signature)->id;
}

static struct log_scan *scan_text(const char *text, size_t n, unsigned flags)
{
	struct log_scan *s = log_scan_new(shipped, flags);

	log_scan_feed(s, text, n);
	return s;
}

/* "6 C1-12;13 C1-32": the hits of a text. */
static char *hits_of(const char *text, size_t n, unsigned flags)
{
	struct log_scan *s = scan_text(text, n, flags);
	const struct log_findings *f = log_scan_findings(s);
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < f->hits_n; i++)
		buf_addf(&out, "%s%d %s", i ? ";" : "", (int)f->hits[i].line, id_of(&f->hits[i]));
	log_scan_free(s);
	return buf_detach(&out);
}

/* ---- single steps of reading -------------------------------------------------------- */

static const struct { const char *text, *hits; unsigned flags;
} known[] = {
	{ "ok\nRuntimeError: Numpy is not available\n", "2 C1-08", 0 },
	{ "RuntimeError: Numpy is not available", "1 C1-08", 0 },
	/* colours inside a word, and in front of an anchor */
	{ "Runtime\x1b[31mError: Num\x1b[0mpy is not available\n", "1 C1-08", 0 },
	{ "\x1b[1mKilled\x1b[0m\n", "1 C6-08", 0 },
	/* carriage returns and bars */
	{ " 1%|#| 1/9 [00:01]\r 2%|#| 2/9 [00:01]Killed\nx\nKilled\r\n", "1 C6-08;3 C6-08", 0 },
	{ "Epoch 1:  50%|##| 1/2 [00:01, 1it/s]{'loss': 0.0, 'grad_norm': nan}\n", "1 C5-19", 0 },
	/* ranks */
	{ "[rank1]: RuntimeError: Unimplemented backend XLA\n", "1 C2-15", 0 },
	{ "[rank0]: Killed\n", "1 C6-08", 0 },
	/* wrapped, also between lines of another rank */
	{ "RuntimeError: Unimplemented\nbackend XLA\n", "1 C2-15", 0 },
	{ "[0]: RuntimeError: Unimplemented\n[1]: fine\n[0]: backend XLA\n", "1 C2-15", 0 },
	{ "[0]: RuntimeError: Unimplemented\n[1]: backend XLA\n", "", 0 },
	{ "RuntimeError: Unimplemented\n\nbackend XLA\n", "", 0 },
	/* an anchored pattern is no matter of two lines */
	{ "libtpu not\nfound.\n", "", 0 },
	/* two lines */
	{ "Counter: UncachedCompile\n  Value: 38\n", "1 C4-08", 0 },
	{ "Counter: UncachedCompile\r\n  Value: 38\r\n", "1 C4-08", 0 },
	{ "[1]: Counter: UncachedCompile\n[0]: x\n[1]:   Value: 38\n", "1 C4-08", 0 },
	/* quoted code, frames, what Python ignored */
	{ "  File \"x.py\", line 3, in f\n    raise RuntimeError(\"Unimplemented backend XLA\")\n",
		"", 0 },
	{ "[0]:   File \"x.py\", line 3\n[1]: z\n[0]:     Unimplemented backend XLA\n", "", 0 },
	{ "  File \"x.py\", line 3, in f\n    f()\nUnimplemented backend XLA\n", "3 C2-15", 0 },
	/* no source was to be had: the exception itself follows */
	{ "  File \"x.py\", line 3, in f\nUnimplemented backend XLA\n", "2 C2-15", 0 },
	{ "\xe2\x94\x82 Unimplemented backend XLA\n", "", 0 },
	{ "Exception ignored in: <f>\nTraceback (most recent call last):\n  File \"x\", line 1\n"
	  "    f()\nRuntimeError: Unimplemented backend XLA\n"
	  "RuntimeError: Unimplemented backend XLA\n",
		"1 N-15;6 C2-15", 0 },
	{ "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2\n"
	  "Traceback (most recent call last):\n  File \"x\", line 1\n    f()\n"
	  "RuntimeError: Numpy is not available\nRuntimeError: Numpy is not available\n",
		"1 C1-07;7 C1-08", 0 },
	/* transcripts */
	{ "```python\nUnimplemented backend XLA\n```\nUnimplemented backend XLA\n", "4 C2-15",
		LOG_SCAN_TRANSCRIPT },
	{ "```python\nUnimplemented backend XLA\n```\n", "2 C2-15", 0 },
	{ "{\"type\": \"tool_use\", \"input\": \"Unimplemented backend XLA\"}\n", "",
		LOG_SCAN_TRANSCRIPT },
	/* two of one line, and the one that comes first is told first */
	{ "RuntimeError: Bad StatusOr access: TPU initialization failed: Failed to get global TPU "
	  "topology. Check failed: !was_initialized\n",
		"1 C1-12;1 C1-32", 0 },
	{ "", "", 0 },
	{ "\n\n\r\r\n", "", 0 },
};

static void test_reading(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		char *hits = hits_of(known[i].text, strlen(known[i].text), known[i].flags);

		if (strcmp(hits, known[i].hits) != 0)
			fail_msg("%s\ngot  %s\nwant %s", known[i].text, hits, known[i].hits);
		free(hits);
	}
}

static void test_facts(void **state)
{
	static const char text[] =
		"per_device_train_batch_size=16\n"
		"\x1b[1mstep 9 loss 2 rss 1.0 GiB\x1b[0m\n"
		"RESOURCE_EXHAUSTED: Error loading program: Attempting to reserve 7.5G at the "
		"bottom of memory. That was not possible. There are 6.90G free\n"
		"Counter: MarkStep\n  Value: 320\n"
		"Traceback (most recent call last):\n  File \"x\", line 1\n    f()\n"
		"ValueError: odd\n"
		"Root Cause (first observed failure):\n[0]:\n  time : now\n"
		"  rank      : 2 (local_rank: 2)\n"
		"step 12 rss 1.5 GiB";
	struct log_scan *s = scan_text(text, sizeof text - 1, 0);
	const struct log_findings *f = log_scan_findings(s);

	(void)state;
	assert_int_equal(f->lines, 14);
	assert_int_equal(f->bytes, sizeof text - 1);
	assert_int_equal(f->hits_n, 1);
	assert_string_equal(id_of(&f->hits[0]), "C6-02");
	assert_int_equal(f->hits[0].line, 3);
	assert_int_equal(f->hits[0].offset, (size_t)(strstr(text, "RESOURCE") - text));
	assert_int_equal(f->hits[0].batch, 16);
	assert_int_equal(f->hits[0].step, 9);
	assert_near(f->hits[0].need, 7.5 * 1073741824.0, 1e-12);
	assert_int_equal(f->mark_steps, 320);
	assert_int_equal(f->last_step, 12);
	assert_int_equal(f->last_step_offset, (size_t)(strstr(text, "12 rss") - text));
	assert_int_equal(f->last_exception_line, 9);
	assert_string_equal(f->last_exception, "ValueError: odd");
	assert_int_equal(f->root_rank, 2);
	assert_int_equal(f->memory_n, 1);
	assert_int_equal(f->memory[0].n, 2);
	assert_int_equal(f->memory[0].rises, 1);
	assert_int_equal(f->memory[0].last_line, 14);
	log_scan_free(s);
}

/* ---- tallies -------------------------------------------------------------------------- */

static const struct log_tally *tally(const struct log_findings *f, const char *id)
{
	return &f->tallies[signature_find(shipped, id)];
}

static void test_growth(void **state)
{
	struct buf text = BUF_INIT;
	struct log_scan *s;
	const struct log_findings *f;

	(void)state;
	for (int report = 0; report < 3; report++)
		buf_addf(&text,
			"Metric: CompileTime\n  TotalSamples: %d\nCounter: MarkStep\n  Value: %d\n"
			"Counter: UncachedCompile\n  Value: %d\n",
			4 + 30 * report, 5 + 100 * report, 4 + 30 * report);
	s = scan_text(text.s, text.n, 0);
	f = log_scan_findings(s);
	assert_int_equal(f->mark_steps, 205);
	/* From 5 to 105 steps is warm-up in part; from 105 to 205 is not. */
	assert_int_equal(tally(f, "C4-08")->rises, 1);
	assert_int_equal(tally(f, "C4-09")->rises, 1);
	assert_near(tally(f, "C4-09")->rise_from, 34, 1e-12);
	assert_near(tally(f, "C4-09")->rise_to, 64, 1e-12);
	log_scan_free(s);
	buf_release(&text);
}

static void test_subjects(void **state)
{
	static const char text[] =
		"Recompiling function a in x.py:1\nRecompiling function b in x.py:1\n"
		"Recompiling function a in x.py:1\nRecompiling function a in x.py:1\n"
		"There were missing keys in the checkpoint model loaded: ['lm_head.weight'].\n"
		"There were missing keys in the checkpoint model loaded: ['lm_head.weight', "
		"'x.bias'].\n";
	struct log_scan *s = scan_text(text, sizeof text - 1, 0);
	const struct log_findings *f = log_scan_findings(s);

	(void)state;
	assert_int_equal(tally(f, "C4-19")->same_most, 3);
	assert_string_equal(tally(f, "C4-19")->same_text, "a");
	assert_int_equal(tally(f, "C4-19")->same_line, 4);
	assert_true(tally(f, "C3-14")->beyond);
	assert_string_equal(tally(f, "C3-14")->beyond_text, "x.bias");
	assert_int_equal(tally(f, "C3-14")->beyond_line, 6);
	log_scan_free(s);
}

/* ---- long lines, many hits -------------------------------------------------------------- */

/* A line of 3 MB without an end of line: hits in it, across the edges of windows, and
 * nothing at an edge that only looks like one. */
static void test_long_line(void **state)
{
	const char *const what = "RuntimeError: Unimplemented backend XLA";
	const size_t n = 3 << 20, stride = LOG_WINDOW - LOG_OVERLAP;
	char *text = xmalloc(n);
	const struct log_findings *f;
	struct log_scan *s;

	(void)state;
	memset(text, 'x', n);
	text[9] = '\n';
	for (size_t k = 1; k <= 3; k++)
		memcpy(text + 10 + k * 9 * stride + k * 17, what, strlen(what));
	memcpy(text + 10 + 5 * stride + LOG_OVERLAP - 20, what, strlen(what));
	/* In the middle of a line it is none, wherever a window begins or ends. */
	memcpy(text + 10 + 2 * stride, "Killed", 6);
	memcpy(text + 10 + 2 * stride + LOG_WINDOW - 6, "Killed", 6);
	s = log_scan_new(shipped, 0);
	for (size_t at = 0; at < n; at += 100003)
		log_scan_feed(s, text + at, n - at < 100003 ? n - at : 100003);
	f = log_scan_findings(s);
	assert_int_equal(f->lines, 2);
	assert_int_equal(f->hits_n, 4);
	for (size_t i = 0; i < f->hits_n; i++) {
		assert_string_equal(id_of(&f->hits[i]), "C2-15");
		assert_int_equal(f->hits[i].line, 2);
	}
	log_scan_free(s);
	free(text);
}

/* All is counted, and what is kept is bounded. */
static void test_all_hits(void **state)
{
	const char *const line = "[rank3]: RuntimeError: Numpy is not available\n";
	const int n = 40000;
	struct log_scan *s = log_scan_new(shipped, 0);
	const struct log_findings *f;

	(void)state;
	for (int i = 0; i < n; i++)
		log_scan_feed(s, line, strlen(line));
	f = log_scan_findings(s);
	assert_int_equal(tally(f, "C1-08")->count, n);
	assert_int_equal(tally(f, "C1-08")->last_line, n);
	assert_int_equal(f->hits_n, LOG_HITS_EACH);
	assert_int_equal(f->hits_more, n - LOG_HITS_EACH);
	assert_int_equal(f->hits[7].line, 8);
	assert_int_equal(f->hits[7].rank, 3);
	log_scan_free(s);
}

/* Looking at a log that grows changes nothing about what comes later. */
static void test_follow(void **state)
{
	static const char text[] =
		"step 3\nRuntimeError: Unimplemented\nbackend XLA\n\x1b[31mKilled\x1b[0m\n";
	struct log_scan *s = log_scan_new(shipped, 0);

	(void)state;
	for (size_t i = 0; i + 1 < sizeof text; i++) {
		log_scan_feed(s, text + i, 1);
		(void)log_scan_findings(s);
	}
	assert_int_equal(log_scan_findings(s)->hits_n, 2);
	assert_int_equal(log_scan_findings(s)->hits[0].line, 2);
	assert_int_equal(log_scan_findings(s)->hits[1].line, 4);
	assert_int_equal(log_scan_findings(s)->hits[1].step, 3);
	log_scan_free(s);
	s = scan_text("Kill", 4, 0);
	assert_int_equal(log_scan_findings(s)->hits_n, 0);
	log_scan_feed(s, "ed", 2);
	assert_int_equal(log_scan_findings(s)->hits_n, 1);
	log_scan_feed(s, " 3 stale workers\n", 17);
	assert_int_equal(log_scan_findings(s)->hits_n, 0);
	log_scan_free(s);
}

static void test_file(void **state)
{
	char path[] = "/tmp/portside-log-XXXXXX";
	int fd = mkstemp(path);
	struct log_scan *s = log_scan_new(shipped, 0);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x\nKilled\n", 9), 9);
	close(fd);
	assert_int_equal(log_scan_file(s, path, NULL, NULL), 0);
	assert_int_equal(log_scan_findings(s)->hits_n, 1);
	unlink(path);
	assert_int_equal(log_scan_file(s, path, NULL, NULL), ERR_NOT_FOUND);
	log_scan_free(s);
}

/* ---- the same as every pattern on every part ------------------------------------------- */

struct ref_part {
	const char *s;
	size_t n;
	int64_t line;
	int rank;
	bool is_first;		/* of its segment */
	bool passed_over;	/* boxed, quoted or ignored */
	bool is_file_line, is_break, begins_block;
};

struct reference {
	struct arena a;
	struct buf clean;
	struct ref_part *parts;
	size_t n, cap;
	char **hits;
	size_t hits_n, hits_cap;
};

enum ref_ignoring { REF_NOT, REF_IGNORED, REF_NUMPY, REF_NUMPY_TRACEBACK };

enum { REF_RANKS = 8 };

static void ref_strip(struct reference *r, const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t length = text[i] == 0x1b ? log_escape(text + i, n - i, true) : 0;

		if (!length)
			buf_addc(&r->clean, text[i]);
		i += length ? length : 1;
	}
}

static bool begins(const char *s, size_t n, const char *with)
{
	return n >= strlen(with) && memcmp(s, with, strlen(with)) == 0;
}

static int64_t newlines_of(const char *s, const char *end)
{
	int64_t n = 0;

	for (; s < end; s++)
		n += *s == '\n';
	return n;
}

/* The blocks that are passed over, segment by segment. */
static bool ref_ignored(enum ref_ignoring *state, int *left, const char *s, size_t n)
{
	bool traceback = begins(s, n, "Traceback (most recent call last)");
	bool inside = *state == REF_IGNORED || *state == REF_NUMPY_TRACEBACK;

	if (*state == REF_NUMPY) {
		if (--*left < 0)
			*state = REF_NOT;
		else if (traceback)
			*state = REF_NUMPY_TRACEBACK;
	} else if (inside && n && *s != ' ' && *s != '\t' && !traceback &&
		!(*state == REF_IGNORED && begins(s, n, "Exception ignored in: "))) {
		*state = REF_NOT;
	}
	return inside;
}

static void ref_split(struct reference *r)
{
	enum ref_ignoring ignoring[REF_RANKS] = { REF_NOT };
	int left[REF_RANKS] = { 0 };
	bool quotes[REF_RANKS] = { false };
	const char *p = r->clean.s, *end = p + r->clean.n;
	int64_t line = 1;

	while (p < end) {
		size_t n = strcspn(p, "\r\n"), mark, count;
		struct log_part parts[LOG_PARTS_MAX];
		bool by_cr, ignored, boxed, file_line;
		const char *next;
		int rank;

		while (p + n < end && p[n] == '\0')	/* NUL is text */
			n += 1 + strcspn(p + n + 1, "\r\n");
		by_cr = p + n < end && p[n] == '\r' && !(p + n + 1 < end && p[n + 1] == '\n');
		next = p + n + (p + n < end && p[n] == '\r' && !by_cr ? 2 : 1);
		mark = log_rank_mark(p, n, &rank);
		assert_true(rank + 1 < REF_RANKS);
		count = log_parts(parts, p + mark, n - mark);
		boxed = log_is_boxed(p + mark, n - mark);
		file_line = log_is_file_line(p + mark, n - mark);
		ignored = ref_ignored(&ignoring[rank + 1], &left[rank + 1], p + mark, n - mark);
		for (size_t i = 0; i < count && !(mark == n && by_cr); i++) {
			struct ref_part *q;

			ARRAY_GROW(r->parts, r->n, r->cap);
			q = &r->parts[r->n++];
			*q = (struct ref_part){ .s = p + mark + parts[i].from,
				.n = parts[i].to - parts[i].from,
				.line = line,
				.rank = rank,
				.is_first = i == 0,
				.is_break = mark == n,
				.is_file_line = file_line };
			q->passed_over = boxed || ignored ||
				(i == 0 && quotes[rank + 1] && mark < n &&
					(p[mark] == ' ' || p[mark] == '\t'));
			q->begins_block = i == 0 && begins(q->s, q->n, "Exception ignored in: ");
			if (q->begins_block && ignoring[rank + 1] == REF_NOT)
				ignoring[rank + 1] = REF_IGNORED;
			if (memmem(q->s, q->n, "compiled using NumPy 1.x", 24) &&
				ignoring[rank + 1] == REF_NOT) {
				ignoring[rank + 1] = REF_NUMPY;
				left[rank + 1] = 24;
			}
		}
		if (count && !(mark == n && by_cr))
			quotes[rank + 1] = file_line;
		line += newlines_of(p, next < end ? next : end);
		p = next;
	}
}

static bool ref_matches(size_t index, const char *s, size_t n, struct signature_match *m)
{
	static struct signature_matcher *matcher;

	if (!matcher)
		matcher = signature_matcher_new();
	if (!s) {
		signature_matcher_free(matcher);
		matcher = NULL;
		return false;
	}
	return signature_match(m, matcher, signature_at(shipped, index), s, n, 0) > 0;
}

static void ref_add(struct reference *r, const struct ref_part *p, size_t index)
{
	ARRAY_GROW(r->hits, r->hits_n, r->hits_cap);
	r->hits[r->hits_n++] = arena_printf(&r->a, "%06d %s rank %d", (int)p->line,
		signature_at(shipped, index)->id, p->rank);
}

static void ref_pair(
	struct reference *r, const struct ref_part *a, const struct ref_part *b, size_t index)
{
	const struct signature *sig = signature_at(shipped, index);
	struct signature_match m;
	struct buf both = BUF_INIT;

	if (a->passed_over || b->passed_over || a->is_break || b->is_break || a->begins_block ||
		(sig->anchored && !sig->two_lines))
		return;
	if (!sig->two_lines &&
		(ref_matches(index, a->s, a->n, &m) || ref_matches(index, b->s, b->n, &m)))
		return;
	buf_add(&both, a->s, a->n);
	buf_addc(&both, sig->two_lines ? '\n' : ' ');
	buf_add(&both, b->s, b->n);
	if (ref_matches(index, both.s, both.n, &m) && m.whole.from < a->n && m.whole.to > a->n + 1)
		ref_add(r, a, index);
	buf_release(&both);
}

static void ref_scan(struct reference *r)
{
	struct signature_match m;

	for (size_t i = 0; i < r->n; i++) {
		const struct ref_part *a = &r->parts[i];
		size_t k = i + 1;

		while (k < r->n && r->parts[k].rank != a->rank)
			k++;
		for (size_t x = 0; x < signature_catalogue_n(shipped); x++) {
			const struct signature *sig = signature_at(shipped, x);

			if (sig->kind == SIGNATURE_VERSION)
				continue;
			if (!sig->two_lines && !a->passed_over && ref_matches(x, a->s, a->n, &m))
				ref_add(r, a, x);
			if (k < r->n)
				ref_pair(r, a, &r->parts[k], x);
		}
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *ref_hits(const char *text, size_t n)
{
	struct reference r = { .a = ARENA_INIT };
	struct buf out = BUF_INIT;

	buf_init(&r.clean);
	ref_strip(&r, text, n);
	ref_split(&r);
	ref_scan(&r);
	if (r.hits_n)
		qsort(r.hits, r.hits_n, sizeof *r.hits, by_text);
	for (size_t i = 0; i < r.hits_n; i++)
		buf_addf(&out, "%s\n", r.hits[i]);
	free(r.parts);
	free(r.hits);
	buf_release(&r.clean);
	arena_release(&r.a);
	return buf_detach(&out);
}

/* ---- random mixtures ------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

static const char *const ordinary[] = {
	"{'loss': 0.6412, 'grad_norm': 3.12, 'learning_rate': 1.8e-05, 'epoch': 0.5}",
	"step 100 loss 2.08 host_rss_gib 33.6",
	"name: banana  loss_fn: ce",
	"",
	"",
	"Traceback (most recent call last):",
	"  File \"x.py\", line 3, in f",
	"    f()",
	"Exception ignored in: <function f>",
	"ValueError: odd",
	"\xe2\x94\x82 boxed Killed",
	"Counter: MarkStep",
	"  Value: 12",
	"Killed",
	"\xff\xfe bad bytes",
	"batch_size: 8",
	" 47%|####7     | 470/1000 [00:11<00:12, 9.8it/s]",
	"100%|##| 1/1 [x]Killed",
	"\x1b[31mred\x1b[0m",
	"\x1b]0;title\x07text",
	"\x1b[",
	"Metric: CompileTime",
};

/* An example, as it is, or wrapped at a blank. */
static void add_example(struct buf *out, struct arena *a)
{
	const struct signature *s =
		signature_at(shipped, below((uint32_t)signature_catalogue_n(shipped)));
	char *text = example_of(a, s), *blank = strchr(text, ' ');

	for (uint32_t i = below(8); blank && i; i--)
		blank = strchr(blank + 1, ' ');
	if (blank && below(3) == 0)
		*blank = '\n';
	for (char *p = text; *p; p++) {
		if (below(60) == 0)
			buf_adds(out, "\x1b[1m");
		buf_addc(out, *p);
		/* Wrapped or not, each line has its own mark. */
		if (*p == '\n' && below(2))
			buf_addf(out, "[rank%u]: ", below(2));
	}
}

static void add_random_line(struct buf *out, struct arena *a)
{
	static const char *const ends[] = { "\n", "\n", "\n", "\n", "\r", "\r\n" };

	if (below(3) == 0)
		buf_addf(out, below(2) ? "[rank%u]: " : "[%u]: ", below(3));
	if (below(2))
		add_example(out, a);
	else
		buf_adds(out, ordinary[below(ARRAY_LEN(ordinary))]);
	if (below(40) == 0)
		buf_addc(out, '\0');
	buf_adds(out, ends[below(ARRAY_LEN(ends))]);
}

static char *listed(const struct log_findings *f)
{
	struct buf out = BUF_INIT;
	char **rows = xcalloc(f->hits_n + 1, sizeof *rows);

	assert_int_equal(f->hits_more, 0);
	for (size_t i = 0; i < f->hits_n; i++)
		rows[i] = xasprintf("%06d %s rank %d", (int)f->hits[i].line, id_of(&f->hits[i]),
			f->hits[i].rank);
	qsort(rows, f->hits_n, sizeof *rows, by_text);
	for (size_t i = 0; i < f->hits_n; i++) {
		buf_addf(&out, "%s\n", rows[i]);
		free(rows[i]);
	}
	free(rows);
	return buf_detach(&out);
}

static bool same_findings(const struct log_findings *a, const struct log_findings *b)
{
	bool same = a->lines == b->lines && a->bytes == b->bytes && a->hits_n == b->hits_n &&
		a->mark_steps == b->mark_steps && a->last_step == b->last_step &&
		a->last_step_offset == b->last_step_offset && a->memory_n == b->memory_n &&
		a->last_exception_line == b->last_exception_line &&
		strcmp(a->last_exception, b->last_exception) == 0 && a->root_rank == b->root_rank;

	for (size_t i = 0; same && i < a->hits_n; i++) {
		const struct log_hit *x = &a->hits[i], *y = &b->hits[i];

		same = x->signature == y->signature && x->line == y->line &&
			x->offset == y->offset && x->place == y->place &&
			x->rank == y->rank && x->step == y->step &&
			x->batch == y->batch && strcmp(x->text, y->text) == 0 &&
			strcmp(x->group, y->group) == 0;
	}
	for (size_t i = 0; same && i < a->memory_n; i++)
		same = a->memory[i].n == b->memory[i].n &&
			a->memory[i].rises == b->memory[i].rises &&
			a->memory[i].last_line == b->memory[i].last_line;
	for (size_t i = 0; same && i < signature_catalogue_n(shipped); i++)
		same = a->tallies[i].count == b->tallies[i].count &&
			a->tallies[i].rises == b->tallies[i].rises &&
			a->tallies[i].late == b->tallies[i].late;
	return same;
}

/* In pieces of any size, now and then looked at in between. */
static struct log_scan *scan_in_pieces(const char *text, size_t n, uint32_t most)
{
	struct log_scan *s = log_scan_new(shipped, 0);

	for (size_t at = 0; at < n;) {
		size_t piece = 1 + below(most);

		if (piece > n - at)
			piece = n - at;
		log_scan_feed(s, text + at, piece);
		at += piece;
		if (below(50) == 0)
			(void)log_scan_findings(s);
	}
	return s;
}

static void test_as_plain_matching(void **state)
{
	static const uint32_t pieces[] = { 1, 7, 300, 5000 };

	(void)state;
	seed = 20261130;
	for (int round = 0; round < 25; round++) {
		struct arena a = ARENA_INIT;
		struct buf text = BUF_INIT;
		struct log_scan *whole, *cut;
		char *want, *got;

		for (uint32_t i = 10 + below(60); i; i--)
			add_random_line(&text, &a);
		whole = scan_text(text.s, text.n, 0);
		want = ref_hits(text.s, text.n);
		got = listed(log_scan_findings(whole));
		if (strcmp(want, got) != 0)
			fail_msg("round %d\n%s\nwant\n%s\ngot\n%s", round, text.s, want, got);
		cut = scan_in_pieces(text.s, text.n, pieces[round % (int)ARRAY_LEN(pieces)]);
		assert_true(same_findings(log_scan_findings(whole), log_scan_findings(cut)));
		log_scan_free(whole);
		log_scan_free(cut);
		free(want);
		free(got);
		buf_release(&text);
		arena_release(&a);
	}
	(void)ref_matches(0, NULL, 0, NULL);
}

/* ---- memory ---------------------------------------------------------------------------- */

/* A ? stands for a digit. */
static const char *const tells_memory[] = {
	"step 12 | loss 2.3821 | host_rss ?.25 GiB",
	"rss ? MB, anon_rss 3",
	"[rank?]: rss 7 GiB",
	"[1]: host_rss_gib ?.5",
	"across the gross loss ?",
	" 50%|##| 1/2 [00:01]rss: ?",
	"rss ?| 9%|#| 9/99 [x]RSS=4kB",
	"anon_rss=? Killed process 7",
	"Killed rss ?",
	"step ? rss",
	"max_rss ? and rss 0.1",
	"\x1b[1mrss\x1b[0m 1234567890.12345678? KiB",
};

struct ref_memory { struct log_memory of[REF_RANKS]; };

static void ref_memory_add(struct ref_memory *r, const struct ref_part *p)
{
	struct log_memory *m = &r->of[p->rank + 1];
	double value;
	bool has_unit;

	if (memmem(p->s, p->n, "Killed process", 14) || !log_rss(p->s, p->n, 0, &value, &has_unit))
		return;
	if (m->n == 0)
		*m = (struct log_memory){ .first = value, .first_line = p->line,
			.has_unit = has_unit };
	if (has_unit != m->has_unit)
		return;
	m->rises += m->n && value > m->last;
	m->n++;
	m->last = value;
	m->last_line = p->line;
}

static void assert_same_memory(const struct log_findings *f, const char *text, size_t n)
{
	struct reference r = { .a = ARENA_INIT };
	struct ref_memory want = { .of = { { .n = 0 } } };
	size_t ranks = 0;

	buf_init(&r.clean);
	ref_strip(&r, text, n);
	ref_split(&r);
	for (size_t i = 0; i < r.n; i++)
		ref_memory_add(&want, &r.parts[i]);
	for (size_t i = 0; i < f->memory_n; i++) {
		const struct log_memory *got = &f->memory[i], *m = &want.of[got->rank + 1];

		assert_int_equal(got->n, m->n);
		assert_int_equal(got->rises, m->rises);
		assert_int_equal(got->first_line, m->first_line);
		assert_int_equal(got->last_line, m->last_line);
		assert_int_equal(got->has_unit, m->has_unit);
		assert_true(got->first == m->first && got->last == m->last);
	}
	for (size_t i = 0; i < REF_RANKS; i++)
		ranks += want.of[i].n > 0;
	assert_int_equal(f->memory_n, ranks);
	free(r.parts);
	buf_release(&r.clean);
	arena_release(&r.a);
}

/* Every value counts, whatever stands beside it and however the log is cut. */
static void test_memory_as_plain_reading(void **state)
{
	static const char *const ends[] = { "\n", "\n", "\n", "\n", "\r", "\r\n" };

	(void)state;
	seed = 1130;
	for (int round = 0; round < 40; round++) {
		struct arena a = ARENA_INIT;
		struct buf text = BUF_INIT;
		struct log_scan *whole, *cut;

		for (uint32_t i = below(200); i; i--) {
			if (below(8) == 0)
				add_random_line(&text, &a);
			for (const char *p = tells_memory[below(ARRAY_LEN(tells_memory))]; *p; p++)
				buf_addc(&text, *p == '?' ? (char)('0' + below(4)) : *p);
			buf_adds(&text, ends[below(ARRAY_LEN(ends))]);
			if (below(400) == 0)
				buf_pad(&text, 'y', 5000);
		}
		whole = scan_text(text.s, text.n, 0);
		assert_same_memory(log_scan_findings(whole), text.s, text.n);
		cut = scan_in_pieces(text.s, text.n, 1 + below(3000));
		assert_true(same_findings(log_scan_findings(whole), log_scan_findings(cut)));
		log_scan_free(whole);
		log_scan_free(cut);
		buf_release(&text);
		arena_release(&a);
	}
}

/* Far more than the buffer holds: what is found depends on no cut. */
static void test_any_cut(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	struct log_scan *whole;

	(void)state;
	seed = 7;
	while (text.n < (size_t)1 << 20) {
		if (below(4) == 0)
			add_random_line(&text, &a);
		else
			buf_addf(&text, "iter %u: loss %u.1%s", below(1000), below(9),
				below(9) ? "\n" : "\r");
		if (below(1500) == 0) {
			buf_pad(&text, 'y', 90000 + below(90000));
			add_random_line(&text, &a);
		}
	}
	whole = scan_text(text.s, text.n, 0);
	for (uint32_t most = 500; most < 2000000; most *= 8) {
		struct log_scan *cut = scan_in_pieces(text.s, text.n, most);

		assert_true(same_findings(log_scan_findings(whole), log_scan_findings(cut)));
		log_scan_free(cut);
	}
	assert_true(log_scan_findings(whole)->hits_n > 200);
	log_scan_free(whole);
	buf_release(&text);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reading), cmocka_unit_test(test_facts),
		cmocka_unit_test(test_growth), cmocka_unit_test(test_subjects),
		cmocka_unit_test(test_long_line), cmocka_unit_test(test_all_hits),
		cmocka_unit_test(test_follow), cmocka_unit_test(test_file),
		cmocka_unit_test(test_as_plain_matching), cmocka_unit_test(test_any_cut),
		cmocka_unit_test(test_memory_as_plain_reading),
	};
	int rc;

	shipped = shipped_catalogue();
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	signature_catalogue_free(shipped);
	return rc;
}
