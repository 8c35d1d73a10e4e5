/*
 * Tables whose rows are taken in one pass give what taking every cell by the
 * rules of quoting finds: random tables of words, marks and numbers, in parts.
 */
#include "config.h"

#include "read_alike.h"

#include "curve/csv.h"

static const char *const headers[] = {
	"epoch,step,train_loss,val_loss",
	"step,a,b",
	"a,b,c",
	"step\ttimestamp\tloss",
	"timestamp,step,x,epoch",
	"step,x,x,y",
	("\xef\xbb\xbf"
	 "step,loss"),
	"a,step,step,wall_time",
	"  epoch,  step, x ",
	"\"step\",\"a,b\",c",
	"step",
};

static const char *const cells[] = {
	"",
	"",
	"nan",
	"-inf",
	"None",
	"null",
	"true",
	"False",
	"1,234",
	"12K",
	"text",
	"\"1\"",
	"\"a,b\"",
	"\"a\nb\"",
	"\"\"\"q\"\"\"",
	" 2.5",
	"3 ",
	"\t4",
	"1e-5",
	"5.",
	".5",
	"1e999",
	"99999999999999999999",
	"9223372036854775807",
	"-7",
	"+3",
	"1.5.2",
	"0x10",
	"2026-01-01 00:00:05",
	"2026-01-01T00:00:05Z",
	"1700000000.25",
	"1700000000250",
	"a\"b",
	"\"open",
	" \"x\"",
	"\r",
	"-0.0",
};

static uint64_t seed = 13;

static size_t pick(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

static void add_cell(struct buf *out, size_t row, size_t odd)
{
	if (pick(odd) == 0)
		buf_adds(out, cells[pick(ARRAY_LEN(cells))]);
	else if (pick(3))
		buf_addf(out, "%zu", row + pick(3));
	else
		buf_addf(out, "%.*g", (int)(1 + pick(17)),
			((double)pick(1000000) - 5e5) / (double)(1 + pick(99999)));
}

static void write_table(struct buf *out)
{
	const char *header = headers[pick(ARRAY_LEN(headers))];
	char separator = strchr(header, '\t') ? '\t' : ',';
	const char *end = pick(3) ? "\n" : "\r\n";
	size_t columns = 1, rows = 5 + pick(60), odd = 2 + pick(60);

	for (const char *p = header; *p; p++)
		columns += *p == separator;
	buf_clear(out);
	buf_addf(out, "%s%s", header, end);
	for (size_t i = 0; i < rows; i++) {
		size_t n = pick(12) ? columns : pick(columns + 3);

		for (size_t k = 0; k < n; k++) {
			if (k)
				buf_addc(out, separator);
			add_cell(out, i, odd);
		}
		if (pick(80))
			buf_adds(out, end);
	}
	if (pick(20) == 0)
		out->s[pick(out->n)] = (char)pick(256);
}

static void tables_read_alike(void **state)
{
	struct buf table = BUF_INIT;

	(void)state;
	buf_init(&table);
	for (size_t i = 0; i < 3000; i++) {
		write_table(&table);
		assert_reads_alike(&csv_format, &table, 0, 1 + pick(5));
	}
	buf_release(&table);
}

/* What ends a line, or begins a file, is looked for by both ways at the same places; bytes
 * that are no digits are no number because the row before had none either. */
static void odd_ends_read_alike(void **state)
{
	static const struct { const char *text; size_t n; } tables[] = {
#define TABLE(text) { text, sizeof text - 1 }
		TABLE("p,s,,n,b\n2,inf,,True,0\r\r\n6,inf,,True,0\r\n7,inf,,True,0\r\n"),
		TABLE("e,f\n\xef\xbb\xbf\"1,2\n3,4\n5,6\n"),
		TABLE("a,b,c\n1,2.5,x\n1,\0\0\0,x\n1,\xff\xff\xff,x\n"),
		TABLE("a,b\n1,1.2345e5\n2,1.2345e5\n3,\0\0\0\0\0\0\0\0\n4,1.2345e5\n"),
#undef TABLE
	};
	struct buf table = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		buf_clear(&table);
		buf_add(&table, tables[i].text, tables[i].n);
		for (size_t k = 0; k < 200; k++)
			buf_adds(&table, "1,1,1,1,1\r\n");
		assert_reads_alike(&csv_format, &table, 0, 1);
	}
	buf_release(&table);
}

/* Rows and cells of the lengths where the short way gives up. */
static void long_rows_read_alike(void **state)
{
	static const size_t lengths[] = { 100, 65520, 65535, 65536, 65537, 262144, 1048570, 1048576,
		1048580 };
	struct buf table = BUF_INIT;

	(void)state;
	buf_init(&table);
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		buf_clear(&table);
		buf_adds(&table, "step,a\n1,2\n3,");
		for (size_t k = 0; k < lengths[i]; k++)
			buf_addc(&table, k == 1 ? '.' : '1');
		buf_adds(&table, "\n4,5\n6,7\n");
		assert_reads_alike(&csv_format, &table, 0, 1 + i % 3);
	}
	buf_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_read_alike),
		cmocka_unit_test(odd_ends_read_alike),
		cmocka_unit_test(long_rows_read_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
