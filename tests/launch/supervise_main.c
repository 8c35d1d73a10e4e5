/* A program with the one subcommand that a launcher needs: `supervise`. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "launch/supervisor.h"

int main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "supervise") != 0) {
		fputs("usage: supervise supervise RUNDIR\n", stderr);
		return 2;
	}
	return supervisor_main(argc - 1, argv + 1);
}
