/* signature - the catalogue: tables read row by row; see signature.h. */
#include "config.h"

#include "evidence/signature.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/signature_private.h"

enum {
	TABLE_BYTES_MAX = 4 << 20,
	ROWS_MAX = 4096,
	PROBLEMS_MAX = 200,
	ID_BYTES_MAX = 40,
};

enum column {
	COLUMN_ID, COLUMN_CAUSE, COLUMN_KIND, COLUMN_STACK, COLUMN_SIDE, COLUMN_RULE,
	COLUMN_PATTERN, COLUMN_EXAMPLE, COLUMN_NOTE, COLUMN_SOURCE, COLUMNS_N,
};

static const char *const column_names[COLUMNS_N] = {
	"id", "cause", "kind", "stack", "side", "rule", "pattern", "example", "note", "source",
};

static const struct { const char *letter, *name; } kinds[] = {
	[SIGNATURE_RAISES] = { "R", "raises" },
	[SIGNATURE_WARNS] = { "W", "warns" },
	[SIGNATURE_SILENT] = { "S", "silent" },
	[SIGNATURE_NOISE] = { "N", "noise" },
	[SIGNATURE_VERSION] = { "V", "version" },
};

static const char *const sides[] = {
	[SIDE_ANY] = "any",
	[SIDE_TPU] = "tpu",
	[SIDE_GPU] = "gpu",
	[SIDE_BY_TEXT] = "text",
	[SIDE_FILES] = "files",
};

struct signature_catalogue {
	struct arena arena;
	struct signature **rows;
	size_t n, cap;
	const char **problems;
	size_t problems_n, problems_cap;
};

struct signature_catalogue *signature_catalogue_new(void)
{
	struct signature_catalogue *c = xcalloc(1, sizeof *c);

	c->arena = (struct arena)ARENA_INIT;
	return c;
}

void signature_catalogue_free(struct signature_catalogue *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++)
		pcre2_code_free(c->rows[i]->code);
	free(c->rows);
	free(c->problems);
	arena_release(&c->arena);
	free(c);
}

const struct signature *signature_at(const struct signature_catalogue *c, size_t i)
{
	return c->rows[i];
}

size_t signature_catalogue_n(const struct signature_catalogue *c)
{
	return c->n;
}

int signature_find(const struct signature_catalogue *c, const char *id)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->rows[i]->id, id) == 0)
			return (int)i;
	return -1;
}

const char *const *signature_problems(const struct signature_catalogue *c, size_t *n)
{
	*n = c->problems_n;
	return c->problems;
}

const char *signature_kind_letter(enum signature_kind k)
{
	return kinds[k].letter;
}

const char *signature_kind_name(enum signature_kind k)
{
	return kinds[k].name;
}

/* ---- one table ---------------------------------------------------------------------- */

struct table {
	struct signature_catalogue *c;
	const char *file;
	int line;
	int place[COLUMNS_N];		/* of each column in a row; -1: not there */
	bool has_columns;
};

static void add_problem(struct signature_catalogue *c, const char *file, int line)
{
	const char *text = line ? arena_printf(&c->arena, "%s:%d: %s", file, line, err_text()) :
				  arena_printf(&c->arena, "%s: %s", file, err_text());

	err_clear();
	if (c->problems_n == PROBLEMS_MAX)
		return;
	ARRAY_GROW(c->problems, c->problems_n, c->problems_cap);
	c->problems[c->problems_n++] = text;
}

/* The cells of a line, which is cut up; at most MAX, the rest of the line is dropped. */
static size_t split(char *line, char **cells, size_t max)
{
	size_t n = 0;

	while (n < max) {
		char *tab = strchr(line, '\t');

		cells[n++] = line;
		if (!tab)
			break;
		*tab = '\0';
		line = tab + 1;
	}
	return n;
}

static int read_columns(struct table *t, char *line)
{
	char *cells[2 * COLUMNS_N];
	size_t n = split(line, cells, ARRAY_LEN(cells));

	for (size_t i = 0; i < COLUMNS_N; i++)
		t->place[i] = -1;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < COLUMNS_N && strcmp(column_names[k], cells[i]) != 0)
			k++;
		if (k == COLUMNS_N)
			return err_set(ERR_PARSE,
				"%s:%d: \"%s\" is no column; the first line names them, parted by tabs: id, cause, kind, stack, side, rule, pattern, example, note, source",
				t->file, t->line, cells[i]);
		t->place[k] = (int)i;
	}
	if (t->place[COLUMN_ID] < 0 || t->place[COLUMN_CAUSE] < 0 || t->place[COLUMN_PATTERN] < 0)
		return err_set(ERR_PARSE, "%s:%d: the columns id, cause and pattern must be there",
			t->file, t->line);
	t->has_columns = true;
	return 0;
}

static const char *cell(const struct table *t, char **cells, size_t n, enum column c)
{
	int at = t->place[c];

	return at >= 0 && (size_t)at < n ? cells[at] : "";
}

static bool is_id(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

	return n > 0 && n <= ID_BYTES_MAX && s[n] == '\0';
}

static int check_id(const struct table *t, const char *id)
{
	int at;

	if (!is_id(id))
		return err_set(ERR_PARSE,
			"the id \"%s\" must be letters, digits, - _ and . only, at most %d", id,
			ID_BYTES_MAX);
	at = signature_find(t->c, id);
	if (at >= 0)
		return err_set(ERR_PARSE, "%s is in %s:%d already; choose another id", id,
			t->c->rows[at]->file, t->c->rows[at]->line);
	return 0;
}

static int read_cause(struct signature *s, const char *cause, struct arena *a)
{
	bool is_cause = cause[0] == 'C' && cause[1] >= '0' && cause[1] <= '6' && !cause[2];

	if (!is_cause && strcmp(cause, "-") != 0)
		return err_set(ERR_PARSE, "the cause \"%s\" must be C0 to C6, or - for noise", cause);
	s->cause = arena_strdup(a, cause);
	return 0;
}

static int read_kind(struct signature *s, const char *kind)
{
	s->kind = SIGNATURE_RAISES;
	if (!*kind)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].letter, kind) == 0) {
			s->kind = (enum signature_kind)i;
			return 0;
		}
	return err_set(ERR_PARSE, "the kind \"%s\" must be R, W, S, N or V", kind);
}

static int read_side(struct signature *s, const char *side)
{
	s->side = SIDE_ANY;
	if (!*side)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		if (strcmp(sides[i], side) == 0) {
			s->side = (enum signature_side)i;
			return 0;
		}
	return err_set(ERR_PARSE, "the side \"%s\" must be tpu, gpu, any, text or files", side);
}

/* *WRONG is the column that an error is about. */
static int fill(
	struct table *t, struct signature *s, char **cells, size_t n, enum column *wrong)
{
	struct arena *a = &t->c->arena;
	const char *id = cell(t, cells, n, COLUMN_ID);
	int rc = check_id(t, id);

	*wrong = COLUMN_ID;
	*s = (struct signature){ .file = t->file, .line = t->line };
	s->id = arena_strdup(a, id);
	s->stack = arena_strdup(a, cell(t, cells, n, COLUMN_STACK));
	s->pattern = arena_strdup(a, cell(t, cells, n, COLUMN_PATTERN));
	s->example = arena_strdup(a, cell(t, cells, n, COLUMN_EXAMPLE));
	s->note = arena_strdup(a, cell(t, cells, n, COLUMN_NOTE));
	s->source = arena_strdup(a, cell(t, cells, n, COLUMN_SOURCE));
	if (rc == 0 && (*wrong = COLUMN_CAUSE))
		rc = read_cause(s, cell(t, cells, n, COLUMN_CAUSE), a);
	if (rc == 0 && (*wrong = COLUMN_KIND))
		rc = read_kind(s, cell(t, cells, n, COLUMN_KIND));
	if (rc == 0 && (*wrong = COLUMN_SIDE))
		rc = read_side(s, cell(t, cells, n, COLUMN_SIDE));
	if (rc == 0 && (*wrong = COLUMN_RULE))
		rc = signature_rule_read(s, cell(t, cells, n, COLUMN_RULE), a);
	if (rc == 0 && (*wrong = COLUMN_PATTERN) && !*s->pattern)
		rc = err_set(ERR_PARSE, "there is no pattern");
	return rc == 0 ? signature_compile(s) : rc;
}

static int keep(struct signature_catalogue *c, struct signature *s)
{
	if (c->n == ROWS_MAX)
		return err_set(ERR_PARSE, "there are more than %d signatures", ROWS_MAX);
	ARRAY_GROW(c->rows, c->n, c->cap);
	c->rows[c->n++] = s;
	return 0;
}

static void add_row(struct table *t, char *line)
{
	char *cells[2 * COLUMNS_N];
	struct signature_catalogue *c = t->c;
	struct signature *s = ARENA_NEW(&c->arena, struct signature);
	size_t n = split(line, cells, ARRAY_LEN(cells));
	enum column wrong;
	int rc = fill(t, s, cells, n, &wrong);

	if (rc == 0)
		rc = keep(c, s);
	if (rc < 0) {
		pcre2_code_free(s->code);
		add_problem(c, t->file, t->line);
	}
}

void signature_catalogue_add_section(
	struct signature_catalogue *c, const char *file, const struct signature_section *section)
{
	struct table t = { .c = c, .file = arena_strdup(&c->arena, file), .line = section->line };
	struct signature *s = ARENA_NEW(&c->arena, struct signature);
	const char *texts[COLUMNS_N] = { [COLUMN_ID] = section->id,
		[COLUMN_CAUSE] = section->cause, [COLUMN_KIND] = section->kind,
		[COLUMN_SIDE] = section->side, [COLUMN_RULE] = section->rule,
		[COLUMN_PATTERN] = section->pattern, [COLUMN_NOTE] = section->note };
	char *cells[COLUMNS_N];
	enum column wrong;
	int rc;

	for (size_t i = 0; i < COLUMNS_N; i++) {
		t.place[i] = (int)i;
		cells[i] = arena_strdup(&c->arena, texts[i] ? texts[i] : "");
	}
	rc = fill(&t, s, cells, COLUMNS_N, &wrong);
	if (rc == 0)
		rc = keep(c, s);
	if (rc == 0)
		return;
	pcre2_code_free(s->code);
	(void)err_prefix("signature.%s.%s: ", section->id,
		wrong == COLUMN_ID ? "name" : column_names[wrong]);
	add_problem(c, t.file, t.line);
}

static int add_line(struct table *t, char *line, size_t n)
{
	if (strlen(line) != n || !utf8_valid(line, n)) {
		(void)err_set(ERR_PARSE, "the line is not UTF-8 text; write the table as such");
		add_problem(t->c, t->file, t->line);
		return 0;
	}
	if (n && line[n - 1] == '\r')
		line[n - 1] = '\0';
	if (!*line || *line == '#')
		return 0;
	if (!t->has_columns)
		return read_columns(t, line);
	add_row(t, line);
	return 0;
}

int signature_catalogue_add(
	struct signature_catalogue *c, const char *file, const char *text, size_t n)
{
	struct table t = { .c = c, .file = arena_strdup(&c->arena, file) };
	const char *end = text + n;
	int rc = 0;

	while (text < end && rc == 0) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((newline ? newline : end) - text);
		char *line = xstrndup(text, length);

		memcpy(line, text, length);
		t.line++;
		rc = add_line(&t, line, length);
		free(line);
		text += length + 1;
	}
	return rc;
}

/* ---- a folder ----------------------------------------------------------------------- */

static void add_file(struct signature_catalogue *c, const char *path)
{
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, path, TABLE_BYTES_MAX);

	if (rc < 0)
		add_problem(c, path, 0);
	else if (signature_catalogue_add(c, path, text.s, text.n) < 0) {
		/* Its sentence names the place. */
		const char *said = arena_strdup(&c->arena, err_text());

		err_clear();
		ARRAY_GROW(c->problems, c->problems_n, c->problems_cap);
		c->problems[c->problems_n++] = said;
	}
	buf_release(&text);
}

int signature_catalogue_add_folder(struct signature_catalogue *c, const char *path)
{
	struct arena a = ARENA_INIT;
	char **names;
	size_t n = 0;
	int rc = fs_list(&names, &n, &a, path);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (text_ends(names[i], ".tsv") && names[i][0] != '.')
			add_file(c, fs_join(&a, path, names[i]));
	arena_release(&a);
	return rc;
}
