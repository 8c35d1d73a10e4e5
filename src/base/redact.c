/* Takes known secrets and known shapes of secrets out of a text. */
#include "config.h"

#include "base/redact.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* A prefix that begins a word, and what may follow it. */
static const struct shape {
	const char *prefix, *name;
	const char *more;	/* further characters beside letters and digits */
	size_t least;		/* characters after the prefix */
} shapes[] = {
	{ "hf_", "hf_ token", "", 16 },
	{ "ghp_", "ghp_ token", "", 16 },
	{ "gho_", "gho_ token", "", 16 },
	{ "ghu_", "ghu_ token", "", 16 },
	{ "ghs_", "ghs_ token", "", 16 },
	{ "ghr_", "ghr_ token", "", 16 },
	{ "glpat-", "glpat- token", "-_", 16 },
	{ "xoxb-", "xoxb- token", "-", 16 },
	{ "xoxp-", "xoxp- token", "-", 16 },
	{ "github_pat_", "github_pat_ token", "_", 16 },
	{ "sk-", "sk- key", "-_", 16 },
	{ "AKIA", "AKIA key", "", 12 },
	{ "ASIA", "ASIA key", "", 12 },
	{ "AIza", "AIza key", "-_", 30 },
	{ "Bearer ", "bearer token", "-_.~+/=", 16 },
	{ "ya29.", "ya29. token", "-_.", 10 },
};

static const char pem_begin[] = "-----BEGIN ";
static const char pem_kind[] = "PRIVATE KEY";
static const char pem_end[] = "-----END ";

enum { PEM_LABEL_MAX_BYTES = 64 };

/* Compared in any case, anywhere in the name. */
static const char *const secret_parts[] = {
	"token", "secret", "passw", "credential", "api_key", "apikey", "private", "auth", "cookie",
};

struct secret {
	char *name, *value;
	size_t n;
};

struct redact {
	struct secret *secrets;		/* the longest first */
	size_t n, cap;
	bool first[256];		/* bytes that a value begins with */
};

/* GIT_AUTHOR_NAME is an author's; AUTHORIZATION is a secret. */
static bool is_author(const char *part)
{
	return strncasecmp(part, "author", 6) == 0 && strncasecmp(part, "authori", 7) != 0;
}

bool redact_secret_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(secret_parts); i++)
		for (const char *p = name; (p = strcasestr(p, secret_parts[i])) != NULL; p++)
			if (!is_author(p))
				return true;
	return false;
}

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
		if (redact_secret_name(name))
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

/* Bytes of the label between "-----BEGIN " and "-----", 0 where there is none: a
 * label has no dash, and is short, so that no text makes the search long. */
static size_t pem_label(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && i < PEM_LABEL_MAX_BYTES && s[i] != '-' && s[i] != '\n')
		i++;
	return n - i >= 5 && memcmp(s + i, "-----", 5) == 0 ? i : 0;
}

/* From BEGIN ... PRIVATE KEY to the END line, or to the end of the text. */
static struct found find_pem(const char *s, size_t n)
{
	struct found f = { 0, 0, "private key" };
	size_t begin = sizeof pem_begin - 1, kind = sizeof pem_kind - 1, label;
	const char *end, *line;

	if (n < begin || memcmp(s, pem_begin, begin) != 0)
		return f;
	label = pem_label(s + begin, n - begin);
	if (label < kind || memcmp(s + begin + label - kind, pem_kind, kind) != 0)
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

/* ---- values that a name gives away ---------------------------------------- */

/* What names of secrets end in; "num_tokens" and "tokenizer" are none. */
static const char *const endings[] = {
	"token",
	"secret",
	"password",
	"passwd",
	"passphrase",
	"credential",
	"credentials",
	"apikey",
	"api_key",
	"api-key",
	"access_key",
	"access-key",
	"secret_key",
	"secret-key",
	"private_key",
	"private-key",
	"auth_key",
};

enum {
	NAME_MAX_BYTES = 64,
	VALUE_MIN_BYTES = 8,
	VALUE_TELLS_BYTES = 256,	/* a value shows a letter and a digit within these */
};

static bool name_is_secret(const char *s, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t end = strlen(endings[i]);

		if (n >= end && strncasecmp(s + n - end, endings[i], end) == 0)
			return true;
	}
	return false;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Letters and digits, and nothing that a program computes: no number, no word,
 * no $VARIABLE, no <marker>, nothing that was taken out before. */
static size_t value_length(const char *s, size_t n)
{
	bool letter = false, digit = false;
	size_t i;

	for (i = 0; i < n && !isspace((unsigned char)s[i]) && s[i] &&
		!strchr("\"'`,;&(){}[]<>$|", s[i]);
		i++) {
		letter = letter || isalpha((unsigned char)s[i]);
		digit = digit || isdigit((unsigned char)s[i]);
		if (i == VALUE_TELLS_BYTES && !(letter && digit))
			return 0;
	}
	return i >= VALUE_MIN_BYTES && letter && digit ? i : 0;
}

/* NAME=VALUE, NAME: VALUE, "NAME": "VALUE", and --NAME VALUE when S is behind two
 * dashes: the value goes, the name stays. */
static struct found find_named(const char *s, size_t n, bool is_option)
{
	struct found none = { 0, 0, "secret" };
	size_t name = 0, i;
	bool separated;

	while (name < n && name <= NAME_MAX_BYTES && in_name(s[name]))
		name++;
	if (name > NAME_MAX_BYTES || !name_is_secret(s, name))
		return none;
	i = name;
	if (i < n && (s[i] == '"' || s[i] == '\''))
		i++;
	separated = i < n && (s[i] == '=' || s[i] == ':');
	if (!separated && !(is_option && i < n && s[i] == ' '))
		return none;
	i++;
	while (i < n && s[i] == ' ')
		i++;
	if (i < n && (s[i] == '"' || s[i] == '\''))
		i++;
	none.skip = i;
	none.n = i < n ? value_length(s + i, n - i) : 0;
	return none;
}

/* ---- one place of a text ---------------------------------------------------- */

static struct found find_at(const struct redact *r, const char *whole, size_t at, size_t size)
{
	const char *s = whole + at;
	size_t n = size - at;
	struct found f = find_value(r, s, n);
	bool word_start = at == 0 || !isalnum((unsigned char)s[-1]);

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
	case 'h': case 'g': case 's': case 'A': case 'y': case 'x': case 'B':
		f = word_start ? find_shape(s, n) : f;
		break;
	default:
		break;
	}
	if (!f.n && isalpha((unsigned char)*s) && (at == 0 || !in_name(s[-1]) || s[-1] == '-'))
		f = find_named(s, n, at >= 2 && s[-1] == '-' && s[-2] == '-');
	return f;
}

bool redact_text(const struct redact *r, struct buf *out, const char *s, size_t n)
{
	bool any = false;
	size_t kept = 0;

	for (size_t i = 0; i < n;) {
		struct found f = find_at(r, s, i, n);

		if (f.n) {
			buf_add(out, s + kept, i + f.skip - kept);
			buf_addf(out, "[redacted %s]", f.name);
			i += f.skip + f.n;
			kept = i;
			any = true;
		} else {
			i++;
		}
	}
	buf_add(out, s + kept, n - kept);
	return any;
}

void redact_argument(const struct redact *r, struct buf *out, const char *before, const char *s)
{
	size_t n = strlen(s);

	/* --password VALUE: two arguments, of which only the first gives it away. */
	if (before && text_starts(before, "--") && !strchr(before, '=') &&
		name_is_secret(before, strlen(before)) && value_length(s, n) == n)
		buf_adds(out, "[redacted secret]");
	else
		redact_text(r, out, s, n);
}

void redact_mask(const struct redact *r, char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		struct found f = find_at(r, s, i, n);

		if (f.n)
			memset(s + i + f.skip, '*', f.n);
		i += f.n ? f.skip + f.n : 1;
	}
}

bool redact_finds(const struct redact *r, const char *s, size_t n, const char **name)
{
	for (size_t i = 0; i < n; i++) {
		struct found f = find_at(r, s, i, n);

		if (f.n) {
			if (name)
				*name = f.name;
			return true;
		}
	}
	return false;
}
