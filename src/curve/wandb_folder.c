/* wandb_folder - takes paths apart. */
#include "config.h"

#include "curve/wandb_folder.h"

#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

/* The piece of PATH before the slash at END: [*BEGIN, END). */
static bool piece_before(const char *path, size_t end, size_t *begin)
{
	size_t i = end;

	while (i > 0 && path[i - 1] != '/')
		i--;
	*begin = i;
	return i < end;
}

enum { STAMP_BYTES = 15 };

/* Behind "run-" of "[offline-]run-20231114_221320-abc"; NULL for any other name. */
static const char *stamp_of(const char *name, size_t n)
{
	static const char offline[] = "offline-", run[] = "run-";
	const char *end = name + n;

	if (n > sizeof offline && strncmp(name, offline, sizeof offline - 1) == 0)
		name += sizeof offline - 1;
	if ((size_t)(end - name) < sizeof run - 1 + STAMP_BYTES + 1 ||
		strncmp(name, run, sizeof run - 1) != 0)
		return NULL;
	name += sizeof run - 1;
	for (size_t i = 0; i < STAMP_BYTES; i++)
		if (i == 8 ? name[i] != '_' : name[i] < '0' || name[i] > '9')
			return NULL;
	return name[STAMP_BYTES] == '-' ? name : NULL;
}

bool wandb_place_read(struct wandb_place *out, const char *path)
{
	const char *name = fs_basename(path), *stamp;
	size_t folder = (size_t)(name - path), begin;

	*out = (struct wandb_place){ .id = name, .stamp = "", .home_n = folder };
	if (!text_ends(name, ".wandb"))
		return false;
	out->id_n = strlen(name) - strlen(".wandb");
	if (text_starts(name, "run-")) {
		out->id += strlen("run-");
		out->id_n -= strlen("run-");
	}
	if (folder && piece_before(path, folder - 1, &begin) &&
		(stamp = stamp_of(path + begin, folder - 1 - begin))) {
		out->stamp = stamp;
		out->stamp_n = STAMP_BYTES;
		out->home_n = begin;
	}
	return out->id_n > 0;
}

/* The folder of a session, or the link to the latest. */
static bool is_session(const char *name, size_t n)
{
	static const char latest[] = "latest-run";

	return stamp_of(name, n) || (n == sizeof latest - 1 && memcmp(name, latest, n) == 0);
}

/* Where PATH goes on below a folder of a session; NULL when it is in none. */
static const char *below_session(const char *path)
{
	size_t begin, end;

	for (end = strlen(path); end > 0; end = begin ? begin - 1 : 0) {
		if (path[end] == '/' && piece_before(path, end, &begin) &&
			is_session(path + begin, end - begin))
			return path + end + 1;
		(void)piece_before(path, end, &begin);
	}
	return NULL;
}

bool wandb_is_console_copy(const char *path)
{
	const char *below = below_session(path);

	return below && strcmp(below, "files/output.log") == 0;
}

const char *wandb_aside(const char *path)
{
	const char *below = below_session(path);

	if (!below || text_ends(below, ".wandb"))
		return NULL;
	if (strcmp(below, "files/output.log") == 0)
		return "what W&B kept of the console; the .wandb file has these lines";
	if (text_starts(below, "logs/") || text_starts(below, "tmp/"))
		return "a log of W&B itself, no curve";
	if (text_starts(below, "files/config.yaml") || text_starts(below, "files/requirements.txt") ||
		text_starts(below, "files/conda-environment.yaml") ||
		text_starts(below, "files/diff") || text_starts(below, "files/wandb-"))
		return "W&B's copy of what the .wandb file has, no curve";
	return NULL;
}
