/*
 * predictions - what a model answered, example by example, and two such files
 * joined by the id of the example.
 *
 * A table (comma or tab separated, with a header) or JSON lines with a column
 * that names the example and either a prediction and a label, or a column that
 * says whether the answer was right:
 *
 *	id,prediction,label			{"guid": "dev-1", "correct": true}
 *	17,1,0
 *
 * Names are matched whatever their case, the first of each list that is there:
 *
 *	example		id example_id sample_id guid uid idx index doc_id qid question_id
 *	prediction	prediction pred predicted predicted_label y_pred output answer
 *	label		label gold target gold_label true_label y_true reference expected
 *	right		correct is_correct hit exact_match acc
 *
 * "right" beats prediction and label.  A file with a column "step" is a curve.
 * A prediction is right when it is the label, as text or as a number: 1 is 1.0.
 *
 * Joining counts each example once.  An example that stands several times in a
 * file counts once when its rows agree (a sampler that pads its last batch
 * writes such rows); when they do not agree it is in no figure but its own.  An
 * example whose label differs between the files is another example, and in no
 * figure either.  McNemar's exact test is over what is left.
 *
 * All of it covers the sampling of the evaluation only: two seeds of one
 * program differ too, and this test cannot see by how much.
 *
 *	struct predictions *reference, *attempt;
 *	struct predictions_pair pair;
 *
 *	if (predictions_read(&reference, "gpu/predictions.csv", NULL) < 0 || ...)
 *		return err_code();
 *	predictions_join(&pair, reference, attempt);
 *	for (i = 0; predictions_statement(&line, &pair, i); i++)
 *		puts(line.s);
 */
#ifndef PORTSIDE_CURVE_PREDICTIONS_H
#define PORTSIDE_CURVE_PREDICTIONS_H

#include "base/buf.h"
#include "curve/reader.h"
#include "curve/statistics.h"

/* A row of curve_formats: gives no series, but its health says what was there. */
extern const struct curve_format predictions_format;

struct predictions;

/*
 * The whole file.  ERR_NOT_FOUND, ERR_IO; ERR_PARSE when it holds no predictions,
 * or none whose label is known; ERR_CANCELLED.  *OUT is yours: predictions_free().
 */
int predictions_read(struct predictions **out, const char *path,
	const atomic_bool *cancel) ATTR_MUST_USE;
/* The same from memory, for tests; NAME stands in the sentences. */
int predictions_read_memory(
	struct predictions **out, const char *name, const char *p, size_t n) ATTR_MUST_USE;
void predictions_free(struct predictions *p);

/* Examples by their ids, and how many of them are right. */
struct predictions_counts {
	int64_t rows;		/* of the file that could be read */
	int64_t examples;	/* distinct ids */
	int64_t correct;	/* of those that agree with themselves */
	int64_t repeated;	/* ids that stand several times, their rows agreeing */
	int64_t contradicting;	/* ids that stand several times with different answers */
	int64_t unreadable;	/* rows without an id, an answer or a label */
};
struct predictions_counts predictions_count(const struct predictions *p);

struct predictions_pair {
	struct predictions_counts reference, attempt;
	int64_t only_reference, only_attempt;	/* examples of one side alone */
	int64_t contradicting;			/* left out: a side contradicts itself */
	int64_t other_label;			/* left out: the labels differ */
	int64_t n;				/* examples that are paired */
	int64_t both, neither;			/* right on both sides, wrong on both */
	int64_t b, c; /* right in the reference only, in the attempt only */
	struct mcnemar mcnemar;			/* of b, c, n; NaN when nothing is paired */
};

void predictions_join(struct predictions_pair *out, const struct predictions *reference,
	const struct predictions *attempt);

/*
 * The I-th sentence about a pair, replacing OUT; false beyond the last.  What was
 * paired, b and c, the exact p, the interval of the gap, what was left out, and
 * what the test covers and what not.
 */
bool predictions_statement(struct buf *out, const struct predictions_pair *pair, size_t i);

#endif
