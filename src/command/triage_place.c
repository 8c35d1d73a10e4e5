/* triage_place - see triage_place.h. */
#include "config.h"

#include "command/triage_place.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/diff.h"
#include "command/run_log.h"

enum { FRAMES_MAX = 64, LINES_ABOVE = 400, LINE_NUMBER_MAX = 10000000 };

struct frame { const char *path; int32_t line; };

/* ---- reading a line -------------------------------------------------------------------- */

static int32_t number_at(const char *s, size_t n)
{
	int32_t value = 0;

	for (size_t i = 0; i < n && isdigit((unsigned char)s[i]); i++) {
		value = value * 10 + (s[i] - '0');
		if (value > LINE_NUMBER_MAX)
			return 0;
	}
	return value;
}

static const char *find(const char *s, size_t n, const char *text)
{
	return n ? memmem(s, n, text, strlen(text)) : NULL;
}

static bool parse_frame(const char **path, int32_t *line, const char *s, size_t n, struct arena *a)
{
	static const char file[] = "File \"", number[] = "\", line ";
	const char *from = find(s, n, file), *end = s + n, *to;

	if (!from)
		return false;
	from += sizeof file - 1;
	to = find(from, (size_t)(end - from), number);
	if (!to)
		return false;
	*line = number_at(to + sizeof number - 1, (size_t)(end - to) - (sizeof number - 1));
	*path = arena_strndup(a, from, (size_t)(to - from));
	return *line > 0;
}

/* "train.py:41: UserWarning": the name goes back to a blank or a quote. */
static bool parse_warning(
	const char **path, int32_t *line, const char *s, size_t n, struct arena *a)
{
	const char *at = find(s, n, ".py:"), *from, *end = s + n;

	if (!at)
		return false;
	from = at;
	while (from > s && !isspace((unsigned char)from[-1]) && !strchr("\"'`()[]", from[-1]))
		from--;
	*line = number_at(at + 4, (size_t)(end - at) - 4);
	*path = arena_strndup(a, from, (size_t)(at + 3 - from));
	return *line > 0 && from < at;
}

bool triage_place_parse(const char **path, int32_t *line, const char *s, size_t n, struct arena *a)
{
	return parse_frame(path, line, s, n, a) || parse_warning(path, line, s, n, a);
}

static bool is_installed(const char *path)
{
	return strstr(path, "/site-packages/") || strstr(path, "/dist-packages/") ||
		text_starts(path, "<") || strstr(path, "/lib/python");
}

/* From the line of OFFSET upwards to the beginning of its traceback. */
static size_t read_frames(struct frame *out, const struct run_log_window *w, int64_t offset,
	struct arena *a)
{
	size_t at = run_log_line_at(w, offset), n = 0;

	for (size_t i = 0; i <= at && i < LINES_ABOVE && n < FRAMES_MAX && w->n_lines; i++) {
		const struct run_log_line *l = &w->lines[at - i];
		const char *s = w->bytes + l->at;
		struct frame f;

		if (triage_place_parse(&f.path, &f.line, s, l->n, a) && !is_installed(f.path))
			out[n++] = f;
		if (find(s, l->n, "Traceback (most recent call last)"))
			break;
	}
	return n;
}

/* ---- the diff ------------------------------------------------------------------------- */

static bool names_file(const char *path, const char *file)
{
	size_t n = strlen(path), k = strlen(file);

	if (text_starts(path, "./"))
		return names_file(path + 2, file);
	if (n < k || strcmp(path + n - k, file) != 0)
		return false;
	return n == k || path[n - k - 1] == '/';
}

/* The longest name of the change that PATH ends with; NULL: none. */
static const char *touched_file(const struct change *c, const char *path)
{
	const char *best = NULL;

	for (size_t i = 0; i < c->files.n; i++) {
		const char *file = c->files.files[i].path;

		if (names_file(path, file) && (!best || strlen(file) > strlen(best)))
			best = file;
	}
	return best;
}

struct search {
	struct workspace *ws;
	const char *attempt;
	const struct position *at;
	const atomic_bool *cancel;
	const struct frame *frames;
	size_t n;
};

/* 1 when a frame lies in a file of the change, 0 when none does. */
static int look(struct triage_place *out, const struct search *s, enum change_against against,
	size_t *files, struct arena *a)
{
	struct change_question q = { .attempt = s->attempt, .at = s->at, .against = against,
		.names_only = true };
	struct change change;
	int rc = change_read(&change, s->ws, &q, s->cancel);

	*files = rc == 0 ? change.files.n : 0;
	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		const char *file = touched_file(&change, s->frames[i].path);

		if (!file)
			continue;
		*out = (struct triage_place){ .touched = true,
			.since_original = against == AGAINST_ORIGINAL,
			.path = arena_strdup(a, file), .line = s->frames[i].line };
		rc = 1;
	}
	change_release(&change);
	return rc;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int triage_place_find(struct triage_place *out, struct workspace *ws, const char *attempt,
	const struct position *at, const char *log, int64_t offset, const atomic_bool *cancel,
	struct arena *a)
{
	struct frame frames[FRAMES_MAX];
	struct search s = { .ws = ws, .attempt = attempt, .at = at, .cancel = cancel,
		.frames = frames };
	struct run_log_window *w = NULL;
	size_t files = 0, since = 0;
	int rc = run_log_read(&w, log, offset, RUN_LOG_AROUND);

	*out = (struct triage_place){ .path = "", .sentence = "" };
	if (rc < 0)
		return rc;
	s.n = read_frames(frames, w, offset, a);
	run_log_free(w);
	if (!s.n) {
		out->sentence = "this line and the traceback above it name no source file of the project";
		return 0;
	}
	rc = look(out, &s, AGAINST_PREVIOUS, &files, a);
	if (rc == 0)
		rc = look(out, &s, AGAINST_ORIGINAL, &since, a);
	if (rc < 0)
		return rc;
	out->sentence = rc
		? arena_printf(a, "%s, line %d%s", out->path, (int)out->line,
			  out->since_original ? ": changed since the original, by an earlier attempt"
					      : "")
		: arena_printf(a,
			  "attempt %s does not touch %s, which line %d of the traceback names (it "
			  "changes %zu file%s, %zu since the original)",
			  attempt, base_of(frames[0].path), (int)frames[0].line, files,
			  files == 1 ? "" : "s", since);
	return 0;
}
