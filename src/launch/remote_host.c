/* remote_host - one fixed command line for ssh, and arguments as lines behind it. */
#include "config.h"

#include "launch/remote_host.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"

/*
 * Read by the login shell of the host, whichever that is: one line, no single quote, no
 * exclamation mark.  97: the connection broke before all arguments had come.
 */
static const char remote_command[] =
	"exec sh -c 'IFS= read -r n||exit 97;"
	"while [ \"$n\" -gt 0 ];do IFS= read -r a||exit 97;set -- \"$@\" \"$a\";n=$((n-1));done;"
	"exec \"$@\"' portside";

static const char *const ssh_options[] = {
	"-T", "-x", "-a",
	"-o", "BatchMode=yes",
	"-o", "ConnectTimeout=5",
	"-o", "ServerAliveInterval=5",
	"-o", "ServerAliveCountMax=3",
	"-o", "StrictHostKeyChecking=yes",
	"-o", "RequestTTY=no",
	"-o", "LogLevel=ERROR",
	"-o", "ClearAllForwardings=yes",
	"-o", "PermitLocalCommand=no",
	"-o", "EscapeChar=none",
};

int remote_host_check(const char *name)
{
	size_t n = strlen(name);

	if (!n)
		return err_set(ERR_USAGE, "no host is given; write host = user@machine");
	if (n > REMOTE_HOST_BYTES_MAX)
		return err_set(ERR_USAGE, "the name of a host has at most %d bytes",
			REMOTE_HOST_BYTES_MAX);
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-@:[]%", name[i]))
			return err_set(ERR_USAGE, "\"%s\" is no name of a host", name);
	if (*name == '-' || *name == '@')
		return err_set(ERR_USAGE, "\"%s\" is no name of a host", name);
	return 0;
}

/* A folder that nobody else can write to or look into. */
static bool is_ours_alone(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       (st.st_mode & 077) == 0;
}

char *remote_host_control_folder(struct arena *a)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
	char *paths[] = {
		runtime && *runtime == '/' ? arena_printf(a, "%s/portside", runtime) : NULL,
		arena_printf(a, "%s/portside-%ld",
			temporary && *temporary == '/' ? temporary : "/tmp", (long)geteuid()),
		arena_printf(a, "/tmp/portside-%ld", (long)geteuid()),
	};

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (!paths[i] || strlen(paths[i]) > REMOTE_CONTROL_BYTES_MAX)
			continue;
		if (mkdir(paths[i], 0700) < 0 && errno != EEXIST)
			continue;
		if (is_ours_alone(paths[i]))
			return paths[i];
	}
	return NULL;
}

static int add_head(struct buf *head, char *const *argv)
{
	size_t n = 0;

	while (argv[n])
		n++;
	buf_addf(head, "%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		if (strchr(argv[i], '\n'))
			return err_set(ERR_USAGE,
				"an argument with a line feed does not pass to another machine");
		buf_adds(head, argv[i]);
		buf_addc(head, '\n');
	}
	return 0;
}

int remote_call_make(
	struct remote_call *out, const struct remote_host *h, char *const *argv, struct arena *a)
{
	enum { MORE = 16 };	/* program, -F, control, host, command, NULL */
	size_t n = 0;
	char **words;

	*out = (struct remote_call){ .head = BUF_INIT };
	if (remote_host_check(h->name) < 0 || add_head(&out->head, argv) < 0) {
		remote_call_release(out);
		return err_code();
	}
	out->program = fs_find_program(a, "ssh", getenv("PATH"), ".");
	if (!out->program) {
		remote_call_release(out);
		return err_set(ERR_NOT_FOUND,
			"there is no ssh program on PATH; install openssh-client");
	}
	words = arena_alloc(a, (ARRAY_LEN(ssh_options) + MORE) * sizeof *words);
	words[n++] = arena_strdup(a, "ssh");
	if (h->configuration) {
		words[n++] = arena_strdup(a, "-F");
		words[n++] = arena_strdup(a, h->configuration);
	}
	for (size_t i = 0; i < ARRAY_LEN(ssh_options); i++)
		words[n++] = arena_strdup(a, ssh_options[i]);
	if (h->control) {
		words[n++] = arena_strdup(a, "-oControlMaster=auto");
		words[n++] = arena_strdup(a, "-oControlPersist=60");
		words[n++] = arena_printf(a, "-oControlPath=%s/%%C", h->control);
	}
	words[n++] = arena_strdup(a, "--");
	words[n++] = arena_strdup(a, h->name);
	words[n++] = arena_strdup(a, remote_command);
	out->argv = words;
	return 0;
}

void remote_call_release(struct remote_call *c)
{
	buf_release(&c->head);
}
