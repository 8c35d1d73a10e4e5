/*
 * main - the program: the only file that knows both the command line and the
 * screen.  It sets what is process-wide (locale, libgit2's options) before any
 * thread exists, and hands control to one of the two.
 */
#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "launch/supervisor.h"
#include "ui/screen.h"

static int open_screen(const struct cli_options *o)
{
	struct screen_options screen = {
		.directory = o->directory, .position = o->position, .program = o->program,
		.read_only = o->read_only, .ascii = o->ascii, .color = o->color, .view = o->view,
	};

	if (screen_run(&screen) < 0) {
		fprintf(stderr, "portside: %s\n", err_text());
		return cli_exit_status(err_code());
	}
	return 0;
}

static int show_view(const struct cli_options *o)
{
	struct screen_options screen = {
		.directory = o->directory,
		.position = o->position,
		.program = o->program,
		.read_only = o->read_only,
		.ascii = o->ascii,
		.color = o->color,
		.view = o->view,
		.size = o->size,
	};

	if (screen_show(&screen) < 0) {
		fprintf(stderr, "portside: %s\n", err_text());
		return cli_exit_status(err_code());
	}
	return 0;
}

/*
 * A standard stream that the caller closed is held by the null device, opened for
 * reading: else the next file of ours would get its number, and an error message
 * would be written into that file.  Writing to it fails, as it should.
 */
static int hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct cli_screen screen = { open_screen, show_view };

	if (hold_standard_streams() < 0)
		return cli_exit_status(ERR_IO);
	/* What is made here can be read and written by its owner at least. */
	umask(umask(0) & 077);
	if (argc > 1 && strcmp(argv[1], "supervise") == 0)
		return supervisor_main(argc - 1, argv + 1);
	/* Only the character set: a decimal comma would get into JSON. */
	setlocale(LC_CTYPE, "");
	return cli_main(argc, argv, &screen);
}
