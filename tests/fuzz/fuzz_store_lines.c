/*
 * fuzz_store_lines - any bytes as the small texts of trackers: lines of MLflow, rows
 * of DVCLive, YAML.  Each line of the input is read by the first two.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "curve/dvclive.h"
#include "curve/mlflow_files.h"
#include "curve/yaml_flat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The line at the very end of its memory, so that a byte beyond it is noticed. */
static void read_line(const char *p, size_t n)
{
	char *copy = malloc(n + !n);
	double wall_s, value;
	int64_t step;
	bool flag;

	if (!copy)
		abort();
	if (n)
		memcpy(copy, p, n);
	if (mlflow_line_read(copy, n, &wall_s, &value, &step, &flag) && !flag && step)
		abort();
	if (dvclive_row_read(copy, n, &step, &wall_s, &value, &flag) && !flag && value == value)
		abort();
	free(copy);
}

static void read_yaml(const char *p, size_t n)
{
	struct settings s = { 0 };
	char *copy = malloc(n + !n);
	size_t bytes = 0;

	if (!copy)
		abort();
	if (n)
		memcpy(copy, p, n);
	(void)yaml_flat_read(&s, "", copy, n);
	for (size_t i = 0; i < s.n; i++)
		bytes += strlen(s.list[i].value);
	/* A small file stays small: two bytes part the items of a list. */
	if (bytes > 3 * n)
		abort();
	settings_release(&s);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *p = (const char *)data, *end = p + n;

	read_yaml(p, n);
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));

		read_line(p, (size_t)((newline ? newline : end) - p));
		p = newline ? newline + 1 : end;
	}
	return 0;
}
