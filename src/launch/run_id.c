/* Random run ids and the check of foreign ones. */
#include "config.h"

#include "launch/run_id.h"

#include <string.h>

#include "base/hash.h"

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
static const char prefix[] = "ps-";

void run_id_new(char out[RUN_ID_SIZE])
{
	unsigned char random[RUN_ID_LENGTH];
	size_t start = sizeof prefix - 1;

	random_bytes(random, sizeof random);
	memcpy(out, prefix, start);
	for (size_t i = start; i < RUN_ID_LENGTH; i++)
		out[i] = alphabet[random[i] & 31];
	out[RUN_ID_LENGTH] = '\0';
}

bool run_id_valid(const char *s)
{
	size_t start = sizeof prefix - 1;

	if (!s || strlen(s) != RUN_ID_LENGTH || strncmp(s, prefix, start) != 0)
		return false;
	return strspn(s + start, alphabet) == RUN_ID_LENGTH - start;
}
