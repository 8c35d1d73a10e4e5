/*
 * simulator - healthy and sick runs with the noise of real ones, from a seed.
 *
 * Step times: jitter that differs from run to run, pauses of a garbage collector, a first
 * compilation and a late one, saves and evaluations at fixed distances.  Memory: caches
 * that fill, a sawtooth, one step up.  Chips: samples while the host is at work.  Curves:
 * AR(1) noise around a falling loss, and an offset by seed.  Counters: a compilation for
 * an evaluation and for the last batch, tensors that come and go.
 *
 *	struct random r = { 7 };
 *
 *	simulate_steps(&r, steps, 200, &(struct step_illness){ .spikes = 0.05, .factor = 20 });
 */
#ifndef PORTSIDE_TESTS_EVIDENCE_SIMULATOR_H
#define PORTSIDE_TESTS_EVIDENCE_SIMULATOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/series.h"

struct random {
	uint64_t state;
};

double random_uniform(struct random *r, double low, double high);
double random_normal(struct random *r);
int random_chance(struct random *r, double p);

struct step_illness {
	double spikes, factor;		/* share of steps, and how many times as long */
	double slow;			/* every step so many times as long; 0: once */
};
/* Seconds of N steps; SICK NULL: a healthy run. */
void simulate_steps(struct random *r, double *step_s, size_t n, const struct step_illness *sick);

/* Bytes of N samples; LEAK: share of the memory that is lost over all of them. */
void simulate_memory(struct random *r, double *bytes, size_t n, double leak);

/* Duty cycles in percent; IDLE: nobody uses the chip. */
void simulate_duty(struct random *r, double *percent, size_t n, int idle);

struct curve_illness {
	double first;			/* the first loss is this share off */
	double late;			/* from the middle on it is this share above */
};
/* A loss of N points at steps 1, 50, 100...; NOISE: sd of the AR(1) noise and of the
 * offset by seed, as shares.  The first point is the same for all but for the format. */
void simulate_loss(struct random *r, struct series *s, size_t n, double noise,
	const struct curve_illness *sick);

struct counter_illness {
	double shapes;			/* share of steps that compile */
	double graph;			/* growth of the graph from report to report */
	int leaks;			/* tensors that each step keeps */
	double reads;			/* host reads a step */
};
/* Metrics reports every 20 of STEPS steps, as XLA_METRICS_FILE has them. */
void simulate_reports(
	struct random *r, struct buf *out, int steps, const struct counter_illness *sick);

#endif
