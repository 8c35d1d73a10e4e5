/* simulator - see simulator.h. */
#include "config.h"

#include "tests/evidence/simulator.h"

#include <math.h>

/* ---- chance: splitmix64, so that every machine draws the same ---- */

static uint64_t next(struct random *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double random_uniform(struct random *r, double low, double high)
{
	return low + (high - low) * ((double)(next(r) >> 11) * 0x1p-53);
}

double random_normal(struct random *r)
{
	double u = random_uniform(r, 1e-12, 1), v = random_uniform(r, 0, 1);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

int random_chance(struct random *r, double p)
{
	return random_uniform(r, 0, 1) < p;
}

/* ---- steps ---- */

void simulate_steps(struct random *r, double *step_s, size_t n, const struct step_illness *sick)
{
	double base = random_uniform(r, 0.05, 1), jitter = random_uniform(r, 0.02, 0.2);
	double pauses = random_uniform(r, 0, 0.015), compile_s = random_uniform(r, 5, 60);
	size_t late = (size_t)random_uniform(r, 3, 9);
	size_t save = random_chance(r, 0.5) ? (size_t)random_uniform(r, 20, 60) : 0;
	double save_s = base * random_uniform(r, 4, 15);

	if (sick && sick->slow > 0)
		base *= sick->slow;
	for (size_t i = 0; i < n; i++) {
		double t = base * exp(jitter * random_normal(r));

		if (i < 2 || i == late)
			t += compile_s;
		if (random_chance(r, pauses))
			t *= random_uniform(r, 1.2, 2.5);
		if (save && i % save == save - 1)
			t += save_s;
		if (sick && random_chance(r, sick->spikes))
			t *= sick->factor * random_uniform(r, 0.8, 1.2);
		step_s[i] = t;
	}
}

/* ---- memory, chips ---- */

void simulate_memory(struct random *r, double *bytes, size_t n, double leak)
{
	double base = random_uniform(r, 1, 60) * 1073741824.0, noise = 0, saw = 0;
	double caches = random_uniform(r, 0, 0.4), fill = random_uniform(r, 0.02, 0.1) * (double)n;
	double step = random_uniform(r, 0, 0.05), tooth = random_uniform(r, 0.001, 0.01);
	size_t step_at = (size_t)random_uniform(r, 0, (double)n);
	size_t period = (size_t)random_uniform(r, 5, 20);

	for (size_t i = 0; i < n; i++) {
		double t = (double)i;

		noise = 0.8 * noise + 0.006 * random_normal(r);
		saw = i % period ? saw + tooth : 0;
		bytes[i] = base * (1 + caches * (1 - exp(-t / fill)) + noise + saw +
					  (i >= step_at ? step : 0) + leak * t / (double)n);
	}
}

void simulate_duty(struct random *r, double *percent, size_t n, int idle)
{
	double level = random_uniform(r, 8, 95);

	for (size_t i = 0; i < n; i++) {
		double v = level * exp(0.3 * random_normal(r));

		if (random_chance(r, 0.2))
			v = 0;		/* it compiled, or waited for its host */
		percent[i] = idle ? (random_chance(r, 0.1) ? 1 : 0) : fmin(100, v);
	}
}

/* ---- curves ---- */

void simulate_loss(struct random *r, struct series *s, size_t n, double noise,
	const struct curve_illness *sick)
{
	double ar = noise * random_normal(r), offset = noise * random_normal(r);

	for (size_t i = 0; i < n; i++) {
		double level = 2 * exp(-(double)i / 15) + 0.5, off = 1;

		ar = 0.9 * ar + sqrt(1 - 0.81) * noise * random_normal(r);
		if (i == 0)
			off += 0.002 * random_normal(r) + (sick ? sick->first : 0);
		else
			off += ar + offset + (sick && i >= n / 2 ? sick->late : 0);
		series_append(s, i ? (int64_t)i * 50 : 1, NAN, level * off);
	}
}

/* ---- counters ---- */

static void add_report(struct buf *out, int step, int compiles, int graph, int created,
	int destroyed, int reads)
{
	buf_addf(out, "[MetricsData; step=%d]\nMetric: CompileTime\n  TotalSamples: %d\n"
		"  Accumulator: 30s000ms000.000us\n  Percentiles: 50%%=10s000ms000.000us\n",
		step, compiles);
	buf_addf(out, "Metric: ExecuteTime\n  TotalSamples: %d\n  Accumulator: 30s000ms000.000us\n"
		"  Percentiles: 50%%=100ms000.000us\n", step);
	buf_addf(out, "Metric: TensorsGraphSize\n  TotalSamples: %d\n  Accumulator: %d.00\n"
		"  Percentiles: 50%%=%d.00\n", step, graph * step, graph);
	buf_addf(out, "Counter: CreateXlaTensor\n  Value: %d\nCounter: DestroyXlaTensor\n  Value: %d\n",
		created, destroyed);
	buf_addf(out, "Counter: MarkStep\n  Value: %d\nCounter: UncachedCompile\n  Value: %d\n", step,
		compiles);
	if (reads)
		buf_addf(out, "Counter: aten::_local_scalar_dense\n  Value: %d\n", reads);
	buf_addf(out, "Counter: xla::add\n  Value: %d\n\n", 40 * step);
}

void simulate_reports(
	struct random *r, struct buf *out, int steps, const struct counter_illness *sick)
{
	int first = (int)random_uniform(r, 2, 6), compiles = 0, created = 0, reads = 0, kept = 0;
	int evaluation = (int)random_uniform(r, 10, steps), odd = (int)random_uniform(r, 10, steps);
	int live = (int)random_uniform(r, 200, 2000), logging = (int)random_uniform(r, 10, 50);
	double graph = random_uniform(r, 500, 20000);

	for (int i = 1; i <= steps; i++) {
		compiles += i <= first || i == evaluation || i == odd;
		compiles += sick && random_chance(r, sick->shapes);
		created += live;
		kept += sick ? sick->leaks : 0;
		reads += i % logging == 0;
		reads += sick && random_chance(r, sick->reads);
		if (i % 20)
			continue;
		/* What lives at a report goes up and down with the batch at hand. */
		add_report(out, i, compiles, (int)graph, created,
			created - live - kept - (int)random_uniform(r, 0, 0.02 * live), reads);
		if (sick && sick->graph > 0)
			graph *= 1 + sick->graph;
	}
}
