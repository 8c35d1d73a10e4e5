/* pins - see pins.h. */
#include "config.h"

#include "workspace/pins.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "store/repository_tree.h"
#include "workspace/known_versions.h"

enum { PIN_FILE_MAX = 1 << 20, SETTING_FILE_MAX = 1 << 20, SETTING_FILES_MAX = 2000 };

static bool may_set(const char *path)
{
	static const char *const ends[] = { ".py", ".sh", ".slurm", ".sbatch", ".yaml", ".yml",
		".json", ".toml", ".cfg", ".ini" };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (text_ends(path, ends[i]))
			return true;
	return false;
}

static bool is_file(const struct tree_entry *e)
{
	return e->kind == TREE_FILE || e->kind == TREE_EXECUTABLE;
}

static int read_blob(struct buf *text, struct repository *repo, const struct tree_entry *e)
{
	bool cut;

	buf_clear(text);
	return blob_read(text, &cut, NULL, repo, e->oid, PIN_FILE_MAX);
}

static int read_pins(struct package_pins *out, const struct packages_known *known,
	struct repository *repo, const struct tree_listing *l)
{
	struct buf text = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->n; i++) {
		if (!is_file(&l->rows[i]) || !package_pins_wants(l->rows[i].path))
			continue;
		if ((rc = read_blob(&text, repo, &l->rows[i])) == 0)
			package_pins_read(out, known, l->rows[i].path, text.s, text.n);
	}
	buf_release(&text);
	return rc;
}

/* Only where a pin asks: most projects have none, and their sources are not read. */
static int read_settings(
	struct package_pins *out, struct repository *repo, const struct tree_listing *l)
{
	struct buf text = BUF_INIT;
	size_t files = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->n && files < SETTING_FILES_MAX; i++) {
		if (!is_file(&l->rows[i]) || !may_set(l->rows[i].path))
			continue;
		files++;
		if ((rc = read_blob(&text, repo, &l->rows[i])) == 0)
			package_pins_settings(out, l->rows[i].path, text.s, text.n);
	}
	buf_release(&text);
	return rc;
}

int pins_read(struct package_pins *out, struct packages_known *known, struct workspace *ws,
	const char *revision, const struct config *config)
{
	struct tree_listing listing = { 0 };
	struct repository *repo;
	int rc;

	*out = (struct package_pins)PACKAGE_PINS_INIT;
	*known = (struct packages_known){ .arena = ARENA_INIT };
	if ((rc = known_versions_read(known)) < 0 || (rc = workspace_repository(ws, &repo)) < 0 ||
		(rc = tree_list(&listing, repo, revision, 0)) < 0)
		return rc;
	rc = read_pins(out, known, repo, &listing);
	for (size_t i = 0; rc == 0 && out->n && config && i < config->runs_n; i++)
		package_pins_settings(out, "portside.conf", config->runs[i].command,
			strlen(config->runs[i].command));
	if (rc == 0 && out->n)
		rc = read_settings(out, repo, &listing);
	tree_listing_release(&listing);
	return rc;
}

static const struct config_target *most_chips(const struct config *config)
{
	const struct config_target *most = NULL;

	for (size_t i = 0; config && i < config->targets_n; i++)
		if (!most || config->targets[i].chips > most->chips)
			most = &config->targets[i];
	return most;
}

const char *pins_sentence(const struct package_pins *p, const struct package_pin *pin,
	const struct config *config, const struct config_target *target, struct arena *a)
{
	const struct config_target *at = target ? target : most_chips(config);
	enum truth holds = package_pins_hold(p, pin, at ? at->chips : 0);
	const char *condition = pin->known->condition;

	if (holds == TRUTH_FALSE)
		return NULL;
	return arena_printf(a, "%s %s%s%s%s%s%s (%s; %s)", pin->text, pin->known->happens,
		*condition ? (holds == TRUTH_TRUE ? ", and here " : ", if ") : "", condition,
		holds == TRUTH_TRUE && *condition && at ? " on target " : "",
		holds == TRUTH_TRUE && *condition && at ? at->name : "",
		holds == TRUTH_TRUE ? "" : ", which is not known here", pin->known->source,
		"likely, not proven: only a run can show it");
}
