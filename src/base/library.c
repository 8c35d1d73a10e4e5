/* library - see library.h. */
#include "config.h"

#include "base/library.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <openssl/crypto.h>
#include <pcre2.h>
#include <pthread.h>
#include <zlib.h>

static char pcre2_version[64];
static pthread_once_t pcre2_asked = PTHREAD_ONCE_INIT;

/* PCRE2 copies its answer; it needs 24 bytes today and says how many. */
static void ask_pcre2(void)
{
	int n = pcre2_config(PCRE2_CONFIG_VERSION, NULL);

	if (n > 0 && n <= (int)sizeof pcre2_version)
		pcre2_config(PCRE2_CONFIG_VERSION, pcre2_version);
}

void base_libraries(struct library out[BASE_LIBRARIES])
{
	pthread_once(&pcre2_asked, ask_pcre2);
	out[0] = (struct library){ "OpenSSL", OpenSSL_version(OPENSSL_VERSION) };
	out[1] = (struct library){ "PCRE2", pcre2_version };
	out[2] = (struct library){ "zlib", zlibVersion() };
}
