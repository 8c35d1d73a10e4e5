/* study - see study.h: rows of the study and of migrations, and their totals. */
#include "config.h"

#include "command/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "command/open.h"
#include "workspace/accepted.h"
#include "workspace/changes.h"
#include "workspace/comparison.h"
#include "workspace/state.h"

enum { TABLE_BYTES_MAX = 1 << 20 };

/* ---- the study's own rows ------------------------------------------------------------ */

static int read_table(struct study *out, struct arena *a)
{
	struct buf text = BUF_INIT;
	char *path = fs_data_path(a, "study/table1.csv");
	int rc = fs_read(&text, path, TABLE_BYTES_MAX);

	if (rc == 0 && (rc = study_parse(out, a, text.s, text.n)) < 0)
		rc = err_prefix("%s: ", path);
	buf_release(&text);
	return rc;
}

/* The GPU run is on the wrong side of the paper's value. */
static bool reference_misses(const struct study_row *row)
{
	double paper = study_number(row, STUDY_PAPER), gpu = study_number(row, STUDY_GPU);
	bool down = strcmp(row->cells[STUDY_DIRECTION], "down") == 0;

	return down ? gpu > paper : gpu < paper;
}

/* ---- a migration's row --------------------------------------------------------------- */

struct reader {
	struct study_line *line;
	struct workspace *ws;
	const atomic_bool *cancel;
	struct arena *a;
	const struct config *config;
	const struct migration_state *m;
};

static void set(struct reader *r, enum study_column c, const char *text)
{
	r->line->row.cells[c] = text_sanitised(r->a, text);
}

static void set_number(struct reader *r, enum study_column c, const char *fmt_2_or_1, double v)
{
	int digits = *fmt_2_or_1 - '0';

	/* What is small is no 0.00: it keeps two digits that say something. */
	while (isfinite(v) && v != 0 && digits < 6 && fabs(v) * pow(10, digits) < 10)
		digits++;
	if (isfinite(v))
		r->line->row.cells[c] = arena_printf(r->a, "%.*f", digits, v);
}

/* The attempt that reached most on the intended configuration, the latest of them. */
static const struct attempt_state *best_attempt(
	struct reader *r, void **rows, size_t n, const char *intended)
{
	const struct attempt_state *best = NULL;
	int top = -1;

	for (size_t i = 0; i < n; i++) {
		const struct attempt_state *s = rows[i];
		const struct measured *m = *intended ? attempt_measured(s, intended) : NULL;
		int level;

		if (strcmp(s->id, "reference") == 0)
			continue;
		for (size_t k = 0; !*intended && k < s->measured_n; k++)
			if (!m ||
				level_index(s->measured[k].ladder.level) >
					level_index(m->ladder.level))
				m = &s->measured[k];
		level = m ? level_index(m->ladder.level) : -1;
		if (level < 0 || level < top)
			continue;
		top = level;
		best = s;
		r->line->extra.configuration = arena_strdup(r->a, m->configuration);
		r->line->simulated = m->simulated;
	}
	return best;
}

static void read_side(struct reader *r, const struct run_state *run, double value,
	enum study_column figure, enum study_column minutes, enum study_column usd)
{
	set_number(r, figure, "2", value);
	if (run->elapsed_ns > 0)
		set_number(r, minutes, "1", (double)run->elapsed_ns / (60.0 * (double)NS_PER_S));
	if (run->cost_known)
		set_number(r, usd, "2", (double)run->cost_nano_usd / (double)NANO_USD);
}

/* Unequal work makes times and costs no measure of the target: one item that
 * differs says no, also a declared one. */
static const char *equivalence(const struct comparable *c)
{
	static const char *const items[] = { "batch", "steps", "examples" };
	bool known = true;

	for (size_t i = 0; i < ARRAY_LEN(items); i++) {
		const struct comparable_item *item = comparable_find(c, items[i]);

		if (item &&
			(item->status == COMPARABLE_DIFFERS || item->status == COMPARABLE_DECLARED))
			return "no";
		known = known && item && item->status == COMPARABLE_EQUAL;
	}
	return known ? "yes" : "";
}

static void read_extra(struct reader *r, const struct run_comparison *c)
{
	const struct comparison *m = &c->comparison;
	struct study_extra *extra = &r->line->extra;

	if (m->gap.state == EXAMPLES_EXACT)
		extra->gap_examples = arena_printf(r->a, "%lld", (long long)m->gap.examples);
	if (m->options.examples > 0)
		extra->resolution =
			arena_printf(r->a, "%.3g", c->scale / (double)m->options.examples);
	else if (m->resolution > 0)
		extra->resolution = arena_printf(r->a, "%.3g", m->resolution * c->scale);
	extra->workload_equivalent = equivalence(&c->comparable);
}

/* Final values of the two full runs; without curves here the cells stay empty. */
static int read_values(struct reader *r, const struct attempt_state *s)
{
	struct comparison_request q = { .attempt_run = s->id,
		.kind = RUN_KIND_FULL,
		.cancel = r->cancel,
		.goal = r->config->goals_n ? r->config->goals[0].name : NULL,
		.configuration =
			*r->line->extra.configuration ? r->line->extra.configuration : NULL };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, r->ws, &q);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();
		return 0;
	}
	read_side(r, c->attempt.run,
		c->has_comparison ? c->comparison.final_attempt * c->scale : NAN, STUDY_TPU,
		STUDY_TIME_TPU_MIN, STUDY_COST_TPU_USD);
	if (c->has_reference)
		read_side(r, c->reference.run,
			c->has_comparison ? c->comparison.final_reference * c->scale : NAN,
			STUDY_GPU, STUDY_TIME_GPU_MIN, STUDY_COST_GPU_USD);
	if (c->has_comparison && !c->against_attempt)
		read_extra(r, c);
	run_comparison_free(c);
	return 0;
}

/* Against the original commit, as the study counts it. */
static int read_churn(struct reader *r, const struct attempt_state *s)
{
	struct attempt_state *attempts[1] = { (struct attempt_state *)(uintptr_t)s };
	struct attempt_changes *changes;
	int rc = changes_of(
		&changes, r->ws, attempts, 1, changes_original(r->ws, r->a), 0, r->cancel, r->a);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();
		return 0;
	}
	if (!changes[0].original.known)
		return 0;
	set(r, STUDY_CHURN_FILES, arena_printf(r->a, "%zu", changes[0].original.files));
	set(r, STUDY_CHURN_ADDED, arena_printf(r->a, "%lld", (long long)changes[0].original.added));
	set(r, STUDY_CHURN_DELETED,
		arena_printf(r->a, "%lld", (long long)changes[0].original.removed));
	return 0;
}

static void read_statement(struct reader *r)
{
	const struct config_migration *m = &r->config->migration;
	const struct config_goal *g = r->config->goals_n ? &r->config->goals[0] : NULL;

	set(r, STUDY_PROJECT, r->line->row.cells[STUDY_PROJECT]);
	set(r, STUDY_CHALLENGE, m->challenge);
	set(r, STUDY_SUB_EXPERIMENT, m->experiment);
	if (!g)
		return;
	set(r, STUDY_METRIC, g->metric);
	set(r, STUDY_DIRECTION,
		g->test.direction == DIRECTION_LOWER            ? "down"
			: g->test.direction == DIRECTION_HIGHER ? "up"
								: "");
	if (g->has_target)
		set_number(r, STUDY_PAPER, "2", g->test.target);
}

/* A level belongs to a configuration: the intended one, where there is one. */
static void read_level(struct reader *r, const char *intended)
{
	const struct level_count *count = migration_level_count(r->m, intended);

	if (*intended)
		set(r, STUDY_LEVEL_MEASURED, level_name(migration_best(r->m, intended)));
	r->line->inherited = count && count->inherited &&
		count->inherited == count->at[3] + count->at[4];
	if (r->line->simulated)
		set(r, STUDY_FOOTNOTES, "tpu=simulated;time=simulated;cost=simulated");
	r->line->reference_misses = reference_misses(&r->line->row);
}

static int read_row(struct reader *r, int number)
{
	const char *intended = r->config->migration.intended ? r->config->migration.intended : "";
	struct state_query q = { .type = "attempt" };
	const struct attempt_state *best;
	struct need *needs;
	void **rows;
	size_t n;
	int rc = state_list(r->ws, &q, r->a, &rows, &n);

	if (rc < 0)
		return rc;
	study_row_from_migration(&r->line->row, r->a, r->m, number);
	/* of the folder, without a name */
	r->line->row.cells[STUDY_PROJECT] = open_title(r->ws, r->a);
	read_statement(r);
	best = best_attempt(r, rows, n, intended);
	if (best) {
		r->line->attempt = best->id;
		if ((rc = read_churn(r, best)) < 0 || (rc = read_values(r, best)) < 0)
			return rc;
	}
	read_level(r, intended);
	rc = needs_read(&needs, &r->line->n_needs, r->ws, NULL, r->a);
	r->line->needs = rc == 0 ? needs : NULL;
	return rc;
}

static int read_migration(struct study_line *line, const char *directory, int number,
	const struct study_request *q, struct arena *a)
{
	struct open_options how = { .directory = directory, .read_only = true };
	struct opened opened = { 0 };
	struct reader r = { .line = line, .cancel = q->cancel, .a = a };
	struct migration_state *m;
	struct accepted accepted;
	int rc = open_migration(&opened, NULL, &how);

	r.ws = opened.workspace;
	if (rc == 0 && (rc = accepted_read(&accepted, r.ws, NULL)) == 0) {
		r.config = &accepted.in_force;
		rc = state_migration(r.ws, NULL, a, &m);
		r.m = m;
		if (rc == 0)
			rc = read_row(&r, number);
		accepted_release(&accepted);
	}
	opened_release(&opened);
	return rc;
}

/* ---- all lines ------------------------------------------------------------------------- */

static void clear_line(struct study_line *l)
{
	*l = (struct study_line){
		.directory = "", .error = "", .attempt = "", .extra = { "", "", "", "", "" }
	};
	for (int c = 0; c < STUDY_COLUMNS; c++)
		l->row.cells[c] = "";
}

static void add_up(struct study_lines *out, struct arena *a)
{
	struct study rows = { .rows = arena_alloc(a, (out->n + 1) * sizeof *rows.rows) };

	for (size_t i = 0; i < out->n; i++) {
		struct study_line *l = &out->lines[i];
		int level = word_find(&words_level, l->row.cells[STUDY_LEVEL_MEASURED]);

		if (*l->error)
			continue;
		rows.rows[rows.n] = l->row;
		if (l->simulated)	/* a stand-in's time and money compare with nothing */
			rows.rows[rows.n].cells[STUDY_TIME_TPU_MIN] =
				rows.rows[rows.n].cells[STUDY_COST_TPU_USD] = "";
		rows.n++;
		if (level != LEVEL_L3 && level != LEVEL_L4)
			continue;
		out->at_goal++;
		out->inherited += l->inherited;
		l->extra.inherited = l->inherited ? "yes" : "no";
	}
	out->totals = study_totals(&rows);
}

int study_lines_read(struct study_lines *out, const struct study_request *q, struct arena *a)
{
	struct study table = { 0 };
	int rc = q->with_study ? read_table(&table, a) : 0;

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	out->lines = arena_alloc(a, (table.n + q->n + 1) * sizeof *out->lines);
	for (size_t i = 0; i < table.n; i++) {
		clear_line(&out->lines[out->n]);
		out->lines[out->n].row = table.rows[i];
		out->lines[out->n].reference_misses = reference_misses(&table.rows[i]);
		out->lines[out->n].inherited = out->lines[out->n].reference_misses;
		out->n++;
	}
	out->n_study = out->n;
	for (size_t i = 0; i < q->n; i++) {
		struct study_line *l = &out->lines[out->n++];

		clear_line(l);
		l->directory = arena_strdup(a, q->directories[i]);
		rc = read_migration(l, q->directories[i], (int)(i + 1 + out->n_study), q, a);
		if (rc == ERR_CANCELLED)
			return rc;
		if (rc < 0) {		/* one that is gone or damaged does not hide the others */
			l->error = text_sanitised(a, err_text());
			l->row.cells[STUDY_PROJECT] = text_sanitised(a, fs_basename(l->directory));
			err_clear();
		}
	}
	add_up(out, a);
	return 0;
}

/* Sums over cells that nobody filled are no zeros. */
static bool has_any(const struct study_lines *s, enum study_column c)
{
	for (size_t i = 0; i < s->n; i++)
		if (!isnan(study_number(&s->lines[i].row, c)))
			return true;
	return false;
}

static void add_total(struct buf *out, const struct study_lines *s, enum study_column c,
	int64_t sum, const char *what, const char *plural)
{
	if (has_any(s, c))
		buf_addf(out, "%lld %s%s", (long long)sum, what, sum == 1 ? "" : plural);
	else
		buf_addf(out, "unknown %s%s", what, plural);
}

void study_add_totals(struct buf *out, const struct study_lines *s)
{
	const struct study_totals *t = &s->totals;

	buf_addf(out, "%zu project%s, ", t->projects, t->projects == 1 ? "" : "s");
	add_total(out, s, STUDY_ATTEMPTS, t->attempts, "attempt", "s");
	buf_adds(out, ", ");
	add_total(out, s, STUDY_FF, t->fail_fast, "stop", "s");
	buf_adds(out, ", ");
	add_total(out, s, STUDY_HUMAN, t->interventions, "intervention", "s");
	if (!isnan(t->interventions_mean))
		buf_addf(out, " (%.1f each)", t->interventions_mean);
	buf_adds(out, ", ");
	add_total(out, s, STUDY_SILENT, t->silent, "silent", "");
	buf_addc(out, '\n');
	buf_addf(out,
		"measured none %zu, L0 %zu, L2 %zu, L3 %zu, L4 %zu; "
		"L3 or above: %zu (%zu + %zu inherited)\n",
		t->at_level[0], t->at_level[1], t->at_level[2], t->at_level[3], t->at_level[4],
		s->at_goal, s->at_goal - s->inherited, s->inherited);
	buf_addf(out,
		"claimed against measured: %zu equal, %zu lower, %zu higher; %zu claimed nothing\n",
		t->claimed_equal, t->claimed_lower, t->claimed_higher, t->claimed_none);
	if (has_any(s, STUDY_AGENT_USD))
		buf_addf(out, "agent $%.2f, %.2f h, median $%.2f", t->agent_usd, t->agent_hours,
			t->agent_usd_median);
	else
		buf_adds(out, "agent cost unknown");
	if (!isnan(t->time_ratio_low))
		buf_addf(out, "; TPU/GPU time %.2f to %.2f", t->time_ratio_low, t->time_ratio_high);
	if (!isnan(t->cost_ratio_low))
		buf_addf(out, ", cost %.2f to %.2f", t->cost_ratio_low, t->cost_ratio_high);
}

/* "level_measured" as "level measured" */
static void add_column(struct buf *out, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_addc(out, name[i] == '_' ? ' ' : name[i]);
}

void study_add_footnotes(struct buf *out, const char *notes)
{
	const char *last = "";
	size_t last_n = 0;

	for (const char *s = notes; *s; ) {
		size_t name = strcspn(s, "=;"), n = strcspn(s, ";");
		const char *mark = s[name] == '=' ? s + name + 1 : s + n;
		size_t mark_n = (size_t)(s + n - mark);
		bool same = mark_n == last_n && memcmp(mark, last, mark_n) == 0;

		if (last_n && !same)
			buf_addf(out, " (%.*s); ", (int)last_n, last);
		else if (last_n)
			buf_adds(out, ", ");
		add_column(out, s, name);
		last = mark;
		last_n = mark_n;
		s += n;
		s += *s == ';';
	}
	if (last_n)
		buf_addf(out, " (%.*s)", (int)last_n, last);
}

const char *study_mark(
	const struct study_row *row, enum study_column c, bool ascii, struct arena *a)
{
	static const struct {
		const char *name, *utf8, *ascii;
	} marks[] = {
		{ "double-dagger", "\u2021", "++" },
		{ "dagger", "\u2020", "+" },
		{ "asterisk", "*", "*" },
		{ "simulated", "~", "~" },
	};
	const char *column = study_column_names[c], *mark = study_footnote(a, row, column);

	/* "time" stands for both times, as in print. */
	if (!*mark && text_starts(column, "time_"))
		mark = study_footnote(a, row, "time");
	if (!*mark && text_starts(column, "cost_"))
		mark = study_footnote(a, row, "cost");
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strcmp(mark, marks[i].name) == 0)
			return ascii ? marks[i].ascii : marks[i].utf8;
	return "";
}
