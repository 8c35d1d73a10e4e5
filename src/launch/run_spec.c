/* The typed form of spec.json: check, write, parse. */
#include "config.h"

#include "launch/run_spec.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
#include "base/redact.h"
#include "launch/environment.h"

/* The plain fields of the file; a number is written as digits. */
static const struct text_field {
	const char *key;
	size_t offset;
} text_fields[] = {
	{ "kind", offsetof(struct run_spec, kind) },
	{ "subject", offsetof(struct run_spec, subject) },
	{ "target", offsetof(struct run_spec, target) },
	{ "target_kind", offsetof(struct run_spec, target_kind) },
	{ "launcher", offsetof(struct run_spec, launcher) },
	{ "launcher_sha256", offsetof(struct run_spec, launcher_sha256) },
	{ "cwd", offsetof(struct run_spec, cwd) },
	{ "revision", offsetof(struct run_spec, revision) },
	{ "dirty_sha256", offsetof(struct run_spec, dirty_sha256) },
	{ "done", offsetof(struct run_spec, done) },
	{ "artifact", offsetof(struct run_spec, artifact) },
	{ "probe", offsetof(struct run_spec, probe) },
};

static const struct text_field number_fields[] = {
	{ "limit_ns", offsetof(struct run_spec, limit_ns) },
	{ "grace_ns", offsetof(struct run_spec, grace_ns) },
	{ "log_cap_bytes", offsetof(struct run_spec, log_cap_bytes) },
	{ "budget_nano_usd", offsetof(struct run_spec, budget_nano_usd) },
	{ "steps", offsetof(struct run_spec, steps) },
	{ "prepared_ns", offsetof(struct run_spec, prepared_ns) },
};

static const char **text_of(struct run_spec *s, const struct text_field *f)
{
	return (const char **)(void *)((char *)s + f->offset);
}

static int64_t *number_of(struct run_spec *s, const struct text_field *f)
{
	return (int64_t *)(void *)((char *)s + f->offset);
}

int64_t run_spec_budget_ns(const struct run_spec *s)
{
	__int128 hour_price, seconds;

	if (s->budget_nano_usd <= 0 || !s->price.known || s->price.nano_usd_hour <= 0)
		return 0;
	hour_price = s->price.nano_usd_hour;
	if (s->price.per_chip)
		hour_price *= s->chips > 0 ? s->chips : 1;
	seconds = (__int128)s->budget_nano_usd * 3600 / hour_price;
	if (seconds > INT64_MAX / NS_PER_S)
		return INT64_MAX / NS_PER_S * NS_PER_S;
	return (int64_t)seconds * NS_PER_S;
}

static int check_budget(const struct run_spec *s)
{
	if (s->budget_nano_usd == 0)
		return 0;
	if (!s->price.known)
		return err_set(ERR_USAGE, "target %s has no price, so its budget cannot be held; "
			"set price, or leave the budget out", s->target);
	if (s->price.nano_usd_hour > 0 && run_spec_budget_ns(s) == 0)
		return err_set(ERR_USAGE, "the budget buys less than one second on target %s; "
			"raise it, or leave it out", s->target);
	return 0;
}

static int check_environment(const char *const *env)
{
	for (; env && *env; env++) {
		const char *equal = strchr(*env, '=');
		char *name;
		bool secret;

		if (!equal || !environment_name_valid(*env, (size_t)(equal - *env)))
			return err_set(ERR_USAGE, "environment: %.40s is not NAME=VALUE", *env);
		name = xstrndup(*env, (size_t)(equal - *env));
		secret = redact_secret_name(name);
		free(name);
		if (secret)
			return err_set(ERR_USAGE,
				"environment: %.*s looks like a secret; name it in pass, "
				"so that its value is not recorded",
				(int)(equal - *env), *env);
	}
	return 0;
}

static int check_names(const struct run_spec *s)
{
	for (const char *const *p = s->pass; p && *p; p++)
		if (!environment_name_valid(*p, strlen(*p)))
			return err_set(ERR_USAGE, "pass: \"%s\" is not the name of a variable", *p);
	for (size_t i = 0; i < ARRAY_LEN(text_fields); i++)
		if (!*(const char *const *)(const void *)((const char *)s + text_fields[i].offset))
			return err_set(ERR_USAGE, "run: %s is not set", text_fields[i].key);
	return 0;
}

int run_spec_check(const struct run_spec *s)
{
	bool has_argv = s->argv && s->argv[0];

	if (check_names(s) < 0)
		return err_code();
	if (has_argv == (s->script != NULL))
		return err_set(ERR_USAGE,
			has_argv ? "a run has one command: argv or a script, not both"
				 : "a run needs a command");
	if (has_argv && !s->argv[0][0])
		return err_set(ERR_USAGE, "the command's name is empty");
	if (s->cwd[0] != '/')
		return err_set(
			ERR_USAGE, "the folder of a run is an absolute path, not \"%s\"", s->cwd);
	if (s->limit_ns < 0 || s->grace_ns < 0 || s->log_cap_bytes < 0 ||
		s->budget_nano_usd < 0 || s->steps < 0)
		return err_set(ERR_USAGE, "a limit of a run is negative; leave it out for none");
	if (s->chips < 1)
		return err_set(ERR_USAGE, "target %s: chips is %d; at least 1 is needed",
			s->target, s->chips);
	if (check_budget(s) < 0)
		return err_code();
	return check_environment(s->env);
}

static void write_list(struct json_writer *w, const char *key, const char *const *list)
{
	json_begin_array(w, key);
	for (; list && *list; list++)
		json_put_str(w, NULL, *list);
	json_end_array(w);
}

void run_spec_write(struct buf *out, const struct run_spec *s)
{
	struct json_writer w = { .out = out, .indent = true };
	struct run_spec copy = *s;

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", RUN_SPEC_SCHEMA);
	json_put_str(&w, "run", s->run_id);
	for (size_t i = 0; i < ARRAY_LEN(text_fields); i++)
		json_put_str(&w, text_fields[i].key, *text_of(&copy, &text_fields[i]));
	if (s->argv)
		write_list(&w, "argv", s->argv);
	else
		json_put_str(&w, "script", s->script);
	for (size_t i = 0; i < ARRAY_LEN(number_fields); i++)
		json_put_i64(&w, number_fields[i].key, *number_of(&copy, &number_fields[i]));
	json_put_i64(&w, "chips", s->chips);
	if (s->price.known) {
		json_put_i64(&w, "price_nano_usd_hour", s->price.nano_usd_hour);
		json_put_bool(&w, "price_per_chip", s->price.per_chip);
	}
	if (s->has_seed)
		json_put_i64(&w, "seed", s->seed);
	write_list(&w, "pass", s->pass);
	json_put_bool(&w, "inherit_env", s->inherit_env);
	json_put_bool(&w, "skip_capture", s->skip_capture);
	json_end_object(&w);
	buf_addc(out, '\n');
}

static const char *const *parse_list(struct arena *a, const struct json *list)
{
	const char **out;
	size_t n = 0;

	if (!list || list->type != JSON_ARRAY || list->count == 0)
		return NULL;
	out = arena_alloc(a, (list->count + 1) * sizeof *out);
	for (const struct json *j = list->first; j; j = j->next)
		out[n++] = j->type == JSON_STRING ? j->text : "";
	return out;
}

static int parse_fields(struct run_spec *out, struct arena *a, const struct json *j)
{
	const struct run_spec fresh = RUN_SPEC_INIT;
	const char *id = json_str(j, "run", "");

	*out = fresh;
	if (!run_id_valid(id))
		return err_set(ERR_PARSE, "spec.json: \"%s\" is not a run id", id);
	memcpy(out->run_id, id, RUN_ID_SIZE);
	for (size_t i = 0; i < ARRAY_LEN(text_fields); i++)
		*text_of(out, &text_fields[i]) = json_str(j, text_fields[i].key, "");
	for (size_t i = 0; i < ARRAY_LEN(number_fields); i++)
		*number_of(out, &number_fields[i]) = json_i64(j, number_fields[i].key, 0);
	out->argv = parse_list(a, json_get(j, "argv"));
	out->script = json_str(j, "script", NULL);
	out->pass = parse_list(a, json_get(j, "pass"));
	out->chips = (int)json_i64(j, "chips", 1);
	out->price.known = json_get(j, "price_nano_usd_hour") != NULL;
	out->price.nano_usd_hour = json_i64(j, "price_nano_usd_hour", 0);
	out->price.per_chip = json_bool(j, "price_per_chip", false);
	out->has_seed = json_get(j, "seed") != NULL;
	out->seed = json_i64(j, "seed", 0);
	out->inherit_env = json_bool(j, "inherit_env", false);
	out->skip_capture = json_bool(j, "skip_capture", false);
	return 0;
}

int run_spec_parse(struct run_spec *out, struct arena *a, const char *s, size_t n)
{
	const struct json *j;
	int64_t schema;

	if (json_parse(&j, a, s, n, JSON_STRICT) < 0)
		return err_prefix("spec.json: ");
	if (j->type != JSON_OBJECT)
		return err_set(ERR_PARSE, "spec.json: not an object");
	schema = json_i64(j, "schema", 0);
	if (schema > RUN_SPEC_SCHEMA)
		return err_set(ERR_NEWER,
			"spec.json: schema %lld was written by a newer portside",
			(long long)schema);
	if (schema < 1)
		return err_set(ERR_PARSE, "spec.json: no schema number");
	return parse_fields(out, a, j);
}
