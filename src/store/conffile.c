/*
 * conffile - the reader on libgit2: values from libgit2, lines from the check
 * that went before it.
 */
#include "config.h"
#include "store/conffile.h"

#include <fcntl.h>
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/conffile_check.h"
#include "store/repository_internal.h"

/* "target.gpu-l4.price": section, subsection with dots and all, key. */
static void add_entry(struct conf *out, const char *name, const char *value, int line)
{
	const char *dot = strchr(name, '.');
	const char *last = strrchr(name, '.');
	char *section, *sub;

	if (dot == NULL)
		return;
	section = xstrndup(name, (size_t)(dot - name));
	sub = last > dot ? xstrndup(dot + 1, (size_t)(last - dot - 1)) : xstrdup("");
	conf_add(out, section, sub, last + 1, value != NULL ? value : "", line);
	free(section);
	free(sub);
}

static int read_entries(struct conf *out, git_config *config, const struct conffile_lines *lines)
{
	git_config_iterator *it;
	git_config_entry *entry;
	size_t i = 0;
	int rc;

	if (git_config_iterator_new(&it, config) < 0)
		return err_set(ERR_PARSE, "%s: %s", out->path, git_words());
	while ((rc = git_config_next(&entry, it)) == 0 && i < lines->n)
		add_entry(out, entry->name, entry->value, lines->rows[i++]);
	git_config_iterator_free(it);
	if (rc != GIT_ITEROVER || i != lines->n)
		return err_set(ERR_PARSE,
			"%s: libgit2 and the check before it count different entries (%zu lines): "
			"write one key on a line",
			out->path, lines->n);
	return 0;
}

/* libgit2 reads configuration from files only: an unnamed one in memory. */
static int parse_checked(
	struct conf *out, const char *s, size_t n, const struct conffile_lines *lines)
{
	int fd = memfd_create("portside-conf", MFD_CLOEXEC);
	git_config *config = NULL;
	char path[64];
	int rc;

	if (fd < 0)
		return err_errno(ERR_IO, "%s cannot be read", out->path);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if ((rc = fs_write_all(fd, s, n)) == 0 && (rc = git_config_new(&config)) == 0)
		rc = git_config_add_file_ondisk(config, path, GIT_CONFIG_LEVEL_LOCAL, NULL, 1);
	if (rc < 0)
		rc = err_set(ERR_PARSE, "%s: %s", out->path, git_words());
	else
		rc = read_entries(out, config, lines);
	git_config_free(config);
	close(fd);
	return rc;
}

int conffile_parse(struct conf *out, const char *path, const char *s, size_t n)
{
	struct conffile_lines lines = { 0 };
	int rc = repository_library_init();

	out->path = arena_strdup(&out->arena, path);
	if (n > CONFFILE_BYTES_MAX)
		return err_set(ERR_PARSE, "%s: larger than %d bytes, which is no configuration",
			path, CONFFILE_BYTES_MAX);
	if (rc == 0)
		rc = conffile_check(&lines, path, s, n);
	if (rc == 0 && lines.n > 0)
		rc = parse_checked(out, s, n, &lines);
	free(lines.rows);
	return rc;
}

int conffile_read(struct conf *out, const char *path)
{
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, path, CONFFILE_BYTES_MAX);

	if (rc == 0)
		rc = conffile_parse(out, path, text.s, text.n);
	buf_release(&text);
	return rc;
}
