/* accept_file - see accept_file.h. */
#include "config.h"

#include "workspace/accept_file.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json_build.h"
#include "base/redact.h"

static int check_seen(
	const struct accept_file *file, const struct accept_offer *offer, const char *seen)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, offer->digest);
	if (!seen || !*seen || strcmp(seen, hex) == 0)
		return 0;
	return err_set(ERR_STATE, "%s has changed since it was shown; look at it again: %s",
		file->name, file->command);
}

/* What is weaker than before needs a reason that a reviewer can read. */
static int check_reason(const struct accept_offer *offer, const char *reason)
{
	const struct accepted_differences *d = offer->differences;

	if (!d->loosened || (reason && reason[strspn(reason, " \t\n")]))
		return 0;
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].loosened)
			return err_set(ERR_REFUSED,
				"this is loosened%s: %s; accepting it needs a reason (--reason)",
				offer->after_failure ? " after failure" : "", d->list[i].text);
	return 0;
}

/* The accepted text is kept for ever and travels. */
static int check_secrets(const struct accept_file *file, const char *s)
{
	const char *name = "";
	struct redact *r = redact_new();
	int line = 1, rc = 0;

	redact_add_environment(r, environ);
	for (; *s && rc == 0; line++) {
		size_t n = strcspn(s, "\n");

		if (redact_finds(r, s, n, &name))
			rc = err_set(ERR_REFUSED, "%s:%d: this looks like a secret (%s); %s",
				file->name, line, name, file->secrets);
		s += n + (s[n] == '\n');
	}
	redact_free(r);
	return rc;
}

int accept_file_check(const struct accept_file *file, const struct accept_offer *offer,
	const char *reason, const char *seen)
{
	int rc = check_seen(file, offer, seen);

	if (rc < 0 || (rc = check_reason(offer, reason)) < 0)
		return rc;
	return check_secrets(file, offer->text);
}

static const char *summary_of(const struct accepted_differences *d, const char *note,
	const char *reason, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < d->n; i++)
		buf_addf(&b, "%s%s\n", d->list[i].loosened ? "LOOSENED " : "", d->list[i].text);
	buf_adds(&b, note);
	if (reason && *reason)
		buf_addf(&b, "reason: %s\n", reason);
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

struct json *accept_file_data(const struct accept_offer *offer, const char *note,
	const char *reason, struct arena *a)
{
	const struct accepted_differences *d = offer->differences;
	struct json *data = json_new_object(a, NULL), *loosened = json_new_list(a, "loosened");
	char *hex = arena_alloc(a, DIGEST_HEX + 1);

	digest_hex(hex, offer->digest);
	json_append(data, json_new_text(a, "digest", hex));
	json_append(data, json_new_text(a, "text", offer->text));
	json_append(data, json_new_text(a, "summary", summary_of(d, note, reason, a)));
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].loosened)
			json_append(loosened, json_new_text(a, NULL, d->list[i].key));
	json_append(data, loosened);
	return data;
}
