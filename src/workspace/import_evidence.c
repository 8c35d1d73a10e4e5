/* import_evidence - files that tell facts, among those that are imported; see import.h. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/evidence_bytes.h"
#include "workspace/import_private.h"

/* "41 facts (torch_xla metrics report): ok", for each format that is in the file. */
static void read_format(struct import_work *w, const struct evidence_format *format,
	const struct evidence_source *source, size_t listed)
{
	struct imported_file *row = &w->out->files[listed];
	struct evidence_facts facts = EVIDENCE_FACTS_INIT;
	struct buf health = BUF_INIT;

	evidence_format_parse(&facts, format, source);
	evidence_health_add_line(&health, &facts.health);
	row->facts += (int64_t)facts.n;
	row->evidence = arena_printf(w->a, "%s%s%zu fact%s: %s", row->evidence ? row->evidence : "",
		row->evidence ? "; " : "", facts.n, facts.n == 1 ? "" : "s", health.s);
	row->format = *row->format ? arena_printf(w->a, "%s, %s", row->format, format->title) :
				     format->title;
	buf_release(&health);
	evidence_facts_release(&facts);
}

static const struct evidence_format *read_formats(
	struct import_work *w, const struct evidence_source *source, size_t listed)
{
	const struct evidence_format *first = evidence_format_recognise(source, NULL);

	for (const struct evidence_format *f = first; f; f = evidence_format_recognise(source, f))
		read_format(w, f, source, listed);
	return first;
}

int import_look_for_evidence(const struct evidence_format **out, struct import_work *w,
	const char *path, const char *name, size_t listed)
{
	struct evidence_bytes bytes;
	int fd = fs_open_file(path), rc = 0;

	*out = NULL;
	if (fd < 0)
		return fd;
	if (evidence_bytes_may_tell(fd, 0)) {
		rc = evidence_bytes_read(&bytes, fd, path, NULL, w->request->cancel);
		if (rc == 0) {
			struct evidence_source source = { bytes.s, bytes.n, name, NULL };

			*out = read_formats(w, &source, listed);
			evidence_bytes_release(&bytes);
		}
	}
	close(fd);
	return rc;
}

/* What a program prints among other lines makes a log no report.  A table of nvidia-smi
 * would be a curve by its form. */
bool import_is_evidence(const struct import_work *w, const struct import_source *s,
	const struct evidence_format *evidence)
{
	static const char *const log_ends[] = { ".log", ".out", ".err" };

	if (!s->format || strcmp(evidence->name, "nvidia-smi") == 0)
		return true;
	if (s->format->rank > RANK_TEXT)
		return false;
	/* Beside a run that is there, its own log is no question. */
	if (!evidence->in_log || text_starts(w->request->subject, "ps-"))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(log_ends); i++)
		if (text_ends(s->name, log_ends[i]))
			return false;
	return true;
}
