/*
 * log_scan_private - what the files of log_scan share; nobody else includes it.
 *
 * Places are counted in the stream without control sequences ("clean" places); every
 * decision depends on them alone, never on how the bytes came in.
 */
#ifndef PORTSIDE_EVIDENCE_LOG_SCAN_PRIVATE_H
#define PORTSIDE_EVIDENCE_LOG_SCAN_PRIVATE_H

#include "base/buf.h"
#include "evidence/log_clean.h"
#include "evidence/log_scan.h"
#include "evidence/log_scan_words.h"

/* ---- findings while they are gathered (log_scan_findings.c) ------------------------- */

struct subject { char *text; int64_t count; };

/* When the value before was printed; -1 where that is not known. */
struct memory_of_value;

struct gathered {
	struct log_findings f;
	struct arena arena;		/* texts */
	struct log_hit *hits;
	size_t hits_cap;
	struct log_tally *tallies;
	struct subject **subjects;	/* one list a signature, NULL: none yet */
	size_t *subjects_n;
	struct memory_of_value *seen;	/* one a signature */
	size_t signatures_n;
	struct log_memory memory[LOG_RANKS_MAX];
	int64_t marks_seen;		/* how often MarkStep stood */
};

void gathered_init(struct gathered *g, size_t signatures_n);
void gathered_release(struct gathered *g);
void gathered_copy(struct gathered *to, const struct gathered *from);

/* One match; texts are borrowed and copied when they are kept. */
struct sighting {
	uint32_t index;
	const struct signature *signature;
	int64_t line;
	uint64_t offset, place;
	int rank;
	int64_t step, batch;
	const char *text;
	size_t text_n;
	const char *groups[SIGNATURE_GROUPS];
	size_t groups_n[SIGNATURE_GROUPS];
};
void gathered_add(struct gathered *g, const struct sighting *s);
void gathered_add_memory(struct gathered *g, int rank, double value, bool has_unit, int64_t line);

/* ---- the stream (log_scan.c) -------------------------------------------------------- */

/* Of a signature that was seen at no place yet. */
#define LOG_NOWHERE UINT64_MAX

/* A segment, or the window of a long one. */
struct log_segment {
	uint64_t start;			/* of the whole segment */
	uint64_t from, to;		/* of the window */
	bool is_first, is_last;		/* windows */
	int rank;
	size_t mark;			/* bytes of it in the first window */
	bool boxed;
	size_t parts_n;
	struct log_part parts[LOG_PARTS_MAX];	/* from FROM + mark on */
};

/* A part with its text in the buffer. */
struct part_text {
	uint64_t at;
	uint64_t segment_start;
	size_t n;
	bool cut_begin, cut_end;
};

enum block_kind { BLOCK_IGNORED, BLOCK_TRACEBACK, BLOCK_NUMPY };

/* Lines of one stream that belong together, followed from their first one on. */
struct block {
	int rank;
	enum block_kind kind;
	bool in_traceback;		/* of BLOCK_NUMPY */
	bool has_frame;			/* without one a line only quotes the words */
	uint64_t began, cursor;		/* CURSOR: the next segment to look at */
	int64_t line;			/* of CURSOR */
	int segments_left;
};

/* What an open block, a window in a far segment and a fence need to know. */
struct stream {
	struct block blocks[LOG_RANKS_MAX];
	size_t blocks_n;
	uint64_t last_ignored;		/* start of the segment that closed the last ignored one */
	bool has_last_ignored;
	bool in_fence;

	/* the segment that the buffer begins in, or with */
	struct log_segment head;
	bool has_head, head_quoted;

	/* the nearest step */
	uint64_t step_looked, step_at;
	int64_t step;
	bool has_step;
	uint64_t next_sample;

	int64_t batch;			/* the last that was printed; -1 */
	uint64_t *last_join, *last_hit;	/* by signature: where; UINT64_MAX: nowhere */
	uint64_t counted;		/* LINE is the number of the line of this byte */
	int64_t line;
	uint64_t line_offset;		/* where that line begins in the raw file */
	size_t next;			/* of the words found */

	/* the segment that was looked at last: no separator stands between the two */
	uint64_t open_from, open_to;
	uint64_t window_from;		/* of its next window; 0: its first */
};

struct cut { uint64_t at, removed; };	/* clean place from which REMOVED bytes are missing */

struct log_scan {
	const struct signature_catalogue *catalogue;
	size_t n;			/* signatures */
	unsigned flags;
	struct signature_matcher *matcher;
	struct log_words *words;
	bool borrows_words;
	uint32_t words_state;
	struct buf held;		/* raw bytes of an unfinished control sequence */
	struct buf text;		/* clean bytes from BASE on */
	uint64_t base, scanned;
	struct cut *cuts;
	size_t cuts_n, cuts_cap;
	uint64_t removed;
	struct log_words_found found;
	struct stream at;
	struct gathered settled, shown;
	struct gathered *into;		/* which of the two */
	bool final;			/* the end of the buffer is the end of the log */
	bool is_shown;
	uint64_t *wanted;		/* bits: signatures and facts of a part */
	size_t wanted_words;
	uint64_t first_rss;		/* of FACT_RSS: where the first such word begins */
	uint32_t memory_state;		/* of the words: FACT_RSS and nothing else */
	struct buf join;
};

/* Facts that are no signatures have tags behind those. */
enum fact {
	FACT_IGNORED, FACT_TRACEBACK, FACT_NUMPY, FACT_RSS, FACT_KILLED, FACT_MARK_STEP, FACT_BATCH,
	FACT_ROOT_CAUSE, FACT_FENCE, FACTS_N,
};

static inline const char *scan_bytes(const struct log_scan *s, uint64_t at)
{
	return s->text.s + (at - s->base);
}

static inline uint64_t scan_end(const struct log_scan *s)
{
	return s->base + s->text.n;
}

/* ---- the buffer (log_scan_buffer.c) --------------------------------------------------- */

/* Adds what of P is text; the bytes that were taken, fewer than N when a control sequence
 * goes on behind them.  LAST: none does. */
size_t buffer_add(struct log_scan *s, const char *p, size_t n, bool last);
/* Forgets what nothing needs any more. */
void buffer_drop(struct log_scan *s);

/* ---- one part (log_scan_part.c) ------------------------------------------------------- */

/* The facts and signatures of a part, of which those are tried whose words stand in it. */
void part_look(struct log_scan *s, const struct log_segment *g, size_t part);

/* ---- segments (log_scan_segment.c) --------------------------------------------------- */

/* Where the segment that holds the byte at AT begins and ends; FROM is a place from which
 * on no separator is missed.  END is the end of the buffer when none was found. */
uint64_t segment_start(const struct log_scan *s, uint64_t at, uint64_t from);
uint64_t segment_end(const struct log_scan *s, uint64_t at, bool *found);
/* The next segment's start, behind the separator at END; a CR LF is one. */
uint64_t segment_after(const struct log_scan *s, uint64_t end);

void segment_read(struct log_scan *s, struct log_segment *g);

/* The part of the stream before and after, for joining; false: none that may be. */
bool part_before(
	struct log_scan *s, const struct log_segment *g, size_t part, struct part_text *out);
bool part_after(
	struct log_scan *s, const struct log_segment *g, size_t part, struct part_text *out);
/* Is the segment that starts there the line below a `File "x.py"` of its stream? */
bool segment_is_quoted(struct log_scan *s, uint64_t start, int rank);

/* ---- facts (log_scan_fact.c) ---------------------------------------------------------- */

/* The number of the line that holds AT, which never falls from call to call. */
int64_t line_at(struct log_scan *s, uint64_t at);
int64_t newlines(const char *p, size_t n);
uint64_t raw_offset(const struct log_scan *s, uint64_t at);
/* Of a line that ended before the one that is counted: AT is in it, SEGMENT is where its
 * segment begins, which stands for the line's beginning when that is far away. */
uint64_t earlier_line_offset(const struct log_scan *s, uint64_t at, uint64_t segment);

/* The memory that a segment tells whose only word is that of memory; END is behind it.
 * False: the word is part of a mark of a rank. */
bool memory_take(struct log_scan *s, uint64_t segment, uint64_t word, const char *end);
void facts_take(struct log_scan *s, const struct log_segment *g, size_t part);
/* Follows all blocks up to the segment that starts at UP_TO. */
void blocks_follow(struct log_scan *s, uint64_t up_to);
bool is_ignored(struct log_scan *s, const struct log_segment *g);
/* The nearest step within LOG_CONTEXT before the end of the window; -1. */
int64_t step_near(struct log_scan *s, const struct log_segment *g);
/* Looks for a step at every MiB that lies before AT. */
void steps_sample(struct log_scan *s, uint64_t at);
void step_look(struct log_scan *s, uint64_t limit, uint64_t to);

#endif
