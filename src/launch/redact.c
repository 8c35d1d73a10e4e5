/* Takes known secrets and known shapes of secrets out of a text. */
#include "config.h"

#include "launch/redact.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "launch/environment.h"

/* A prefix that begins a word, and what may follow it. */
static const struct shape {
	const char *prefix, *name;
	const char *more;	/* further characters beside letters and digits */
	size_t least;		/* characters after the prefix */
} shapes[] = {
	{ "hf_", "hf_ token", "", 16 },
	{ "ghp_", "ghp_ token", "", 16 },
	{ "github_pat_", "github_pat_ token", "_", 16 },
	{ "sk-", "sk- key", "-_", 16 },
	{ "AKIA", "AKIA key", "", 12 },
	{ "ya29.", "ya29. token", "-_.", 10 },
};

static const char pem_begin[] = "-----BEGIN ";
static const char pem_kind[] = "PRIVATE KEY-----";
static const char pem_end[] = "-----END ";

struct secret {
	char *name, *value;
	size_t n;
};

struct redact {
	struct secret *secrets;		/* the longest first */
	size_t n, cap;
	bool first[256];		/* bytes that a value begins with */
};

struct redact *redact_new(void)
{
	return xcalloc(1, sizeof(struct redact));
}

void redact_free(struct redact *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++) {
		explicit_bzero(r->secrets[i].value, r->secrets[i].n);
		free(r->secrets[i].value);
		free(r->secrets[i].name);
	}
	free(r->secrets);
	free(r);
}

/* A secret that contains another one must be looked for first. */
static int compare(const void *a, const void *b)
{
	const struct secret *x = a, *y = b;

	return (x->n < y->n) - (x->n > y->n);
}

void redact_add(struct redact *r, const char *name, const char *value)
{
	struct secret s = { .n = value ? strlen(value) : 0 };

	if (s.n < REDACT_MIN_BYTES)
		return;
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->secrets[i].value, value) == 0)
			return;
	s.name = xstrdup(name);
	s.value = xstrdup(value);
	ARRAY_GROW(r->secrets, r->n, r->cap);
	r->secrets[r->n++] = s;
	r->first[(unsigned char)value[0]] = true;
	qsort(r->secrets, r->n, sizeof *r->secrets, compare);
}

void redact_add_environment(struct redact *r, char *const *environment)
{
	for (; environment && *environment; environment++) {
		const char *equal = strchr(*environment, '=');
		char *name;

		if (!equal)
			continue;
		name = xstrndup(*environment, (size_t)(equal - *environment));
		if (environment_name_secret(name))
			redact_add(r, name, equal + 1);
		free(name);
	}
}

struct found {
	size_t skip;		/* bytes kept before the secret */
	size_t n;		/* bytes of the secret, 0: none here */
	const char *name;
};

static struct found find_value(const struct redact *r, const char *s, size_t n)
{
	if (r && r->first[(unsigned char)*s])
		for (size_t i = 0; i < r->n; i++)
			if (r->secrets[i].n <= n &&
				memcmp(r->secrets[i].value, s, r->secrets[i].n) == 0)
				return (struct found){ 0, r->secrets[i].n, r->secrets[i].name };
	return (struct found){ 0, 0, NULL };
}

static struct found find_shape(const char *s, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		const struct shape *h = &shapes[i];
		size_t prefix = strlen(h->prefix), end = prefix;

		if (n < prefix || memcmp(s, h->prefix, prefix) != 0)
			continue;
		while (end < n &&
			(isalnum((unsigned char)s[end]) || (s[end] && strchr(h->more, s[end]))))
			end++;
		if (end - prefix >= h->least)
			return (struct found){ 0, end, h->name };
	}
	return (struct found){ 0, 0, NULL };
}

/* From BEGIN ... PRIVATE KEY to the END line, or to the end of the text. */
static struct found find_pem(const char *s, size_t n)
{
	struct found f = { 0, 0, "private key" };
	size_t begin = sizeof pem_begin - 1;
	const char *line, *kind, *end;

	if (n < begin || memcmp(s, pem_begin, begin) != 0)
		return f;
	line = memchr(s, '\n', n);
	kind = memmem(s, n, pem_kind, sizeof pem_kind - 1);
	if (!kind || (line && kind > line))
		return f;
	f.n = n;
	end = memmem(s + begin, n - begin, pem_end, sizeof pem_end - 1);
	if (end) {
		size_t at = (size_t)(end - s) + sizeof pem_end - 1;

		line = memmem(s + at, n - at, "-----", 5);
		f.n = line ? (size_t)(line - s) + 5 : n;
	}
	return f;
}

/* "://USER:PASSWORD@": the password goes, the rest stays. */
static struct found find_url(const char *s, size_t n)
{
	struct found none = { 0, 0, "URL password" };
	size_t colon = 0;

	if (n < 6 || memcmp(s, "://", 3) != 0)
		return none;
	for (size_t i = 3; i < n; i++) {
		if (isspace((unsigned char)s[i]) || s[i] == '/' || s[i] == '"' || s[i] == '\'' ||
			s[i] == '\0')
			return none;
		if (s[i] == ':' && !colon)
			colon = i;
		if (s[i] == '@' && colon && i > colon + 1) {
			while (i + 1 < n && s[i + 1] == '@')
				i++;
			return (struct found){ colon + 1, i - colon - 1, none.name };
		}
	}
	return none;
}

static struct found find_at(const struct redact *r, const char *s, size_t n, bool word_start)
{
	struct found f = find_value(r, s, n);

	if (f.n)
		return f;
	switch (*s) {
	case '-':
		return find_pem(s, n);
	case ':':
		f = find_url(s, n);
		/* A URL that was redacted before stays as it is. */
		if (f.n && s[f.skip] == '[' && strncmp(s + f.skip, "[redacted ", 10) == 0)
			f.n = 0;
		return f;
	case 'h': case 'g': case 's': case 'A': case 'y':
		return word_start ? find_shape(s, n) : f;
	default:
		return f;
	}
}

bool redact_text(const struct redact *r, struct buf *out, const char *s, size_t n)
{
	bool any = false, word_start = true;
	size_t kept = 0;

	for (size_t i = 0; i < n;) {
		struct found f = find_at(r, s + i, n - i, word_start);

		if (f.n) {
			buf_add(out, s + kept, i + f.skip - kept);
			buf_addf(out, "[redacted %s]", f.name);
			i += f.skip + f.n;
			kept = i;
			any = true;
		} else {
			i++;
		}
		word_start = i == 0 || !isalnum((unsigned char)s[i - 1]);
	}
	buf_add(out, s + kept, n - kept);
	return any;
}

bool redact_finds(const struct redact *r, const char *s, size_t n, const char **name)
{
	bool word_start = true;

	for (size_t i = 0; i < n; i++) {
		struct found f = find_at(r, s + i, n - i, word_start);

		if (f.n) {
			if (name)
				*name = f.name;
			return true;
		}
		word_start = !isalnum((unsigned char)s[i]);
	}
	return false;
}
