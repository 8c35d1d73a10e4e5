/*
 * predictions_reader - rows of a table or of JSON lines as examples; see
 * predictions.h.
 */
#include "config.h"

#include "curve/predictions_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/text.h"
#include "curve/csv_record.h"
#include "curve/json_scan.h"
#include "curve/reader_number.h"

enum { RECORD_BYTES_MAX = 1024 * 1024, COLUMNS_MAX = 1000, HEAD_ROWS = 4, NO_COLUMN = -1 };

enum role { ROLE_ID, ROLE_PREDICTION, ROLE_LABEL, ROLE_RIGHT, ROLES };

/* The first name of each list that is there is taken. */
static const char *const names[ROLES][12] = {
	[ROLE_ID] = { "id", "example_id", "sample_id", "guid", "uid", "idx", "index", "doc_id",
		"qid", "question_id", NULL },
	[ROLE_PREDICTION] = { "prediction", "pred", "predicted", "predicted_label", "y_pred",
		"output", "answer", NULL },
	[ROLE_LABEL] = { "label", "gold", "target", "gold_label", "true_label", "y_true",
		"reference", "expected", NULL },
	[ROLE_RIGHT] = { "correct", "is_correct", "hit", "exact_match", "acc", NULL },
};

/* A row with one of these is a point of a curve. */
static const char *const curve_names[] = { "step", "global_step", "_step", "epoch", "iteration" };

enum form { FORM_UNKNOWN, FORM_TABLE, FORM_LINES };

struct cells {
	struct csv_cell at[ROLES];
	bool there[ROLES];
};

struct predictions_reader {
	enum form form;
	char separator;
	bool any, skipping;
	int columns[ROLES];
	struct predictions *into;	/* NULL: rows are counted, not kept */
	struct json_row row;
	struct buf cell[ROLES];		/* quoted cells with their quotes undone */
	struct buf left, right;		/* of a comparison */
};

static void reader_init(struct predictions_reader *r, struct predictions *into)
{
	*r = (struct predictions_reader){ .into = into, .row = JSON_ROW_INIT };
	for (int i = 0; i < ROLES; i++) {
		buf_init(&r->cell[i]);
		r->columns[i] = NO_COLUMN;
	}
	buf_init(&r->left);
	buf_init(&r->right);
}

static void reader_release(struct predictions_reader *r)
{
	json_row_release(&r->row);
	for (int i = 0; i < ROLES; i++)
		buf_release(&r->cell[i]);
	buf_release(&r->left);
	buf_release(&r->right);
}

/* ---- names ---- */

static bool is_name(struct csv_cell t, const char *name)
{
	return t.n == strlen(name) && strncasecmp(t.p, name, t.n) == 0;
}

/* Place of a name in the list of its role: lower is better; -1: not in it. */
static int preference(enum role role, struct csv_cell t)
{
	for (int i = 0; names[role][i]; i++)
		if (is_name(t, names[role][i]))
			return i;
	return -1;
}

static bool is_curve_name(struct csv_cell t)
{
	for (size_t i = 0; i < ARRAY_LEN(curve_names); i++)
		if (is_name(t, curve_names[i]))
			return true;
	return false;
}

static bool are_predictions(const bool there[ROLES])
{
	return there[ROLE_ID] && (there[ROLE_RIGHT] || there[ROLE_PREDICTION]);
}

/* ---- cells of a table ---- */

static struct csv_cell trimmed(const char *p, size_t n)
{
	while (n && (*p == ' ' || *p == '\t'))
		p++, n--;
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r'))
		n--;
	return (struct csv_cell){ p, n };
}

/* A record keeps its tabs: with them an empty first or last cell would go. */
static struct csv_cell without_return(const char *p, size_t n)
{
	return (struct csv_cell){ p, n - (n && p[n - 1] == '\r') };
}

static struct csv_cell without_mark(const char *p, size_t n)
{
	if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3, n -= 3;
	return (struct csv_cell){ p, n };
}

static bool is_object(const char *p, size_t n)
{
	struct csv_cell first = without_mark(p, n);

	first = trimmed(first.p, first.n);
	return first.n && *first.p == '{';
}

/* Finds the columns; false when the header is not one of predictions. */
static bool read_header(struct predictions_reader *r, const char *p, size_t n)
{
	struct csv_cell header = without_mark(p, n), name;
	struct buf *room = &r->cell[0];
	const char *end;
	int best[ROLES], column = 0;
	bool there[ROLES];

	name = trimmed(header.p, header.n);
	r->separator = memchr(name.p, '\t', name.n) ? '\t' : ',';
	header = without_return(header.p, header.n);
	p = header.p;
	end = p + header.n;
	for (; column < COLUMNS_MAX && csv_record_next(room, r->separator, &name, &p, end);
		column++) {
		if (is_curve_name(name))
			return false;
		for (int role = 0; role < ROLES; role++) {
			int rank = preference((enum role)role, name);

			if (rank < 0 || (r->columns[role] != NO_COLUMN && rank >= best[role]))
				continue;
			r->columns[role] = column;
			best[role] = rank;
		}
	}
	for (int role = 0; role < ROLES; role++)
		there[role] = r->columns[role] != NO_COLUMN;
	return column > 1 && are_predictions(there);
}

static void read_cells(
	struct predictions_reader *r, struct cells *out, const char *p, size_t n)
{
	struct csv_cell record = without_return(p, n), cell;
	const char *q = record.p, *end = record.p + record.n;
	struct buf *room = &r->left;

	*out = (struct cells){ .there = { false } };
	for (int column = 0; csv_record_next(room, r->separator, &cell, &q, end); column++)
		for (int role = 0; role < ROLES; role++) {
			if (r->columns[role] != column)
				continue;
			buf_clear(&r->cell[role]);
			buf_add(&r->cell[role], cell.p, cell.n);
			out->at[role] = (struct csv_cell){ r->cell[role].s, r->cell[role].n };
			out->there[role] = true;
		}
}

/* ---- fields of an object ---- */

static struct csv_cell field_text(const struct json_field *f)
{
	if (f->kind == JSON_FIELD_BOOL)
		return f->number.value != 0 ? (struct csv_cell){ "true", 4 }
					    : (struct csv_cell){ "false", 5 };
	return (struct csv_cell){ f->text, f->text_n };
}

static bool has_value(const struct json_field *f)
{
	return f->kind == JSON_FIELD_NUMBER || f->kind == JSON_FIELD_TEXT ||
		f->kind == JSON_FIELD_BOOL;
}

/* False when P is no object, or a point of a curve. */
static bool read_object(
	struct predictions_reader *r, struct cells *out, const char *p, size_t n)
{
	struct csv_cell line = without_mark(p, n);
	int best[ROLES];
	size_t used;

	*out = (struct cells){ .there = { false } };
	line = trimmed(line.p, line.n);
	if (!line.n || *line.p != '{' ||
		json_scan_object(&r->row, line.p, line.n, &used) != JSON_SCAN_OK ||
		used != line.n)
		return false;
	for (size_t i = 0; i < r->row.n; i++) {
		const struct json_field *f = &r->row.fields[i];
		struct csv_cell name = { f->name, f->name_n };

		if (is_curve_name(name))
			return false;
		for (int role = 0; role < ROLES; role++) {
			int rank = has_value(f) ? preference((enum role)role, name) : -1;

			if (rank < 0 || (out->there[role] && rank >= best[role]))
				continue;
			out->at[role] = field_text(f);
			out->there[role] = true;
			best[role] = rank;
		}
	}
	return true;
}

/* ---- what a row says ---- */

/* The same answer has the same text: 1 and 1.0, True and true. */
static void add_canonical(struct buf *out, struct csv_cell t)
{
	struct number number;
	char text[TEXT_DOUBLE_MAX];

	t = trimmed(t.p, t.n);
	buf_clear(out);
	if (number_read(&number, t.p, t.n) && number.is_integer)
		buf_addf(out, "%lld", (long long)number.integer);
	else if (number_read(&number, t.p, t.n))
		buf_add(out, text, text_from_double(text, number.value));
	else if (is_name(t, "true") || is_name(t, "false"))
		buf_adds(out, is_name(t, "true") ? "true" : "false");
	else
		buf_add(out, t.p, t.n);
}

/* An id stays as it is written, but for the ".0" that a table of numbers gets. */
static struct csv_cell id_of(struct csv_cell t)
{
	size_t digits;

	t = trimmed(t.p, t.n);
	for (digits = 0; digits < t.n && t.p[digits] >= '0' && t.p[digits] <= '9';)
		digits++;
	if (digits && t.n == digits + 2 && memcmp(t.p + digits, ".0", 2) == 0)
		t.n = digits;
	return t;
}

static bool read_right(bool *correct, struct csv_cell t)
{
	static const struct { const char *word; bool right; } words[] = { { "true", true },
		{ "false", false }, { "yes", true }, { "no", false }, { "correct", true },
		{ "wrong", false }, { "incorrect", false } };
	struct number number;

	t = trimmed(t.p, t.n);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (is_name(t, words[i].word)) {
			*correct = words[i].right;
			return true;
		}
	if (!number_read(&number, t.p, t.n) || (number.value != 0 && number.value != 1))
		return false;
	*correct = number.value == 1;
	return true;
}

static uint64_t digest_of(const struct buf *text)
{
	return fnv1a(FNV1A_BEGIN, text->s, text->n);
}

/* False when the row has no id or does not say whether its answer is right. */
static bool understand(
	struct predictions_reader *r, struct prediction_row *out, const struct cells *c)
{
	struct csv_cell id = c->there[ROLE_ID] ? id_of(c->at[ROLE_ID]) : (struct csv_cell){ "", 0 };

	*out = (struct prediction_row){ .id = id.p, .id_n = id.n };
	if (!id.n || id.n > EXAMPLE_ID_MAX)
		return false;
	if (c->there[ROLE_LABEL]) {
		add_canonical(&r->right, c->at[ROLE_LABEL]);
		out->has_label = true;
		out->label = digest_of(&r->right);
	}
	if (c->there[ROLE_RIGHT])
		return read_right(&out->correct, c->at[ROLE_RIGHT]);
	if (!c->there[ROLE_LABEL] || !c->there[ROLE_PREDICTION] || !r->right.n)
		return false;
	add_canonical(&r->left, c->at[ROLE_PREDICTION]);
	out->correct = r->left.n == r->right.n && memcmp(r->left.s, r->right.s, r->left.n) == 0;
	return true;
}

static void count_unreadable(struct predictions_reader *r, struct curve_sink *sink)
{
	sink->health.malformed++;
	if (r->into)
		r->into->unreadable++;
}

static void take_cells(struct predictions_reader *r, struct curve_sink *sink, const struct cells *c)
{
	struct prediction_row row;
	bool good = understand(r, &row, c);

	if (good && r->into)
		predictions_add(r->into, &row);
	if (good)
		sink->health.records++;
	else
		count_unreadable(r, sink);
}

/* ---- records ---- */

static void note_unlabelled(struct predictions_reader *r, struct curve_sink *sink)
{
	if (r->into)
		r->into->unlabelled = true;
	curve_notes_add(&sink->notes, "no-labels",
		"%s: predictions without labels; which of them are right is not known", sink->name);
}

/* The first record decides what the file is. */
static bool begin(struct predictions_reader *r, struct curve_sink *sink, const char *p, size_t n)
{
	if (is_object(p, n)) {
		r->form = FORM_LINES;
		return false;
	}
	r->form = FORM_TABLE;
	if (!read_header(r, p, n))
		sink->health.malformed++;
	else if (r->columns[ROLE_RIGHT] == NO_COLUMN && r->columns[ROLE_LABEL] == NO_COLUMN)
		note_unlabelled(r, sink);
	return true;
}

static void take_record(
	struct predictions_reader *r, struct curve_sink *sink, const char *p, size_t n)
{
	struct cells cells;

	n -= n && p[n - 1] == '\n';
	if (!trimmed(p, n).n || (r->form == FORM_UNKNOWN && begin(r, sink, p, n)))
		return;
	if (r->form == FORM_TABLE) {
		read_cells(r, &cells, p, n);
		take_cells(r, sink, &cells);
	} else if (!read_object(r, &cells, p, n)) {
		count_unreadable(r, sink);
	} else {
		if (!r->any && !cells.there[ROLE_RIGHT] && !cells.there[ROLE_LABEL])
			note_unlabelled(r, sink);
		r->any = true;
		take_cells(r, sink, &cells);
	}
}

/* Bytes of the record at P with its newline, 0 when it has no end. */
static size_t length_of(const struct predictions_reader *r, const char *p, size_t n)
{
	const char *newline;

	n = n > RECORD_BYTES_MAX ? RECORD_BYTES_MAX : n;
	if (r->form == FORM_LINES || (r->form == FORM_UNKNOWN && is_object(p, n)))
		newline = memchr(p, '\n', n);
	else
		newline = csv_record_end(p, n, r->separator);
	return newline ? (size_t)(newline - p) + 1 : 0;
}

/* Behind a record that is too long: up to the next newline. */
static int64_t skip(struct predictions_reader *r, const char *p, size_t n)
{
	const char *newline = memchr(p, '\n', n);

	r->skipping = !newline;
	return newline ? newline - p + 1 : (int64_t)n;
}

static int64_t advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct predictions_reader *r = state;
	int64_t limit = offset + sink->budget_bytes;
	size_t want = 1, n, length;

	while (offset < limit && !curve_sink_cancelled(sink)) {
		const char *p = source_bytes(src, offset, want, &n);

		if (!n)
			break;
		if (r->skipping) {
			offset += skip(r, p, n);
			continue;
		}
		length = length_of(r, p, n);
		if (length) {
			take_record(r, sink, p, length);
			offset += (int64_t)length;
			want = 1;
		} else if (n >= RECORD_BYTES_MAX) {
			count_unreadable(r, sink);
			curve_sink_damage(sink, offset);
			offset += skip(r, p, n);
			want = 1;
		} else if (n < want) {
			break;
		} else {
			want = n * 2 < RECORD_BYTES_MAX ? n * 2 : RECORD_BYTES_MAX;
		}
	}
	return offset;
}

/* The last row needs no newline once nothing follows. */
static void finish(void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct predictions_reader *r = state;
	size_t n;
	const char *p = source_bytes(src, offset, RECORD_BYTES_MAX, &n);

	if (!n || n >= RECORD_BYTES_MAX || r->skipping)
		return;
	take_record(r, sink, p, n);
	sink->health.tail_bytes = 0;
}

static void *new_state(const struct curve_sink *sink)
{
	struct predictions_reader *r = xmalloc(sizeof *r);

	(void)sink;
	reader_init(r, NULL);
	return r;
}

static void free_state(void *state)
{
	reader_release(state);
	free(state);
}

/* ---- recognising ---- */

static bool is_table(struct predictions_reader *r, const char *p, size_t n)
{
	const char *newline = csv_record_end(p, n, '\0');

	return newline && read_header(r, p, (size_t)(newline - p));
}

/* Each of the first lines is an object with an id and an answer. */
static bool are_lines(struct predictions_reader *r, const char *p, size_t n)
{
	struct cells cells;
	int good = 0;

	for (int i = 0; i < HEAD_ROWS && n; i++) {
		const char *newline = memchr(p, '\n', n);
		size_t length = newline ? (size_t)(newline - p) : n;

		if (!newline && good)
			break;
		if (!read_object(r, &cells, p, length) || !are_predictions(cells.there))
			return false;
		good++;
		length += newline != NULL;
		p += length;
		n -= length;
	}
	return good > 0;
}

static bool recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct predictions_reader r;
	struct csv_cell first = without_mark(head, n);
	bool are;

	(void)path;
	(void)basename;
	if (!first.n || memchr(head, '\0', n))
		return false;
	reader_init(&r, NULL);
	are = *first.p == '{' ? are_lines(&r, first.p, first.n) : is_table(&r, first.p, first.n);
	reader_release(&r);
	return are;
}

const struct curve_format predictions_format = {
	.name = "predictions",
	.title = "predictions by example",
	.delay = "when the evaluation writes them",
	.shape = CURVE_STREAM,
	.rank = RANK_TABLE,
	.recognise = recognise,
	.new_state = new_state,
	.free_state = free_state,
	.advance = advance,
	.finish = finish,
};

/* ---- a whole file ---- */

static int check(const struct predictions *p, const struct predictions_reader *r)
{
	if (p->unlabelled)
		return err_set(ERR_PARSE,
			"%s: predictions without labels; which of them are right is not known",
			p->name);
	if (p->full)
		return err_set(ERR_PARSE, "%s: more than %d examples", p->name, PREDICTIONS_MAX);
	if (!p->n)
		return err_set(ERR_PARSE, r->form == FORM_UNKNOWN ? "%s: it is empty"
			: "%s: no row has an id and says whether its answer is right", p->name);
	return 0;
}

static int read_source(struct predictions **out, const char *name, struct curve_source *src,
	const atomic_bool *cancel)
{
	struct curve_options options = { 0 };
	struct curve_sink sink = { .health = HEALTH_INIT,
		.options = &options,
		.cancel = cancel,
		.budget_bytes = INT64_MAX / 2,
		.name = name };
	struct predictions *p = predictions_new(name);
	struct predictions_reader r;
	int64_t offset;
	int rc = 0;

	reader_init(&r, p);
	offset = advance(&r, &sink, src, 0);
	finish(&r, &sink, src, offset);
	errno = src->error;
	if (src->error)
		rc = err_errno(ERR_IO, "%s", name);
	else if (curve_sink_cancelled(&sink))
		rc = err_set(ERR_CANCELLED, "%s: reading was stopped", name);
	else
		rc = check(p, &r);
	curve_notes_release(&sink.notes);
	reader_release(&r);
	if (rc < 0)
		predictions_free(p);
	else
		*out = p;
	return rc;
}

int predictions_read(struct predictions **out, const char *path, const atomic_bool *cancel)
{
	struct curve_source src = { .fd = -1 };
	int fd = fs_open_file(path), rc;
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0) {
		rc = err_errno(ERR_IO, "%s", path);
	} else {
		source_open_fd(&src, fd, st.st_size);
		rc = read_source(out, fs_basename(path), &src, cancel);
		source_release(&src);
	}
	close(fd);
	return rc;
}

int predictions_read_memory(struct predictions **out, const char *name, const char *p, size_t n)
{
	struct curve_source src = { .fd = -1 };
	int rc;

	source_open_memory(&src, p, n);
	rc = read_source(out, name, &src, NULL);
	source_release(&src);
	return rc;
}
