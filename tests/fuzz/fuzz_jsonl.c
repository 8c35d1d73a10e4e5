/* fuzz_jsonl - any bytes as a file of that format; see fuzz_reader.h. */
#include "config.h"

#include "curve/jsonl.h"
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_reader(&jsonl_format, data, n);
}
