/* launcher_file - one table of keys; what it fills is looked at as a whole at the end. */
#include "config.h"

#include "launch/launcher_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "launch/launcher_values.h"
#include "launch/template.h"

enum { LIMIT_DEFAULT_S = 30 };

static const struct {
	const char *word;
	bool named;		/* [poll "1"] */
} steps[STEP_COUNT] = {
	[STEP_STAGE] = { "stage", true }, [STEP_SUBMIT] = { "submit", false },
	[STEP_FIND] = { "find", false }, [STEP_POLL] = { "poll", true },
	[STEP_LOG] = { "log", false }, [STEP_FETCH] = { "fetch", true },
	[STEP_CANCEL] = { "cancel", false }, [STEP_ACQUIRE] = { "acquire", true },
	[STEP_READY] = { "ready", false }, [STEP_RELEASE] = { "release", true },
	[STEP_GONE] = { "gone", false },
};

/* What a provider's word may mean. */
static const struct {
	const char *word;
	enum run_phase phase;
} phases[] = {
	{ "queued", PHASE_QUEUED }, { "running", PHASE_RUNNING }, { "exited-0", PHASE_EXITED_0 },
	{ "failed", PHASE_FAILED }, { "cancelled", PHASE_CANCELLED },
	{ "timeout", PHASE_TIMEOUT }, { "preempted", PHASE_PREEMPTED },
	{ "node-fail", PHASE_NODE_FAIL }, { "launch-failed", PHASE_LAUNCH_FAILED },
	{ "lost", PHASE_LOST },
};

const char *launcher_step_word(enum launcher_step s)
{
	return steps[s].word;
}

/* ---- values ------------------------------------------------------------------ */

static int put_text(struct launcher_file *f, const char **out, const char *value)
{
	if (*out)
		return err_set(ERR_PARSE, "it is given twice");
	*out = arena_strdup(&f->arena, value);
	return 0;
}

static int put_pattern(
	struct launcher_file *f, struct launcher_pattern *out, const char *value, bool whole)
{
	if (out->text)
		return err_set(ERR_PARSE, "it is given twice");
	return launcher_pattern_compile(out, arena_strdup(&f->arena, value), whole);
}

static int add_pattern(struct launcher_file *f, struct launcher_patterns *rows, const char *value)
{
	struct launcher_pattern p;

	if (launcher_pattern_compile(&p, arena_strdup(&f->arena, value), false) < 0)
		return err_code();
	ARRAY_GROW(rows->rows, rows->n, rows->cap);
	rows->rows[rows->n++] = p;
	return 0;
}

static int put_bool(bool *out, const char *value)
{
	if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
		return err_set(ERR_PARSE, "\"%s\" is neither true nor false", value);
	*out = *value == 't';
	return 0;
}

/* "A B": the last blank parts them, so that a pattern may hold some. */
static int split_last(struct launcher_file *f, const char *value, char **head, const char **tail)
{
	const char *blank = strrchr(value, ' ');

	if (!blank || blank == value || !blank[1])
		return err_set(ERR_PARSE, "two words are needed in \"%s\"", value);
	*head = arena_strndup(&f->arena, value, (size_t)(blank - value));
	*tail = blank + 1;
	return 0;
}

/* ---- the keys ----------------------------------------------------------------- */

enum section_kind { IN_LAUNCHER, IN_FIELD, IN_STEP, IN_STATE };

/* Where the entry's value goes: the file, and of the section the field or the operation. */
struct place {
	struct launcher_file *file;
	struct launcher_field *field;
	struct launcher_operation *operation;
	int line;
};

static void add_name(struct launcher_file *f, const char ***rows, size_t *n, const char *value)
{
	*rows = xreallocarray(*rows, *n + 1, sizeof **rows);
	(*rows)[(*n)++] = arena_strdup(&f->arena, value);
}

static int set_name(struct place *p, const char *v)
{
	return put_text(p->file, &p->file->name, v);
}

static int set_runs(struct place *p, const char *v)
{
	if (strcmp(v, "here") != 0 && strcmp(v, "host") != 0)
		return err_set(ERR_PARSE, "\"%s\" is neither here nor host", v);
	p->file->remote = strcmp(v, "host") == 0;
	return 0;
}

static int add_program(struct place *p, const char *v)
{
	add_name(p->file, &p->file->programs, &p->file->n_programs, v);
	return 0;
}

static int add_unset(struct place *p, const char *v)
{
	add_name(p->file, &p->file->unset, &p->file->n_unset, v);
	return 0;
}

static int add_set(struct place *p, const char *v)
{
	if (!strchr(v, '=') || *v == '=')
		return err_set(ERR_PARSE, "\"%s\" is not NAME=VALUE", v);
	add_name(p->file, &p->file->set, &p->file->n_set, v);
	return 0;
}

static int set_field_pattern(struct place *p, const char *v)
{
	return put_pattern(p->file, &p->field->pattern, v, true);
}

static int set_default(struct place *p, const char *v)
{
	return put_text(p->file, &p->field->otherwise, v);
}

static int set_required(struct place *p, const char *v)
{
	return put_bool(&p->field->required, v);
}

static int set_secret(struct place *p, const char *v)
{
	return put_bool(&p->field->secret, v);
}

static int add_argument(struct place *p, const char *v, bool optional)
{
	struct launcher_operation *o = p->operation;

	ARRAY_GROW(o->arguments, o->n_arguments, o->cap_arguments);
	o->arguments[o->n_arguments++] = (struct launcher_argument){
		.text = arena_strdup(&p->file->arena, v), .optional = optional, .line = p->line,
	};
	return 0;
}

static int add_arg(struct place *p, const char *v)
{
	return add_argument(p, v, false);
}

static int add_optional(struct place *p, const char *v)
{
	return add_argument(p, v, true);
}

static int set_input(struct place *p, const char *v)
{
	return put_text(p->file, &p->operation->input, v);
}

static int set_limit(struct place *p, const char *v)
{
	return units_duration_ns(&p->operation->limit_ns, v);
}

static int set_ok(struct place *p, const char *v)
{
	struct arena a = ARENA_INIT;
	size_t n;
	char **words = text_words(&a, v, &n);
	int64_t code;
	int rc = n ? 0 : err_set(ERR_PARSE, "no exit status is given");

	memset(p->operation->ok, 0, sizeof p->operation->ok);
	for (size_t i = 0; i < n && rc == 0; i++) {
		if (!text_to_i64(words[i], strlen(words[i]), &code) || code < 0 || code > 255)
			rc = err_set(ERR_PARSE, "\"%s\" is no exit status: 0 to 255", words[i]);
		else
			p->operation->ok[code / 8] |= (uint8_t)(1 << code % 8);
	}
	arena_release(&a);
	return rc;
}

static int add_line(struct place *p, const char *v)
{
	return add_pattern(p->file, &p->operation->lines, v);
}

static int add_gone(struct place *p, const char *v)
{
	return add_pattern(p->file, &p->operation->gone, v);
}

static int add_absent(struct place *p, const char *v)
{
	return add_pattern(p->file, &p->operation->absent, v);
}

static int add_refused(struct place *p, const char *v)
{
	return add_pattern(p->file, &p->operation->refused, v);
}

static int add_retry(struct place *p, const char *v)
{
	return add_pattern(p->file, &p->operation->retry, v);
}

static int set_items(struct place *p, const char *v)
{
	if (*v && *v != '/')
		return err_set(ERR_PARSE, "a pointer begins with / or is empty, not \"%s\"", v);
	return put_text(p->file, &p->operation->items, v);
}

static int add_pointer(struct place *p, const char *v)
{
	struct launcher_operation *o = p->operation;
	struct launcher_pointer row;
	const char *blank = strchr(v, ' ');
	char *word;

	if (!blank || blank[1] != '/')
		return err_set(ERR_PARSE, "\"%s\" is not GROUP /POINTER", v);
	word = arena_strndup(&p->file->arena, v, (size_t)(blank - v));
	if (!launcher_group_find(&row.group, word))
		return err_set(ERR_PARSE, "the group \"%s\" means nothing", word);
	row.pointer = arena_strdup(&p->file->arena, blank + 1);
	ARRAY_GROW(o->pointers, o->n_pointers, o->cap_pointers);
	o->pointers[o->n_pointers++] = row;
	return 0;
}

static int set_batch(struct place *p, const char *v)
{
	if (!*v)
		return err_set(ERR_PARSE, "nothing stands between the ids");
	return put_text(p->file, &p->operation->batch, v);
}

static int set_confirm(struct place *p, const char *v)
{
	return put_bool(&p->operation->confirm, v);
}

static int add_map(struct place *p, const char *v)
{
	struct launcher_file *f = p->file;
	struct launcher_state state;
	const char *word = "";
	char *pattern = NULL;

	if (split_last(f, v, &pattern, &word) < 0)
		return err_code();
	for (size_t i = 0; i < ARRAY_LEN(phases); i++) {
		if (strcmp(phases[i].word, word) != 0)
			continue;
		if (launcher_pattern_compile(&state.pattern, pattern, true) < 0)
			return err_code();
		state.phase = phases[i].phase;
		ARRAY_GROW(f->states, f->n_states, f->cap_states);
		f->states[f->n_states++] = state;
		return 0;
	}
	return err_set(ERR_PARSE, "\"%s\" is no state; there are queued, running, exited-0, failed, "
		"cancelled, timeout, preempted, node-fail, launch-failed and lost", word);
}

static int add_never(struct place *p, const char *v)
{
	return add_pattern(p->file, &p->file->never, v);
}

static const struct key {
	enum section_kind section;
	const char *word;
	int (*put)(struct place *p, const char *value);
} keys[] = {
	{ IN_LAUNCHER, "name", set_name }, { IN_LAUNCHER, "runs", set_runs },
	{ IN_LAUNCHER, "program", add_program }, { IN_LAUNCHER, "unset", add_unset },
	{ IN_LAUNCHER, "set", add_set },
	{ IN_FIELD, "pattern", set_field_pattern }, { IN_FIELD, "default", set_default },
	{ IN_FIELD, "required", set_required }, { IN_FIELD, "secret", set_secret },
	{ IN_STEP, "arg", add_arg }, { IN_STEP, "optional", add_optional },
	{ IN_STEP, "stdin", set_input }, { IN_STEP, "timeout", set_limit },
	{ IN_STEP, "ok", set_ok }, { IN_STEP, "line", add_line }, { IN_STEP, "gone", add_gone },
	{ IN_STEP, "absent", add_absent }, { IN_STEP, "refused", add_refused },
	{ IN_STEP, "retry", add_retry }, { IN_STEP, "items", set_items },
	{ IN_STEP, "value", add_pointer }, { IN_STEP, "batch", set_batch },
	{ IN_STEP, "confirm", set_confirm },
	{ IN_STATE, "map", add_map }, { IN_STATE, "never", add_never },
};

/* ---- sections ------------------------------------------------------------------ */

static struct launcher_field *field_for(struct launcher_file *f, const char *name, int line)
{
	for (size_t i = 0; i < f->n_fields; i++)
		if (strcmp(f->fields[i].name, name) == 0)
			return &f->fields[i];
	ARRAY_GROW(f->fields, f->n_fields, f->cap_fields);
	f->fields[f->n_fields] = (struct launcher_field){
		.name = arena_strdup(&f->arena, name), .line = line,
	};
	return &f->fields[f->n_fields++];
}

static struct launcher_operation *operation_for(
	struct launcher_file *f, enum launcher_step step, const char *name, int line)
{
	struct launcher_operation *o;

	for (size_t i = 0; i < f->n_operations; i++) {
		o = &f->operations[i];
		if (o->step == step && strcmp(o->name, name) == 0)
			return o;
	}
	ARRAY_GROW(f->operations, f->n_operations, f->cap_operations);
	o = &f->operations[f->n_operations++];
	*o = (struct launcher_operation){
		.step = step, .name = arena_strdup(&f->arena, name), .line = line,
		.limit_ns = LIMIT_DEFAULT_S * INT64_C(1000000000),
	};
	o->ok[0] = 1;
	return o;
}

static int enter_step(struct place *p, const struct conf_entry *e)
{
	for (size_t i = 0; i < STEP_COUNT; i++) {
		if (strcmp(steps[i].word, e->section) != 0)
			continue;
		if (*e->name && !steps[i].named)
			return err_set(ERR_PARSE, "[%s] takes no name", e->section);
		p->operation = operation_for(p->file, (enum launcher_step)i, e->name, e->line);
		return 0;
	}
	return err_set(ERR_PARSE, "there is no section [%s]", e->section);
}

static int enter(struct place *p, enum section_kind *kind, const struct conf_entry *e)
{
	bool is_field = strcmp(e->section, "field") == 0;

	*kind = strcmp(e->section, "launcher") == 0 ? IN_LAUNCHER
		: is_field			    ? IN_FIELD
		: strcmp(e->section, "state") == 0  ? IN_STATE
						    : IN_STEP;
	if (*kind == IN_STEP)
		return enter_step(p, e);
	if (is_field != (*e->name != '\0'))
		return err_set(ERR_PARSE, is_field ? "[field] needs a name: [field \"zone\"]"
						   : "[%s] takes no name", e->section);
	if (is_field)
		p->field = field_for(p->file, e->name, e->line);
	return 0;
}

static int take(struct launcher_file *f, const struct conf_entry *e)
{
	struct place p = { .file = f, .line = e->line };
	enum section_kind kind;

	if (enter(&p, &kind, e) < 0)
		return err_code();
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].section == kind && strcmp(keys[i].word, e->key) == 0)
			return keys[i].put(&p, e->value) < 0 ? err_prefix("%s: ", e->key) : 0;
	return err_set(ERR_PARSE, "[%s] has no key \"%s\"", e->section, e->key);
}

/* ---- the whole ------------------------------------------------------------------ */

static int check_template(const struct launcher_values *v, const char *text, int line)
{
	if (!text || template_check(text, launcher_value, v) == 0)
		return 0;
	return err_prefix("%s:%d: ", v->file->path, line);
}

static int check_operation(const struct launcher_values *v, const struct launcher_operation *o)
{
	if (!o->n_arguments)
		return err_set(ERR_PARSE, "%s:%d: [%s] has no arg", v->file->path, o->line,
			launcher_step_word(o->step));
	for (size_t i = 0; i < o->n_arguments; i++)
		if (check_template(v, o->arguments[i].text, o->arguments[i].line) < 0)
			return err_code();
	if (o->n_pointers && !o->items)
		return err_set(ERR_PARSE, "%s:%d: [%s] has values but no items", v->file->path,
			o->line, launcher_step_word(o->step));
	return check_template(v, o->input, o->line);
}

static int check_field(const struct launcher_file *f, const struct launcher_field *field)
{
	const struct launcher_values run = { .file = &(struct launcher_file){ .name = "" } };
	const char *value;

	if (launcher_value(&run, field->name, strlen(field->name)))
		return err_set(ERR_PARSE, "%s:%d: {%s} is the run's own", f->path, field->line,
			field->name);
	if (field->required && *field->otherwise)
		return err_set(ERR_PARSE, "%s:%d: field %s is required and has a default", f->path,
			field->line, field->name);
	if (!field->required && launcher_field_check(&value, f, field, NULL) < 0)
		return err_prefix("%s:%d: ", f->path, field->line);
	return 0;
}

static int check_whole(struct launcher_file *f)
{
	const struct launcher_values v = { .file = f };

	if (!f->name || !*f->name)
		return err_set(ERR_PARSE, "%s: no name; write name = ... below [launcher]", f->path);
	for (size_t i = 0; i < f->n_fields; i++) {
		if (!f->fields[i].otherwise)
			f->fields[i].otherwise = "";
		if (check_field(f, &f->fields[i]) < 0)
			return err_code();
	}
	for (size_t i = 0; i < f->n_operations; i++)
		if (check_operation(&v, &f->operations[i]) < 0)
			return err_code();
	if (!launcher_file_operation(f, STEP_SUBMIT, 0) ||
	    !launcher_file_operation(f, STEP_POLL, 0))
		return err_set(ERR_PARSE, "%s: a launcher needs [submit] and [poll]", f->path);
	return 0;
}

static int by_step(const void *a, const void *b)
{
	const struct launcher_operation *x = a, *y = b;

	return x->step != y->step ? (x->step > y->step) - (x->step < y->step)
				  : text_compare_natural(x->name, y->name);
}

int launcher_file_read(struct launcher_file **out, const struct conf *c)
{
	struct launcher_file *f = xcalloc(1, sizeof *f);
	int rc = 0;

	f->path = arena_strdup(&f->arena, c->path);
	for (size_t i = 0; i < c->n && rc == 0; i++)
		if (take(f, &c->entries[i]) < 0)
			rc = err_prefix("%s:%d: ", c->path, c->entries[i].line);
	if (f->n_operations)
		qsort(f->operations, f->n_operations, sizeof *f->operations, by_step);
	if (rc == 0)
		rc = check_whole(f);
	if (rc < 0) {
		launcher_file_free(f);
		f = NULL;
	}
	*out = f;
	return rc;
}

static void release_patterns(struct launcher_patterns *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		launcher_pattern_release(&rows->rows[i]);
	free(rows->rows);
}

static void release_operation(struct launcher_operation *o)
{
	release_patterns(&o->lines);
	release_patterns(&o->gone);
	release_patterns(&o->absent);
	release_patterns(&o->refused);
	release_patterns(&o->retry);
	free(o->arguments);
	free(o->pointers);
}

void launcher_file_free(struct launcher_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_fields; i++)
		launcher_pattern_release(&f->fields[i].pattern);
	for (size_t i = 0; i < f->n_operations; i++)
		release_operation(&f->operations[i]);
	for (size_t i = 0; i < f->n_states; i++)
		launcher_pattern_release(&f->states[i].pattern);
	release_patterns(&f->never);
	free(f->programs);
	free(f->unset);
	free(f->set);
	free(f->fields);
	free(f->operations);
	free(f->states);
	arena_release(&f->arena);
	free(f);
}

const struct launcher_operation *launcher_file_operation(
	const struct launcher_file *f, enum launcher_step step, size_t i)
{
	for (size_t k = 0; k < f->n_operations; k++)
		if (f->operations[k].step == step && i-- == 0)
			return &f->operations[k];
	return NULL;
}

const struct launcher_field *launcher_file_field(
	const struct launcher_file *f, const char *name, size_t n)
{
	for (size_t i = 0; i < f->n_fields; i++)
		if (strlen(f->fields[i].name) == n && memcmp(f->fields[i].name, name, n) == 0)
			return &f->fields[i];
	return NULL;
}

bool launcher_operation_ok(const struct launcher_operation *o, int rc)
{
	return rc >= 0 && rc <= 255 && o->ok[rc / 8] & 1 << rc % 8;
}

int launcher_field_check(const char **out, const struct launcher_file *f,
	const struct launcher_field *field, const char *value)
{
	*out = value ? value : field->otherwise;
	if (!**out)
		return field->required ? err_set(ERR_USAGE, "launcher %s needs %s", f->name,
						 field->name)
				       : 0;
	if (!field->pattern.code ||
	    launcher_pattern_match(NULL, &field->pattern, *out, strlen(*out)))
		return 0;
	return err_set(ERR_USAGE, "%s: \"%s\" is not what launcher %s takes: %s", field->name,
		*out, f->name, field->pattern.text);
}
