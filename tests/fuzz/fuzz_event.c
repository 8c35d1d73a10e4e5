/*
 * Events and segments from elsewhere: what event_parse() takes is canonical, so
 * writing it again gives the same bytes and the same id.
 */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/event.h"
#include "store/segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_event(struct arena *a, const char *s, size_t n)
{
	struct event *e;
	struct digest id;

	if (event_parse(&e, a, s, n) < 0)
		return;
	id = e->id;
	if (event_write(e, a) < 0 || e->body_n != n || memcmp(e->body, s, n) ||
	    !digest_equal(&id, &e->id))
		abort();
}

/* Under its right name, so that the lines are looked at. */
static void check_segment(struct arena *a, const char *s, size_t n)
{
	struct digest d = sha256_bytes(s, n);
	char name[DIGEST_HEX + 1];
	struct event_segment segment;
	size_t i, total = 0;

	digest_hex(name, &d);
	if (segment_parse(&segment, a, name, s, n) < 0)
		return;
	for (i = 0; i < segment.n_lines; i++)
		total += segment.lines[i].n + 1;
	if (total != n)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;

	check_event(&a, (const char *)data, size);
	check_segment(&a, (const char *)data, size);
	arena_release(&a);
	return 0;
}
