/* test_tensor_files - headers of tensor files: what is read, and what is refused. */
#include "config.h"

#include "tensor_make.h"

#include "base/err.h"
#include "evidence/npy.h"
#include "evidence/npz.h"
#include "evidence/safetensors.h"
#include "evidence/tensor_set.h"
#include "evidence/tensor_stream.h"

static const float six[] = { 1, 2, 3, 4, 5, 6 };

/* ---- safetensors --------------------------------------------------------- */

#define ROW(name, type, shape, begin, end)                                                         \
	"\"" name "\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":[" begin        \
	"," end "]}"

static void test_safetensors_is_read(void **state)
{
	struct arena a = ARENA_INIT;
	struct tensor *rows;
	size_t n;
	const char *path = make_safetensors("a.safetensors",
		"{\"__metadata__\":{\"format\":\"pt\"}," ROW("w", "F32", "[2,3]", "0",
			"24") "," ROW("empty", "BF16", "[0,7]", "24", "24") "," ROW("one", "I16",
			"[]", "24", "26") "}  ",
		"012345678901234567890123xy", 26);

	(void)state;
	assert_int_equal(safetensors_read(&rows, &n, &a, path), 0);
	assert_int_equal(n, 3);
	assert_string_equal(rows[0].name, "w");
	assert_int_equal(rows[0].type, TENSOR_F32);
	assert_int_equal(rows[0].n_dimensions, 2);
	assert_int_equal(rows[0].dimensions[1], 3);
	assert_int_equal(rows[0].count, 6);
	assert_string_equal(rows[1].name, "empty");
	assert_int_equal(rows[1].count, 0);
	assert_string_equal(rows[2].name, "one");
	assert_int_equal(rows[2].count, 1);
	assert_int_equal(rows[2].size_bytes, 2);
	arena_release(&a);
}

static void test_safetensors_type_unknown(void **state)
{
	struct arena a = ARENA_INIT;
	struct tensor *rows;
	size_t n;

	(void)state;
	assert_int_equal(safetensors_read(&rows, &n, &a,
				 make_safetensors("t.safetensors",
					 "{" ROW("q", "F4", "[3]", "0", "2") "}", "xy", 2)),
		0);
	assert_int_equal(rows[0].type, TENSOR_UNKNOWN);
	assert_string_equal(rows[0].unread, "type \"F4\" is not one that is compared");
	arena_release(&a);
}

static void test_safetensors_is_refused(void **state)
{
	static const struct {
		const char *header, *says;
		size_t n;
	} cases[] = {
		{ "{" ROW("a", "U8", "[4]", "0", "4") "," ROW("b", "U8", "[4]", "2", "6") "}",
			"overlaps", 6 },
		{ "{" ROW("a", "U8", "[2]", "0", "2") "," ROW("b", "U8", "[2]", "4", "6") "}",
			"leaves a hole", 6 },
		{ "{" ROW("a", "U8", "[2]", "1", "3") "}", "leaves a hole", 3 },
		{ "{" ROW("a", "U8", "[2]", "0", "2") "}", "belong to no tensor", 3 },
		{ "{" ROW("a", "U8", "[4]", "0", "4") "}", "was cut", 3 },
		{ "{" ROW("a", "U8", "[4]", "3", "1") "}", "lies at 3 to 1", 4 },
		{ "{" ROW("a", "F32", "[1]", "0", "3") "}", "shape and type need 4", 3 },
		{ "{" ROW("a", "U8", "[4294967296,4294967296]", "0", "4") "}", "too many elements",
			4 },
		{ "{" ROW("a", "F64", "[0,9223372036854775807,9]", "0", "0") "}",
			"too many elements", 0 },
		{ "{" ROW("a", "U8", "[-1]", "0", "4") "}", "no count", 4 },
		{ "{" ROW("a", "U8", "[1.5]", "0", "4") "}", "no count", 4 },
		{ "{" ROW("a", "U8", "[4]", "-1", "4") "}", "no pair", 4 },
		{ "{" ROW("a", "U8", "[4]", "0", "18446744073709551616") "}", "no pair", 4 },
		{ "{" ROW("a", "U8", "7", "0", "4") "}", "no shape", 4 },
		{ "{\"a\":{\"shape\":[1],\"data_offsets\":[0,1]}}", "no dtype", 1 },
		{ "{\"a\":7}", "no dtype", 1 },
		{ "{" ROW("a", "U8", "[1]", "0", "1") "," ROW("a", "U8", "[1]", "0", "1") "}",
			"header", 1 },
		{ "[]", "no JSON object", 0 },
		{ "{\"a\":", "header", 0 },
	};
	struct arena a = ARENA_INIT;
	struct tensor *rows;
	size_t n;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *path = make_safetensors(
			"bad.safetensors", cases[i].header, "abcdefgh", cases[i].n);

		assert_int_equal(safetensors_read(&rows, &n, &a, path), ERR_PARSE);
		if (!strstr(err_text(), cases[i].says))
			fail_msg("case %zu: \"%s\" lacks \"%s\"", i, err_text(), cases[i].says);
	}
	assert_int_equal(safetensors_read(&rows, &n, &a,
				 make_file("long", "\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)),
		ERR_PARSE);
	assert_int_equal(safetensors_read(&rows, &n, &a, make_file("short", "abc", 3)), ERR_PARSE);
	arena_release(&a);
}

/* ---- npy ----------------------------------------------------------------- */

static int parse(struct tensor *t, struct arena *a, int version, const char *header)
{
	struct buf b = BUF_INIT;
	int rc;

	make_npy(&b, version, header, NULL, 0);
	*t = (struct tensor){ 0 };
	rc = npy_parse(t, a, b.s, b.n, "x.npy");
	buf_release(&b);
	return rc;
}

static void test_npy_is_read(void **state)
{
	static const struct {
		const char *header;
		enum tensor_type type;
		unsigned dimensions;
		uint64_t count;
		bool fortran, big;
	} cases[] = {
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", TENSOR_F32, 2,
			6, false, false },
		{ "{'descr': '>f8', 'fortran_order': True, 'shape': (2,3)}", TENSOR_F64, 2, 6, true,
			true },
		{ "{\"shape\":(7,),\"descr\":\"<f2\",\"fortran_order\":False}", TENSOR_F16, 1, 7,
			false, false },
		{ "{'descr': '|b1', 'fortran_order': False, 'shape': ()}", TENSOR_BOOL, 0, 1, false,
			false },
		{ "{'descr': '|i1', 'fortran_order': False, 'shape': (0, 4)}", TENSOR_I8, 2, 0,
			false, false },
		{ "{'descr': '<u8', 'fortran_order': False, 'shape': (2L, 2L)}", TENSOR_U64, 2, 4,
			false, false },
	};
	struct arena a = ARENA_INIT;
	struct tensor t;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (int version = 1; version <= 3; version++) {
			assert_int_equal(parse(&t, &a, version, cases[i].header), 0);
			assert_null(t.unread);
			assert_int_equal(t.type, cases[i].type);
			assert_int_equal(t.n_dimensions, cases[i].dimensions);
			assert_int_equal(t.count, cases[i].count);
			assert_int_equal(t.fortran_order, cases[i].fortran);
			assert_int_equal(t.big_endian, cases[i].big);
		}
	arena_release(&a);
}

/* bfloat16 has no name in .npy: it is told apart from everything, and not guessed. */
static void test_npy_types_that_are_not_compared(void **state)
{
	static const struct {
		const char *descr, *says;
	} cases[] = {
		{ "'<V2'", "bytes without a type" },
		{ "'|O'", "Python objects" },
		{ "'<c8'", "complex" },
		{ "'<U7'", "text" },
		{ "'<M8[ns]'", "dates" },
		{ "'f4'", "order of its bytes" },
		{ "'<f1'", "not one that is compared" },
		{ "''", "not one that is compared" },
		{ "[('a', '<f4'), ('b', '<i4', (2,))]", "structures" },
	};
	struct arena a = ARENA_INIT;
	struct tensor t;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *header = arena_printf(
			&a, "{'descr': %s, 'fortran_order': False, 'shape': (2,)}", cases[i].descr);

		assert_int_equal(parse(&t, &a, 1, header), 0);
		assert_int_equal(t.type, TENSOR_UNKNOWN);
		if (!t.unread || !strstr(t.unread, cases[i].says))
			fail_msg("%s: \"%s\"", cases[i].descr, t.unread ? t.unread : "");
	}
	arena_release(&a);
}

static void test_npy_is_refused(void **state)
{
	static const char *const headers[] = {
		"",
		"{}",
		"{'descr': '<f4', 'fortran_order': False}",
		"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)",
		"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
		"{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (1,)}",
		"{'descr': [('a', '<f4', 'fortran_order': False, 'shape': (1,)}",
		"__import__('os')",
	};
	struct arena a = ARENA_INIT;
	struct tensor t;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(headers); i++)
		if (parse(&t, &a, 1, headers[i]) != ERR_PARSE)
			fail_msg("read: %s", headers[i]);
	assert_int_equal(parse(&t, &a, 4, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}"),
		ERR_PARSE);
	assert_int_equal(npy_read(&t, &a,
				 make_npy_file("cut.npy",
					 "{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}",
					 six, 24)),
		ERR_PARSE);
	assert_non_null(strstr(err_text(), "24 bytes of values, and shape and type need 28"));
	arena_release(&a);
}

/* ---- streams ------------------------------------------------------------- */

/* Reads T and compares it with N bytes. */
static void assert_values(const struct tensor *t, bool turned, const void *wanted, size_t n)
{
	unsigned char got[4096];
	struct tensor_stream *s;

	assert_true(n <= sizeof got && t->size_bytes == n);
	if (tensor_stream_open(&s, t, turned) < 0)
		fail_msg("%s", err_text());
	for (size_t i = 0; i < n; i += 4)		/* a few bytes at once */
		assert_int_equal(tensor_stream_read(s, got + i, n - i < 4 ? n - i : 4), 0);
	assert_int_equal(tensor_stream_end(s), 0);
	tensor_stream_free(s);
	assert_memory_equal(got, wanted, n);
}

static void test_orders_of_bytes_and_dimensions(void **state)
{
	static const unsigned char big_fortran[] = { 0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6 };
	static const uint16_t in_c_order[] = { 1, 2, 3, 4, 5, 6 };
	static const uint16_t in_file_order[] = { 1, 4, 2, 5, 3, 6 };
	struct arena a = ARENA_INIT;
	struct tensor t;
	const char *path = make_npy_file("f.npy",
		"{'descr': '>u2', 'fortran_order': True, 'shape': (1, 2, 1, 3)}", big_fortran,
		sizeof big_fortran);

	(void)state;
	assert_int_equal(npy_read(&t, &a, path), 0);
	t.name = "t";
	assert_values(&t, true, in_c_order, sizeof in_c_order);
	assert_values(&t, false, in_file_order, sizeof in_file_order);
	arena_release(&a);
}

/* Three dimensions, and more than one slab and window of them. */
static void test_a_large_array_is_turned(void **state)
{
	enum { A = 150, B = 170, C = 190 };
	static int32_t file[A * B * C], got[B * C];
	struct arena a = ARENA_INIT;
	struct tensor_stream *s;
	struct tensor t;
	const char *path;

	(void)state;
	for (int i = 0; i < A; i++)
		for (int k = 0; k < B; k++)
			for (int m = 0; m < C; m++)
				file[i + A * (k + B * m)] = (i * B + k) * C + m;
	path = make_npy_file("large.npy",
		"{'descr': '<i4', 'fortran_order': True, 'shape': (150, 170, 190)}", file,
		sizeof file);
	assert_int_equal(npy_read(&t, &a, path), 0);
	t.name = "t";
	assert_int_equal(tensor_stream_open(&s, &t, true), 0);
	for (int i = 0; i < A; i++) {
		assert_int_equal(tensor_stream_read(s, got, sizeof got), 0);
		for (int k = 0; k < B * C; k++)
			if (got[k] != i * B * C + k)
				fail_msg("row %d, place %d: %d", i, k, got[k]);
	}
	assert_int_equal(tensor_stream_end(s), 0);
	tensor_stream_free(s);
	unlink(path);
	arena_release(&a);
}

/* Another process cuts the file after its header was read. */
static void test_a_file_that_is_cut_is_an_error(void **state)
{
	struct arena a = ARENA_INIT;
	struct tensor_stream *s;
	struct tensor t;
	unsigned char got[24];
	const char *path = make_npy_file("now.npy",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", six, sizeof six);

	(void)state;
	assert_int_equal(npy_read(&t, &a, path), 0);
	t.name = "t";
	assert_int_equal(tensor_stream_open(&s, &t, false), 0);
	assert_int_equal(truncate(path, t.offset_bytes + 10), 0);
	assert_int_equal(tensor_stream_read(s, got, sizeof got), ERR_IO);
	assert_non_null(strstr(err_text(), "ended early"));
	tensor_stream_free(s);
	arena_release(&a);
}

/* ---- npz ----------------------------------------------------------------- */

static struct buf member_bytes = BUF_INIT;

static struct make_member member(const char *name, int method)
{
	if (!member_bytes.n)
		make_npy(&member_bytes, 1,
			"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", six, sizeof six);
	return (struct make_member){
		.name = name, .bytes = member_bytes.s, .n = member_bytes.n, .method = method };
}

static void test_npz_is_read(void **state)
{
	(void)state;
	for (int zip64 = 0; zip64 < 2; zip64++)
		for (int method = 0; method <= 8; method += 8) {
			struct make_member m[] = { member("b.npy", method),
				member("a.npy", method) };
			struct tensor_set *s;

			assert_int_equal(tensor_set_open(&s, make_zip("a.npz", m, 2, zip64)), 0);
			assert_int_equal(s->format, TENSOR_NPZ);
			assert_int_equal(s->n, 2);
			assert_string_equal(s->rows[0].name, "b");
			assert_string_equal(s->rows[1].name, "a");
			assert_values(&s->rows[0], false, six, sizeof six);
			assert_values(&s->rows[1], false, six, sizeof six);
			tensor_set_free(s);
		}
}

static void test_npz_tricks_are_refused(void **state)
{
	struct make_member two_names[] = { member("a.npy", 0), member("a.npy", 0) };
	struct make_member other_name[] = { member("a.npy", 0) };
	struct make_member overlap[] = { member("a.npy", 0), member("b.npy", 0) };
	struct buf inner = BUF_INIT;
	struct make_member outside[] = { member("a.npy", 0) };
	const struct {
		struct make_member *m;
		size_t n;
		const char *says;
	} cases[] = {
		{ two_names, 2, "one name" },
		{ other_name, 1, "another name" },
		{ overlap, 2, "overlap" },
		{ outside, 1, "outside" },
	};
	struct arena a = ARENA_INIT;
	struct tensor *rows;
	size_t n;

	(void)state;
	other_name[0].local_name = "b.npy";
	/* The first one holds a header of the second, which points there. */
	buf_add(&inner, "PK\3\4\24\0\0\0\0\0\0\0\0\0", 14);
	make_little(&inner, 0, 12);
	make_little(&inner, 5, 4);
	buf_adds(&inner, "b.npy");
	buf_add(&inner, overlap[1].bytes, overlap[1].n);
	overlap[0].bytes = inner.s;
	overlap[0].n = inner.n;
	overlap[1].local_at = 30 + 5;
	outside[0].local_at = 1 << 30;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *path = make_zip("bad.npz", cases[i].m, cases[i].n, false);

		assert_int_equal(npz_read(&rows, &n, &a, path), ERR_PARSE);
		if (!strstr(err_text(), cases[i].says))
			fail_msg("case %zu: \"%s\"", i, err_text());
	}
	buf_release(&inner);
	arena_release(&a);
}

/* Opens the only array of an archive and reads it to its end; the sentence. */
static const char *reading(struct make_member m)
{
	unsigned char got[sizeof six];
	struct tensor_stream *s;
	struct arena a = ARENA_INIT;
	struct tensor *rows;
	size_t n;
	int rc;

	assert_int_equal(npz_read(&rows, &n, &a, make_zip("m.npz", &m, 1, false)), 0);
	assert_int_equal(n, 1);
	if (rows[0].unread) {
		const char *text = arena_strdup(&make_arena, rows[0].unread);

		arena_release(&a);
		return text;
	}
	rc = tensor_stream_open(&s, &rows[0], false);
	if (rc == 0) {
		rc = tensor_stream_read(s, got, sizeof got);
		if (rc == 0)
			rc = tensor_stream_end(s);
		tensor_stream_free(s);
	}
	arena_release(&a);
	return rc < 0 ? err_text() : "";
}

static void assert_reading(struct make_member m, const char *says)
{
	const char *text = reading(m);

	if (!strstr(text, says))
		fail_msg("\"%s\" lacks \"%s\"", text, says);
}

static void test_damaged_members(void **state)
{
	(void)state;
	for (int method = 0; method <= 8; method += 8) {
		struct make_member m = member("a.npy", method);

		assert_string_equal(reading(m), "");
		m.crc_wrong = 1;
		assert_reading(m, "checksum");
		m = member("a.npy", method);
		m.claims_n = m.n + 8;
		assert_reading(m, method ? "shape and type need 24" : "two sizes");
		m = member("a.npy", method);
		m.flags = 1;
		assert_reading(m, "encrypted");
	}
	{
		struct make_member m = member("a.npy", 8);

		m.cut = 6;
		assert_reading(m, "shorter than its array");
		m = member("a.npy", 12);
		assert_reading(m, "compression");
		m = (struct make_member){ .name = "notes.txt", .bytes = "hello, this is no array",
			.n = 23 };
		assert_reading(m, "no .npy header");
	}
}

/* Says that it has 24 bytes of values and unpacks to a hundred million. */
static void test_a_bomb_costs_no_more_than_its_array(void **state)
{
	struct buf b = BUF_INIT;
	struct make_member m;

	(void)state;
	make_npy(&b, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", six, sizeof six);
	m = (struct make_member){ .name = "a.npy", .method = 8, .claims_n = b.n };
	buf_pad(&b, '\0', 10000000);
	m.bytes = b.s;
	m.n = b.n;
	assert_reading(m, "longer than its array");
	buf_release(&b);
}

/* ---- folders, recognition ------------------------------------------------ */

static void test_recognition(void **state)
{
	static const char torch[] = "PK\3\4xxxxxxxxxxxxxxxxxxxxxx\x10\0\0\0archive/data.pkl....";
	struct make_member m = member("a.npy", 0);

	(void)state;
	assert_int_equal(tensor_file_recognise(make_zip("r.npz", &m, 1, false)), TENSOR_NPZ);
	assert_int_equal(tensor_file_recognise(make_npy_file("r.npy", "{}", "", 0)), TENSOR_NPY);
	assert_int_equal(
		tensor_file_recognise(make_safetensors("r", "{}", "", 0)), TENSOR_SAFETENSORS);
	assert_int_equal(
		tensor_file_recognise(make_file("r.pt", torch, sizeof torch)), TENSOR_TORCH);
	assert_int_equal(tensor_file_recognise(make_file("r.json", "{\"lst\": []}", 11)),
		TENSOR_POLYGRAPHY);
	assert_int_equal(tensor_file_recognise(make_file("r.txt", "step 1 loss 2", 13)),
		TENSOR_NO_FORMAT);
	assert_int_equal(tensor_file_recognise(make_file("r.0", "", 0)), TENSOR_NO_FORMAT);
	assert_int_equal(tensor_file_recognise("/nowhere/at/all"), TENSOR_NO_FORMAT);
}

static void test_a_folder(void **state)
{
	struct tensor_set *s;

	(void)state;
	assert_int_equal(fs_mkdirs(make_path("d/sub"), 0755), 0);
	make_npy_file("d/sub/w10.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
		six, 24);
	make_npy_file(
		"d/sub/w9.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", six, 24);
	make_file("d/bad.npy", "nonsense", 8);
	make_file("d/log.txt", "hello", 5);
	make_file("d/x.pt", "PK", 2);
	make_file("d/y.bin", "PK", 2);
	make_file("d/z.ckpt", "PK", 2);
	make_safetensors("d/m-00001-of-00002.safetensors", "{" ROW("a", "U8", "[1]", "0", "1") "}",
		"x", 1);
	make_safetensors("d/m-00002-of-00002.safetensors", "{" ROW("b", "U8", "[1]", "0", "1") "}",
		"x", 1);
	make_safetensors("d/n-00001-of-00003.safetensors", "{" ROW("c", "U8", "[1]", "0", "1") "}",
		"x", 1);
	make_safetensors("d/n-00003-of-00003.safetensors", "{" ROW("d", "U8", "[1]", "0", "1") "}",
		"x", 1);
	assert_int_equal(tensor_set_open(&s, make_path("d")), 0);
	assert_int_equal(s->n, 7);
	assert_string_equal(s->rows[0].name, "bad.npy");
	assert_non_null(s->rows[0].unread);
	assert_string_equal(s->rows[1].name, "m/a");
	assert_string_equal(s->rows[2].name, "m/b");
	assert_string_equal(s->rows[3].name, "n/c");
	assert_string_equal(s->rows[5].name, "sub/w9");
	assert_string_equal(s->rows[6].name, "sub/w10");
	assert_non_null(s->notes);
	assert_non_null(strstr(s->notes->text, "2 of 3 parts of n are there"));
	assert_non_null(s->notes->next);
	assert_non_null(strstr(s->notes->next->text, "3 files of torch.save"));
	assert_null(s->notes->next->next);
	tensor_set_free(s);
	assert_int_equal(fs_remove_tree(make_path("d")), 0);
	assert_int_equal(fs_mkdirs(make_path("d"), 0755), 0);
	assert_int_equal(tensor_set_open(&s, make_path("d")), ERR_NOT_FOUND);
	assert_int_equal(tensor_set_open(&s, make_file("text", "hello", 5)), ERR_PARSE);
	assert_int_equal(tensor_set_open(&s, make_path("absent")), ERR_NOT_FOUND);
}

static void test_polygraphy(void **state)
{
	/* The .npy of [1.0, 2.0] as float32. */
	static const char text[] =
		"{\"lst\": [[\"trt\", [{\"outputs\": {\"y\": {\"values\": {\"array\": "
		"\"k05VTVBZAQA5AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBl"
		"JzogKDIsKSB9CgAAgD8AAABA\", \"polygraphy_class\": \"ndarray\"}, "
		"\"polygraphy_class\": \"LazyArray\"}, \"z\": {\"values\": 7}}, \"runtime\": 1}]]], "
		"\"polygraphy_class\": \"RunResults\"}";
	static const float wanted[] = { 1, 2 };
	struct tensor_set *s;

	(void)state;
	if (tensor_set_open(&s, make_file("p.json", text, sizeof text - 1)) < 0)
		fail_msg("%s", err_text());
	assert_int_equal(s->format, TENSOR_POLYGRAPHY);
	assert_int_equal(s->n, 2);
	assert_string_equal(s->rows[0].name, "y");
	assert_null(s->rows[0].unread);
	assert_values(&s->rows[0], false, wanted, sizeof wanted);
	assert_string_equal(s->rows[1].unread, "it holds no array");
	tensor_set_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_safetensors_is_read),
		cmocka_unit_test(test_safetensors_type_unknown),
		cmocka_unit_test(test_safetensors_is_refused),
		cmocka_unit_test(test_npy_is_read),
		cmocka_unit_test(test_npy_types_that_are_not_compared),
		cmocka_unit_test(test_npy_is_refused),
		cmocka_unit_test(test_orders_of_bytes_and_dimensions),
		cmocka_unit_test(test_a_large_array_is_turned),
		cmocka_unit_test(test_a_file_that_is_cut_is_an_error),
		cmocka_unit_test(test_npz_is_read),
		cmocka_unit_test(test_npz_tricks_are_refused),
		cmocka_unit_test(test_damaged_members),
		cmocka_unit_test(test_a_bomb_costs_no_more_than_its_array),
		cmocka_unit_test(test_recognition),
		cmocka_unit_test(test_a_folder),
		cmocka_unit_test(test_polygraphy),
	};
	int failed = cmocka_run_group_tests(tests, tensor_make_begin, tensor_make_end);

	buf_release(&member_bytes);
	return failed;
}
