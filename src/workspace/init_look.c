/* init_look - see init_look.h. */
#include "config.h"

#include "workspace/init_look.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/static_scan.h"
#include "workspace/init_command.h"
#include "workspace/init_metric.h"

enum { FILES_MAX = 4000, DEPTH_MAX = 4, SOURCE_BYTES_MAX = 512 << 10, SCRIPTS_SHOWN = 4 };

struct candidate { const char *path; int score; };

struct walk {
	struct init_look *out;
	const char *workdir;
	struct arena *a;
	const atomic_bool *cancel;
	size_t files;
	struct candidate *scripts;
	size_t n_scripts, cap_scripts;
	const char **curves;
	size_t n_curves, cap_curves;
	const char *readme;
	struct static_scanner *scanner;
	size_t constructs, files_with;
	const char *first;		/* "train.py:4" */
};

/* Never the project's own words: environments, caches, version control. */
static const char *const skipped[] = {
	"node_modules",
	"venv",
	"env",
	"__pycache__",
	"site-packages",
	"third_party",
	"wandb",
	"build",
	"dist",
};

static bool is_skipped(const char *name)
{
	if (*name == '.')
		return true;
	for (size_t i = 0; i < ARRAY_LEN(skipped); i++)
		if (strcmp(skipped[i], name) == 0)
			return true;
	return false;
}

static void found(struct looked *l, struct walk *w, const char *value, const char *where)
{
	if (!l->value)
		*l = (struct looked){ text_sanitised(w->a, value), text_sanitised(w->a, where) };
}

static char *at_line(struct walk *w, const char *name, const struct buf *text, const char *at)
{
	size_t line = 1;

	for (const char *s = text->s; s < at; s++)
		line += *s == '\n';
	return arena_printf(w->a, "%s:%zu", name, line);
}

/* ---- scripts -------------------------------------------------------------------- */

static const char *const step_arguments[] = {
	"--max_steps",
	"--max-steps",
	"--num_steps",
	"--num-steps",
	"--train_steps",
	"--train-steps",
	"--total_steps",
	"--total-steps",
	"--max_iters",
	"--iterations",
	"--steps",
};
static const char *const seed_arguments[] = { "--seed", "--random_seed", "--random-seed" };

/* The first of NAMES that stands in quotes, as argument parsers have it. */
static const char *quoted_argument(
	const struct buf *text, const char *const *names, size_t n, const char **at)
{
	for (size_t i = 0; i < n; i++) {
		for (const char *s = text->s; (s = strstr(s, names[i])) != NULL; s++) {
			char before = s > text->s ? s[-1] : ' ', after = s[strlen(names[i])];

			if ((before == '"' || before == '\'') && after == before) {
				*at = s;
				return names[i];
			}
		}
	}
	return NULL;
}

/* Libraries that parse the usual arguments by themselves. */
static bool parses_by_itself(const struct buf *text, const char **at)
{
	*at = strstr(text->s, "HfArgumentParser");
	if (*at)
		return true;
	return false;
}

static int score_script(const char *name, const struct buf *text)
{
	const char *base = fs_basename(name), *at;
	int score = 0;

	if (strcmp(base, "train.py") == 0)
		score += 6;
	else if (strstr(base, "train") || strstr(base, "finetune") || strstr(base, "fine_tune"))
		score += 4;
	else if (text_starts(base, "run_") || strcmp(base, "main.py") == 0)
		score += 3;
	if (strstr(name, "test") || strstr(name, "eval"))
		score -= 4;
	score -= strchr(name, '/') ? 1 : 0;
	score += strstr(text->s, "__main__") ? 2 : 0;
	score += strstr(text->s, "argparse") || parses_by_itself(text, &at) ? 2 : 0;
	score += quoted_argument(text, seed_arguments, ARRAY_LEN(seed_arguments), &at) ? 2 : 0;
	score += strstr(text->s, "backward()") || strstr(text->s, "Trainer(") ? 2 : 0;
	return score;
}

/* Constructs, not the hints: what will not run as it is. */
static void count_constructs(struct walk *w, const char *name, const struct buf *text)
{
	const struct static_construct *table;
	struct static_hits hits = STATIC_HITS_INIT;
	size_t table_n, before = w->constructs;

	table = static_constructs(&table_n);
	static_scan(&hits, w->scanner, name, text->s, text->n);
	for (size_t i = 0; i < hits.n; i++) {
		if (table[hits.rows[i].construct].hint)
			continue;
		if (!w->constructs++)
			w->first = arena_printf(w->a, "%s:%d", name, (int)hits.rows[i].line);
	}
	w->files_with += w->constructs > before;
	static_hits_release(&hits);
}

static void look_at_script(struct walk *w, const char *name, const char *path)
{
	struct buf text = BUF_INIT;
	int score;

	if (fs_read(&text, path, SOURCE_BYTES_MAX) < 0) {
		err_clear();
		buf_release(&text);
		return;
	}
	count_constructs(w, name, &text);
	if ((score = score_script(name, &text)) >= 5) {
		ARRAY_GROW(w->scripts, w->n_scripts, w->cap_scripts);
		w->scripts[w->n_scripts++] = (struct candidate){ arena_strdup(w->a, name), score };
	}
	buf_release(&text);
}

static int compare_candidates(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	return a->score != b->score ? b->score - a->score : strcmp(a->path, b->path);
}

/* A constant that the script prints and that speaks of its end. */
static void look_for_done(struct walk *w, const char *name, const struct buf *text)
{
	for (const char *s = text->s; (s = strstr(s, "print(")) != NULL; s++) {
		const char *q = s + strlen("print("), *end;
		char *words;

		if (*q != '"' && *q != '\'')
			continue;
		end = strpbrk(q + 1, *q == '"' ? "\"\n" : "'\n");
		if (!end || *end == '\n' || end - q < 6 || end - q > 60)
			continue;
		words = arena_strndup(w->a, q + 1, (size_t)(end - q - 1));
		if (strpbrk(words, "{%\\\"") ||
			!(strcasestr(words, "complete") || strcasestr(words, "finished") ||
				strcasestr(words, "training done")))
			continue;
		found(&w->out->done, w, words, at_line(w, name, text, s));
	}
}

static void look_into_script(struct walk *w, const char *name)
{
	struct buf text = BUF_INIT;
	const char *at, *argument;

	if (fs_read(&text, fs_join(w->a, w->workdir, name), SOURCE_BYTES_MAX) < 0) {
		err_clear();
		return;
	}
	if ((argument = quoted_argument(&text, step_arguments, ARRAY_LEN(step_arguments), &at)) !=
		NULL)
		found(&w->out->steps, w, argument, at_line(w, name, &text, at));
	if ((argument = quoted_argument(&text, seed_arguments, ARRAY_LEN(seed_arguments), &at)) !=
		NULL)
		found(&w->out->seed, w, argument, at_line(w, name, &text, at));
	if (parses_by_itself(&text, &at) && strstr(text.s, "TrainingArguments")) {
		char *where =
			arena_printf(w->a, "%s, TrainingArguments", at_line(w, name, &text, at));

		found(&w->out->steps, w, "--max_steps", where);
		found(&w->out->seed, w, "--seed", where);
	}
	look_for_done(w, name, &text);
	buf_release(&text);
}

static void look_for_command(struct walk *w, const char *script)
{
	struct buf text = BUF_INIT;

	if (w->readme &&
		fs_read(&text, fs_join(w->a, w->workdir, w->readme), SOURCE_BYTES_MAX) == 0)
		init_command_find(&w->out->command, text.s, w->readme, script, w->a);
	err_clear();
	buf_release(&text);
}

static void choose_script(struct walk *w)
{
	struct buf others = BUF_INIT;

	if (!w->n_scripts)
		return;
	qsort(w->scripts, w->n_scripts, sizeof *w->scripts, compare_candidates);
	found(&w->out->script, w, w->scripts[0].path,
		w->n_scripts == 1 ? "the only file that looks like a training"
				  : "the file that looks most like a training");
	for (size_t i = 1; i < w->n_scripts && i <= SCRIPTS_SHOWN; i++)
		buf_addf(&others, "%s%s", i > 1 ? ", " : "", w->scripts[i].path);
	if (others.n)
		found(&w->out->others, w, others.s, "the work tree");
	look_into_script(w, w->scripts[0].path);
	look_for_command(w, w->scripts[0].path);
	buf_release(&others);
}

/* ---- requirements ------------------------------------------------------------------ */

static const char *const frameworks[] = { "torch", "jax", "tensorflow" };
static const char *const cuda_packages[] = {
	"apex",
	"bitsandbytes",
	"cupy",
	"flash-attn",
	"flash_attn",
	"deepspeed",
	"triton",
	"xformers",
	"nvidia-",
	"pynvml",
	"faiss-gpu",
	"tensorrt",
	"+cu",
	"cudatoolkit",
};

static bool names_package(const char *line, const char *name)
{
	size_t n = strlen(name);

	line += strspn(line, " \t\"'-");
	if (*name == '+')
		return strstr(line, name) != NULL;
	return strncasecmp(line, name, n) == 0 &&
		(name[n - 1] == '-' || !(isalnum((unsigned char)line[n]) || line[n] == '_'));
}

static void look_at_requirements(struct walk *w, const char *name, const char *path)
{
	struct buf text = BUF_INIT, cuda = BUF_INIT;
	size_t number = 0;
	char *save, *line;

	if (fs_read(&text, path, SOURCE_BYTES_MAX) < 0)
		err_clear();
	if (text_starts(fs_basename(name), "requirements"))
		found(strstr(name, "tpu") ? &w->out->tpu_requirements : &w->out->requirements, w,
			name, name);
	for (line = strtok_r(text.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		number++;
		for (size_t i = 0; i < ARRAY_LEN(frameworks); i++)
			if (names_package(line, frameworks[i]))
				found(&w->out->framework, w, frameworks[i], name);
		for (size_t i = 0; i < ARRAY_LEN(cuda_packages); i++)
			if (names_package(line, cuda_packages[i]))
				buf_addf(&cuda, "%s%s", cuda.n ? ", " : "", cuda_packages[i]);
	}
	if (cuda.n)
		found(&w->out->cuda, w, cuda.s, name);
	buf_release(&cuda);
	buf_release(&text);
}

/* ---- other files ---------------------------------------------------------------------- */

static void look_at_readme(struct walk *w, const char *name, const char *path)
{
	struct buf text = BUF_INIT;
	char *save, *line;

	w->readme = w->readme ? w->readme : arena_strdup(w->a, name);
	if (fs_read(&text, path, SOURCE_BYTES_MAX) < 0)
		err_clear();
	for (line = strtok_r(text.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *command = line + strspn(line, " \t$`");

		if (text_starts(line, "# "))
			found(&w->out->title, w, line + 2, name);
		if (text_starts(command, "torchrun ") ||
			text_starts(command, "accelerate launch ") ||
			text_starts(command, "deepspeed ") ||
			text_starts(command, "python -m torch.distributed"))
			found(&w->out->launcher, w, command, name);
	}
	buf_release(&text);
}

static void look_at_batch(struct walk *w, const char *name, const char *path)
{
	struct buf text = BUF_INIT;
	const char *at;

	if (fs_read(&text, path, SOURCE_BYTES_MAX) < 0)
		err_clear();
	at = strstr(text.s, "\n#SBATCH ");
	if (at)
		found(&w->out->batch, w, "Slurm", at_line(w, name, &text, at + 1));
	buf_release(&text);
}

static void look_at_file(struct walk *w, const char *name, const char *path)
{
	const char *base = fs_basename(name);
	bool top = base == name;

	if (text_ends(base, ".py"))
		look_at_script(w, name, path);
	else if (top && (strcasecmp(base, "README.md") == 0 || strcasecmp(base, "README") == 0))
		look_at_readme(w, name, path);
	else if ((text_starts(base, "requirements") && text_ends(base, ".txt")) ||
		strcmp(base, "environment.yml") == 0)
		look_at_requirements(w, name, path);
	else if (text_ends(base, ".sh") || text_ends(base, ".sbatch") || text_ends(base, ".slurm"))
		look_at_batch(w, name, path);
	if (strcmp(base, "trainer_state.json") == 0 || strstr(base, ".tfevents.") ||
		text_ends(base, ".jsonl")) {
		ARRAY_GROW(w->curves, w->n_curves, w->cap_curves);
		w->curves[w->n_curves++] = arena_strdup(w->a, name);
	}
}

static int walk_folder(struct walk *w, const char *folder, int depth)
{
	char **names;
	size_t n;
	int rc =
		fs_list(&names, &n, w->a, *folder ? fs_join(w->a, w->workdir, folder) : w->workdir);

	if (rc < 0 && depth) {
		err_clear();	/* a folder that may not be read tells nothing */
		return 0;
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char *name = *folder ? fs_join(w->a, folder, names[i]) : names[i],
		     *path = fs_join(w->a, w->workdir, name);
		struct stat st;

		if (w->cancel && atomic_load(w->cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		if (lstat(path, &st) < 0 || is_skipped(names[i]))
			continue;
		if (++w->files > FILES_MAX) {
			w->out->cut = true;
			return 0;
		}
		if (S_ISDIR(st.st_mode) && !*folder &&
			(strcmp(names[i], "data") == 0 || strcmp(names[i], "datasets") == 0))
			found(&w->out->data, w, names[i], "the work tree");
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			rc = walk_folder(w, name, depth + 1);
		else if (S_ISREG(st.st_mode))
			look_at_file(w, name, path);
	}
	return rc;
}

int look_at(struct init_look *out, const char *workdir, const atomic_bool *cancel, struct arena *a)
{
	struct walk w = { .out = out, .workdir = workdir, .a = a, .cancel = cancel };
	int rc;

	memset(out, 0, sizeof *out);
	if ((rc = static_scanner_new(&w.scanner)) < 0)
		return rc;
	rc = walk_folder(&w, "", 0);
	static_scanner_free(w.scanner);
	if (rc == 0) {
		choose_script(&w);
		if (w.constructs)
			found(&out->code, &w,
				arena_printf(a, "%zu CUDA construct%s in %zu file%s", w.constructs,
					w.constructs == 1 ? "" : "s", w.files_with,
					w.files_with == 1 ? "" : "s"),
				w.first);
		look_at_curves(out, workdir, w.curves, w.n_curves, cancel, a);
	}
	free(w.scripts);
	free(w.curves);
	return rc;
}
