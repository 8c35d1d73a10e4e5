/* store_library - see store_library.h. */
#include "config.h"

#include "store/store_library.h"

#include <git2.h>
#include <sqlite3.h>

void store_libraries(struct library out[STORE_LIBRARIES], struct arena *a)
{
	int major, minor, revision;

	git_libgit2_version(&major, &minor, &revision);
	out[0] = (struct library){ "SQLite", sqlite3_libversion() };
	out[1] = (struct library){ "libgit2", arena_printf(a, "%d.%d.%d", major, minor, revision) };
}
