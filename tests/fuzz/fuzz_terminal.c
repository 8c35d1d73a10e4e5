/* fuzz_terminal - any bytes as a file of that format; see fuzz_reader.h. */
#include "config.h"

#include "curve/terminal.h"
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_reader(&terminal_format, data, n);
}
