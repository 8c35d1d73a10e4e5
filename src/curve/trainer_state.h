/*
 * trainer_state - trainer_state.json of the Hugging Face Trainer.
 *
 * A document that is written as a whole at each checkpoint: only the
 * log_history of the top-level object is looked into, row by row, in a window
 * of bounded size.  NaN and Infinity stand bare in it.  A document that is cut
 * short keeps its whole rows and names the offset where it ends.
 */
#ifndef PORTSIDE_CURVE_TRAINER_STATE_H
#define PORTSIDE_CURVE_TRAINER_STATE_H

#include "curve/reader.h"

extern const struct curve_format trainer_state_format;

/* Facts beside the curve; NaN or -1 when the document does not say. */
struct trainer_facts {
	int64_t global_step;
	double steps_per_epoch;		/* max_steps / num_train_epochs */
};

/* Of a file that was read completely. */
struct trainer_facts trainer_state_facts(const struct curve_file *f);

#endif
