/* The allow-list of an environment, and lists of NAME=VALUE. */
#include "config.h"

#include "launch/environment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/redact.h"
#include "base/text.h"

static const char *const recorded[] = {
	"PATH", "LANG", "LC_*", "TZ", "HOME", "USER",
	"CUDA_VISIBLE_DEVICES", "CUBLAS_WORKSPACE_CONFIG", "PJRT_DEVICE", "TPU_*", "XLA_*",
	"LIBTPU_INIT_ARGS", "JAX_*", "TORCH_*", "PYTORCH_*", "NCCL_*", "OMP_*", "MKL_*",
	"PYTHONHASHSEED", "PYTHONPATH", "PYTHONUNBUFFERED", "LD_LIBRARY_PATH", "HF_HOME",
	"HF_HUB_OFFLINE", "WANDB_MODE", "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID", "PORTSIDE_*",
};

void environment_release(struct environment *e)
{
	/* A value may be a secret that is passed on, so it is wiped. */
	for (size_t i = 0; i < e->n; i++) {
		explicit_bzero(e->items[i], strlen(e->items[i]));
		free(e->items[i]);
	}
	free(e->items);
	*e = (struct environment)ENVIRONMENT_INIT;
}

bool environment_name_valid(const char *name, size_t n)
{
	if (n == 0 || isdigit((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return true;
}

bool environment_name_recorded(const char *name, const char *const *extra)
{
	if (redact_secret_name(name))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(recorded); i++)
		if (text_glob(recorded[i], name))
			return true;
	for (; extra && *extra; extra++)
		if (text_glob(*extra, name))
			return true;
	return false;
}

static size_t name_length(const char *item)
{
	return strcspn(item, "=");
}

static char **find(const struct environment *e, const char *name, size_t n)
{
	for (size_t i = 0; i < e->n; i++)
		if (name_length(e->items[i]) == n && memcmp(e->items[i], name, n) == 0)
			return &e->items[i];
	return NULL;
}

static void put_owned(struct environment *e, char *item)
{
	char **old = find(e, item, name_length(item));

	if (old) {
		free(*old);
		*old = item;
		return;
	}
	/* One more for the NULL at the end. */
	if (e->n + 1 >= e->cap)
		e->items = array_grow(e->items, &e->cap, sizeof *e->items);
	e->items[e->n++] = item;
	e->items[e->n] = NULL;
}

void environment_put(struct environment *e, const char *name_value)
{
	put_owned(e, xstrdup(name_value));
}

void environment_set(struct environment *e, const char *name, const char *value)
{
	put_owned(e, xasprintf("%s=%s", name, value));
}

const char *environment_get(const struct environment *e, const char *name)
{
	char **item = find(e, name, strlen(name));

	return item ? *item + strlen(name) + 1 : NULL;
}

void environment_capture(
	struct environment *e, char *const *from, const char *const *extra, bool all)
{
	for (; from && *from; from++) {
		size_t n = name_length(*from);
		bool recordable;
		char *name;

		if ((*from)[n] != '=' || n == 0)
			continue;
		name = xstrndup(*from, n);
		recordable = environment_name_recorded(name, extra);
		if (all || (recordable && environment_name_valid(name, n)))
			environment_put(e, *from);
		free(name);
	}
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void environment_write(struct buf *out, const struct environment *e)
{
	char **sorted;

	if (e->n == 0)
		return;
	sorted = xcalloc(e->n, sizeof *sorted);
	memcpy(sorted, e->items, e->n * sizeof *sorted);
	qsort(sorted, e->n, sizeof *sorted, compare);
	for (size_t i = 0; i < e->n; i++)
		buf_add(out, sorted[i], strlen(sorted[i]) + 1);
	free(sorted);
}
