/* probe_facts - see probe_facts.h. */
#include "config.h"

#include "evidence/probe_facts.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "evidence/package_version.h"

static void add(struct evidence_facts *out, const struct probe_line *l,
	enum evidence_fact_name name, struct span key, const char *text)
{
	struct evidence_place at = { l->number, -1 };

	if (*text)
		(void)evidence_add(out, at, name, key, span_of(text));
}

static const struct probe_line *next_of_file(
	const struct probe_record *r, const struct probe_line *l, const char *kind, size_t file)
{
	while ((l = probe_record_next(r, l, kind)))
		if (l->file == file)
			return l;
	return NULL;
}

/* ---- devices ---- */

static void add_model(struct evidence_facts *out, const struct probe_line *forward)
{
	const struct json *devices = json_get(forward->json, "devices");
	const struct json *tensors = json_get(json_get(forward->json, "batch"), "tensors");

	/* On several devices: whether that is meant is not for a table to say. */
	if (devices && devices->type == JSON_OBJECT && devices->count == 1)
		add(out, forward, FACT_DEVICE_PARAMETERS, SPAN_NONE, devices->first->key);
	if (tensors && tensors->type == JSON_OBJECT && tensors->first)
		add(out, forward, FACT_DEVICE_BATCH, SPAN_NONE,
			json_str(tensors->first, "device", ""));
}

static void add_world(struct evidence_facts *out, const struct probe_line *world)
{
	const struct json *real = json_get(world->json, "real_devices");
	const struct json *first = real && real->type == JSON_ARRAY ? real->first : NULL;

	if (first && first->type == JSON_STRING)
		add(out, world, FACT_DEVICE_REAL, span_of(json_str(world->json, "device", "")),
			first->text);
}

/* ---- packages ---- */

static void add_packages(struct evidence_facts *out, const struct probe_line *l)
{
	const struct json *list = json_get(l->json, "packages");
	int64_t n = 0;

	if (!list || list->type != JSON_OBJECT)
		return;
	for (const struct json *p = list->first; p; p = p->next) {
		struct buf name = BUF_INIT;

		if (p->type != JSON_STRING || !package_name_valid(span_of(p->key)))
			continue;
		package_name_add(&name, span_of(p->key));
		add(out, l, FACT_PACKAGE_VERSION, (struct span){ name.s, name.n }, p->text);
		buf_release(&name);
		n++;
	}
	evidence_add_total(out, l->number, FACT_PACKAGES, SPAN_NONE, n);
}

void probe_facts_read(struct evidence_facts *out, const struct probe_record *r, size_t file)
{
	const struct probe_line *l = next_of_file(r, NULL, "forward", file);

	out->parser = "probe";
	out->version = PROBE_FORMAT;
	if (l)
		add_model(out, l);
	l = next_of_file(r, NULL, "world", file);
	if (l)
		add_world(out, l);
	l = next_of_file(r, NULL, "packages", file);
	if (l)
		add_packages(out, l);
}

/* ---- the rest ---- */

size_t probe_facts_pids(int64_t *pids, size_t max, const struct probe_record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		int64_t pid = json_i64(r->lines[i].json, "pid", 0);
		bool known = pid <= 0;

		for (size_t k = 0; k < n && k < max && !known; k++)
			known = pids[k] == pid;
		if (known)
			continue;
		if (n < max)
			pids[n] = pid;
		n++;
	}
	return n < max ? n : max;
}

static bool time_of(int64_t *ns, const struct probe_line *l)
{
	double s = l ? json_double(l->json, "time", NAN) : NAN;

	if (!(s > 0) || s > (double)(INT64_MAX / NS_PER_S))
		return false;
	*ns = (int64_t)(s * (double)NS_PER_S);
	return true;
}

bool probe_facts_steps_time(int64_t *from_ns, int64_t *until_ns, const struct probe_record *r)
{
	const struct probe_line *end = probe_record_last(r, "optimizer_end", 0);

	if (!end)
		end = probe_record_last(r, "step", 0);
	return time_of(from_ns, probe_record_next(r, NULL, "step")) && time_of(until_ns, end) &&
		*from_ns <= *until_ns;
}

double probe_facts_setting(const struct probe_record *r, const char *name)
{
	const struct probe_line *trainer = probe_record_next(r, NULL, "trainer");

	return trainer ? json_double(json_get(trainer->json, "arguments"), name, NAN) : NAN;
}
