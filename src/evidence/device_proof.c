/* device_proof - looks at the device put together; see device_proof.h. */
#include "config.h"

#include "evidence/device_proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evidence/run_signal.h"
#include "evidence/tpu_info.h"

const char *const device_look_words[DEVICE_LOOKS] = {
	[LOOK_LOG] = "log",
	[LOOK_HOLDER] = "holder",
	[LOOK_DUTY] = "duty cycle",
	[LOOK_COUNTERS] = "counters",
	[LOOK_DEVICE] = "device",
};

struct work {
	struct device_proof *out;
	struct arena *arena;
	const struct evidence_facts *const *sets;
	size_t n;
	const struct device_claim *claim;
};

static void use(struct device_answer *a, const struct evidence_fact *f)
{
	if (f && a->facts_n < PROOF_FACTS_MAX)
		a->facts[a->facts_n++] = f;
}

/* A walk over the facts of one name in all sets. */
struct walk {
	size_t set;
	const struct evidence_fact *fact;
};

static const struct evidence_fact *next(
	const struct work *w, struct walk *at, enum evidence_fact_name name)
{
	for (; at->set < w->n; at->set++) {
		at->fact = evidence_facts_next(w->sets[at->set], at->fact, name, NULL);
		if (at->fact)
			return at->fact;
	}
	return NULL;
}


/* ---- A: the log ---- */

static void look_at_log(struct work *w)
{
	struct device_answer *a = &w->out->looks[LOOK_LOG];
	const struct evidence_fact *f;
	bool on_tpu = false, elsewhere = false, looked = false;

	for (size_t i = 0; i < w->n; i++)
		looked = looked ||
			(w->sets[i]->parser && strcmp(w->sets[i]->parser, "xla-log") == 0);
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_DEVICE_FALLBACK));) {
		elsewhere = true;
		use(a, f);
	}
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_DEVICE_DEFAULT));) {
		bool is_tpu = strcmp(f->text, "TPU") == 0;

		on_tpu = on_tpu || is_tpu;
		elsewhere = elsewhere || !is_tpu;
		use(a, f);
	}
	a->result = elsewhere ? CHECK_REFUTED
		: on_tpu      ? CHECK_CONFIRMED
		: looked      ? CHECK_UNKNOWN
			      : CHECK_NOT_CHECKED;
	a->text = elsewhere ? "the log says that the run went on without a TPU"
		: on_tpu    ? "PJRT chose the TPU"
			    : "the log does not say which device was chosen";
}

/* ---- B and C: chips ---- */

static int by_number(const void *a, const void *b)
{
	return ((const struct device_chip *)a)->number - ((const struct device_chip *)b)->number;
}

/* NULL: no chip, or too many. */
static struct device_chip *chip_of(struct work *w, const char *key)
{
	int number = tpu_chip_number(key);

	for (size_t i = 0; i < w->out->chips_n; i++)
		if (w->out->chips[i].number == number)
			return &w->out->chips[i];
	if (number < 0 || w->out->chips_n == PROOF_CHIPS_MAX)
		return NULL;
	w->out->chips[w->out->chips_n] = (struct device_chip){ .number = number };
	return &w->out->chips[w->out->chips_n++];
}

static bool is_own(const struct device_claim *claim, int64_t pid)
{
	for (size_t i = 0; i < claim->pids_n; i++)
		if (claim->pids[i] == pid)
			return true;
	return false;
}

static void count_looks(struct work *w)
{
	const struct evidence_fact *f;
	struct device_chip *c;

	for (struct walk at = { 0 }; (f = next(w, &at, FACT_TPU_HOLDER));) {
		c = chip_of(w, f->key);
		if (!c)
			continue;
		use(&w->out->looks[LOOK_HOLDER], f);
		if (!f->is_integer)
			c->nobody++;
		else if (is_own(w->claim, f->integer))
			c->holders++;
		else
			c->strangers++;
	}
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_TPU_DUTY));) {
		c = f->is_number ? chip_of(w, f->key) : NULL;
		if (!c)
			continue;
		use(&w->out->looks[LOOK_DUTY], f);
		c->samples++;
		c->busy += f->number > 0;
	}
	qsort(w->out->chips, w->out->chips_n, sizeof *w->out->chips, by_number);
}

static enum check_result holder_of(const struct device_chip *c, const struct device_claim *claim)
{
	if (c->holders)
		return CHECK_CONFIRMED;
	if (!c->nobody && !c->strangers)
		return CHECK_NOT_CHECKED;
	return c->nobody && !c->strangers && claim->during_steps ? CHECK_REFUTED : CHECK_UNKNOWN;
}

static enum check_result duty_of(const struct device_chip *c, const struct device_claim *claim)
{
	if (!c->samples)
		return CHECK_NOT_CHECKED;
	if (c->busy >= PROOF_SAMPLES_MIN)
		return CHECK_CONFIRMED;
	return !c->busy && c->samples >= PROOF_SAMPLES_MIN && claim->during_steps ? CHECK_REFUTED
										  : CHECK_UNKNOWN;
}

static void judge_chip(struct device_chip *c, const struct device_claim *claim)
{
	c->holder = holder_of(c, claim);
	c->duty = duty_of(c, claim);
	if (c->holder == CHECK_REFUTED || c->duty == CHECK_REFUTED)
		c->result = CHECK_REFUTED;
	else if (c->holder == CHECK_CONFIRMED && c->duty == CHECK_CONFIRMED)
		c->result = CHECK_CONFIRMED;
	else if (c->holder == CHECK_NOT_CHECKED && c->duty == CHECK_NOT_CHECKED)
		c->result = CHECK_NOT_CHECKED;
	else
		c->result = CHECK_UNKNOWN;
}

/* Of so many chips that answer so, as many as are claimed must be left. */
static enum check_result over_chips(
	int confirmed, int refuted, int checked, int chips_n, int claimed)
{
	if (confirmed >= claimed)
		return CHECK_CONFIRMED;
	if (!checked)
		return CHECK_NOT_CHECKED;
	return refuted && chips_n - refuted < claimed ? CHECK_REFUTED : CHECK_UNKNOWN;
}

typedef enum check_result chip_fn(const struct device_chip *c);

static enum check_result chip_holder(const struct device_chip *c)
{
	return c->holder;
}

static enum check_result chip_duty(const struct device_chip *c)
{
	return c->duty;
}

static enum check_result chip_result(const struct device_chip *c)
{
	return c->result;
}

static enum check_result count_chips(
	const struct device_proof *p, chip_fn *answer, int claimed, int *confirmed)
{
	int refuted = 0, checked = 0;

	*confirmed = 0;
	for (size_t i = 0; i < p->chips_n; i++) {
		enum check_result r = answer(&p->chips[i]);

		*confirmed += r == CHECK_CONFIRMED;
		refuted += r == CHECK_REFUTED;
		checked += r != CHECK_NOT_CHECKED;
	}
	return over_chips(*confirmed, refuted, checked, (int)p->chips_n, claimed);
}

static void look_at_chips(struct work *w)
{
	struct device_proof *p = w->out;
	struct device_answer *holder = &p->looks[LOOK_HOLDER], *duty = &p->looks[LOOK_DUTY];
	const struct evidence_fact *f;
	int held, busy;

	count_looks(w);
	for (size_t i = 0; i < p->chips_n; i++)
		judge_chip(&p->chips[i], w->claim);
	holder->result =
		count_chips(p, chip_holder, w->claim->chips, &held);
	duty->result = count_chips(p, chip_duty, w->claim->chips, &busy);
	holder->text = arena_printf(
		w->arena, "the run held %d of %d claimed chips", held, w->claim->chips);
	duty->text = arena_printf(w->arena, "%d of %d claimed chips were busy in several samples",
		busy, w->claim->chips);
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_TPU_CHIPS));) {
		/* A host without chips holds none. */
		holder->result = CHECK_REFUTED;
		holder->text = "the host has no TPU";
		use(holder, f);
	}
}

/* ---- D, E, F ---- */

static void look_at_counters(struct work *w)
{
	static const struct run_signal_options none = { 0 };
	struct device_answer *a = &w->out->looks[LOOK_COUNTERS];
	struct run_signal signals[RUN_SIGNALS];
	const struct run_signal *s = &signals[SIGNAL_EXECUTION];
	const struct evidence_fact *f, *lowered = NULL;

	run_signals(signals, w->arena, w->sets, w->n, &none);
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_XLA_COUNTER));)
		if (text_starts(f->key, "xla::") && f->number > 0)
			lowered = f;
	a->result = s->result == CHECK_CONFIRMED && lowered ? CHECK_CONFIRMED
		: s->result == CHECK_NOT_CHECKED            ? CHECK_NOT_CHECKED
							    : CHECK_UNKNOWN;
	a->text = s->text;
	for (size_t i = 0; i < s->facts_n; i++)
		use(a, s->facts[i]);
	use(a, lowered);
}

static bool is_accelerator(const char *device)
{
	return strncmp(device, "xla", 3) == 0 || strncmp(device, "tpu", 3) == 0;
}

static void look_at_device(struct work *w)
{
	struct device_answer *a = &w->out->looks[LOOK_DEVICE];
	const struct evidence_fact *f;
	bool real = false, other = false, parameters = false, batch = false;

	for (struct walk at = { 0 }; (f = next(w, &at, FACT_DEVICE_REAL));) {
		real = real || text_starts(f->text, "TPU:");
		other = other || !text_starts(f->text, "TPU:");
		use(a, f);
	}
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_DEVICE_PARAMETERS));) {
		/* TorchTPU's own device type is the real one. */
		real = real || text_starts(f->text, "tpu");
		parameters = parameters || is_accelerator(f->text);
		other = other || !is_accelerator(f->text);
		use(a, f);
	}
	for (struct walk at = { 0 }; (f = next(w, &at, FACT_DEVICE_BATCH));) {
		batch = batch || is_accelerator(f->text);
		other = other || !is_accelerator(f->text);
		use(a, f);
	}
	a->result = !a->facts_n                               ? CHECK_NOT_CHECKED
		: other                                       ? CHECK_REFUTED
		: real && parameters && batch                 ? CHECK_CONFIRMED
							      : CHECK_UNKNOWN;
	a->text = other ? "parameters, a batch or the real device are elsewhere"
		: a->result == CHECK_CONFIRMED ? "parameters and a batch are on a TPU"
					       : "not all of device, parameters and batch is known";
}

/* ---- together ---- */

static bool is_proven(const struct device_proof *p, const struct device_claim *claim)
{
	if (p->chips_proven >= claim->chips)
		return true;
	return claim->chips == 1 && p->looks[LOOK_COUNTERS].result == CHECK_CONFIRMED &&
		p->looks[LOOK_DEVICE].result == CHECK_CONFIRMED;
}

static bool is_refuted(const struct device_proof *p)
{
	return p->looks[LOOK_LOG].result == CHECK_REFUTED ||
		p->looks[LOOK_HOLDER].result == CHECK_REFUTED ||
		p->looks[LOOK_DUTY].result == CHECK_REFUTED ||
		p->looks[LOOK_DEVICE].result == CHECK_REFUTED;
}

static void conclude(struct work *w)
{
	struct device_proof *p = w->out;
	bool proven = is_proven(p, w->claim), refuted = is_refuted(p), looked = false;

	for (int i = 0; i < DEVICE_LOOKS; i++)
		looked = looked || p->looks[i].result != CHECK_NOT_CHECKED;
	if (proven && refuted) {
		p->result = CHECK_UNKNOWN;
		p->text = "the evidence contradicts itself";
	} else if (proven) {
		p->result = CHECK_CONFIRMED;
		p->text = "proven";
	} else if (refuted) {
		p->result = CHECK_REFUTED;
		p->text = "refuted";
	} else {
		p->result = looked ? CHECK_UNKNOWN : CHECK_NOT_CHECKED;
		p->text = looked ? "not proven" : "nobody looked";
	}
}

void device_proof_make(struct device_proof *out, struct arena *a,
	const struct evidence_facts *const *sets, size_t n, const struct device_claim *claim)
{
	struct work w = { out, a, sets, n, claim };

	memset(out, 0, sizeof *out);
	look_at_log(&w);
	look_at_chips(&w);
	look_at_counters(&w);
	look_at_device(&w);
	(void)count_chips(out, chip_result, claim->chips, &out->chips_proven);
	conclude(&w);
}
