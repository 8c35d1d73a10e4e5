/*
 * Each construct on lines that have it and on lines that only look like it.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "evidence/static_scan.h"

struct sample { const char *id, *line; };

static const struct sample positive[] = {
	{ "G-01", "net = net.cuda()" },
	{ "G-01", "x.cuda(non_blocking=True)" },
	{ "G-02", "batch = batch.to('cuda:0')" },
	{ "G-02", "dev = torch.device( \"cuda\")" },
	{ "G-02", "torch.load(p, map_location = 'cuda')" },
	{ "G-02", "run(device=f'cuda:{rank}')" },
	{ "G-03", "torch.cuda.empty_cache()" },
	{ "G-03", "peak = torch.cuda.max_memory_allocated()" },
	{ "G-04", "scaler = GradScaler()" },
	{ "G-04", "with autocast(device_type='cuda'):" },
	{ "G-05", "torch.backends.cudnn.benchmark = True" },
	{ "G-05", "torch.backends.cuda.matmul.allow_tf32 = True" },
	{ "G-06", "dist.init_process_group('nccl')" },
	{ "G-06", "setup(backend = \"nccl\")" },
	{ "G-07", "ext_modules=[CUDAExtension('k', ['k.cu'])]" },
	{ "G-07", "nvcc --version" },
	{ "G-08", "@triton.jit" },
	{ "G-08", "@triton.autotune(configs=[])" },
	{ "G-09", "DataLoader(d, pin_memory=True)" },
	{ "G-10", "out = check_output(['nvidia-smi'])" },
	{ "G-10", "export CUDA_VISIBLE_DEVICES=0" },
	{ "G-11", "m = load(load_in_4bit=True)" },
	{ "G-11", "optim='paged_adamw_8bit'" },
	{ "G-12", "attn_implementation=\"flash_attention_2\"" },
	{ "G-12", "'attn_implementation': 'flash_attention_3'" },
	{ "G-13", "from apex import amp" },
	{ "G-13", "    import triton" },
	{ "G-14", "torch==2.1.0+cu118" },
	{ "G-14", "tensorflow-gpu==2.9" },
	{ "G-14", "nvidia-cublas-cu12" },
	{ "G-15", "net = nn.DataParallel(net)" },
	{ "G-16", "python train.py --gpus 4" },
	{ "G-16", "p.add_argument('--no_cuda')" },
	{ "G-17", "net.half()" },
	{ "G-17", "TrainingArguments(fp16=True)" },
	{ "G-17", "dtype=torch.float16" },
	{ "H-01", "total += loss.item()" },
	{ "H-01", "y = out.cpu()" },
	{ "H-02", "idx = mask.nonzero()" },
	{ "H-02", "torch.unique(x)" },
	{ "H-03", "clip_grad_norm_(p, 1.0)" },
	{ "H-04", "u, s, v = torch.linalg.svd(w)" },
	{ "H-04", "torch.cholesky(a)" },
	{ "H-05", "x = x.double()" },
	{ "H-05", "nn.Embedding(9, 3, sparse=True)" },
	{ "H-06", "torch.save(state, path)" },
	{ "H-06", "load_best_model_at_end: true" },
};

static const struct sample negative[] = {
	{ "G-01", "cuda(x)" },
	{ "G-01", "self.cuda_ok" },
	{ "G-02", "x.to(device)" },
	{ "G-02", "name = 'cuda'" },
	{ "G-03", "if torch.cuda.is_available():" },
	{ "G-04", "with autocast('xla'):" },
	{ "G-05", "torch.backends.mps.is_available()" },
	{ "G-06", "init_process_group('xla')" },
	{ "G-07", "anvccx" },
	{ "G-08", "@tritonic.jit" },
	{ "G-09", "pin_memory=False" },
	{ "G-10", "nvidia smi" },
	{ "G-11", "load_in_4bit=False" },
	{ "G-12", "attn_implementation='sdpa'" },
	{ "G-13", "import apexlike" },
	{ "G-13", "x = import_apex" },
	{ "G-14", "torch==2.1.0+cpu" },
	{ "G-15", "DistributedDataParallel(net)" },
	{ "G-16", "--gpumemory" },
	{ "G-17", "halfway()" },
	{ "H-01", "d.items()" },
	{ "H-02", "nonzero = 3" },
	{ "H-03", "clip_grad = 1" },
	{ "H-04", "svd_rank = 3" },
	{ "H-05", "sparse=False" },
	{ "H-06", "torch.loader()" },
};

static int set_up(void **state)
{
	struct static_scanner *s;

	assert_int_equal(static_scanner_new(&s), 0);
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	static_scanner_free(*state);
	return 0;
}

static size_t count_of(const struct static_hits *h, const char *id)
{
	size_t n, count = 0;
	const struct static_construct *table = static_constructs(&n);

	for (size_t i = 0; i < h->n; i++)
		count += strcmp(table[h->rows[i].construct].id, id) == 0;
	return count;
}

static void scan(
	struct static_hits *h, struct static_scanner *s, const char *path, const char *text)
{
	*h = (struct static_hits)STATIC_HITS_INIT;
	static_scan(h, s, path, text, strlen(text));
}

static void test_table(void **state)
{
	size_t n;
	const struct static_construct *table = static_constructs(&n);

	(void)state;
	assert_int_equal(n, 25);
	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(static_construct_find(table[i].id), &table[i]);
		assert_int_equal(table[i].hint, table[i].id[0] != 'G');
		assert_true(strlen(table[i].meaning) <= 60);
		assert_int_equal(table[i].causes[0], 'C');
	}
	assert_null(static_construct_find("G-99"));
}

static void test_every_construct_has_samples(void **state)
{
	size_t n;
	const struct static_construct *table = static_constructs(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		size_t yes = 0, no = 0;

		for (size_t k = 0; k < ARRAY_LEN(positive); k++)
			yes += strcmp(positive[k].id, table[i].id) == 0;
		for (size_t k = 0; k < ARRAY_LEN(negative); k++)
			no += strcmp(negative[k].id, table[i].id) == 0;
		/* Orders have theirs in test_static_order.c. */
		assert_true(!table[i].pattern || (yes > 0 && no > 0));
	}
}

static void test_lines(void **state)
{
	struct static_hits h;

	for (size_t i = 0; i < ARRAY_LEN(positive); i++) {
		scan(&h, *state, "a.py", positive[i].line);
		if (count_of(&h, positive[i].id) != 1)
			fail_msg("%s is missing in: %s", positive[i].id, positive[i].line);
		static_hits_release(&h);
	}
	for (size_t i = 0; i < ARRAY_LEN(negative); i++) {
		scan(&h, *state, "a.py", negative[i].line);
		if (count_of(&h, negative[i].id) != 0)
			fail_msg("%s was found in: %s", negative[i].id, negative[i].line);
		static_hits_release(&h);
	}
}

static void test_places(void **state)
{
	static const char text[] =
		"import torch\r\n\n\n  import apex\n# x.cuda()\ny = x.cuda().half()  # here\r\n"
		"x.to(\n'cuda')\n"
		"z.cuda() + w.cuda()";
	struct static_hits h;

	scan(&h, *state, "src/a.py", text);
	assert_int_equal(h.n, 4);
	assert_int_equal(h.rows[0].line, 4);
	assert_string_equal(h.rows[0].text, "  import apex");
	assert_int_equal(h.rows[1].line, 6);
	assert_int_equal(h.rows[1].column, 6);
	assert_string_equal(h.rows[1].text, "y = x.cuda().half()  # here");
	assert_int_equal(h.rows[2].line, 6);
	assert_int_equal(h.rows[2].column, 13);
	assert_int_equal(h.rows[3].line, 9);
	assert_int_equal(h.rows[3].column, 2);
	static_hits_release(&h);
}

static void test_comments(void **state)
{
	struct static_hits h;

	scan(&h, *state, "k.cu", "  // x.cuda()\nx.cuda()\n#include <x> x.cuda()\n");
	assert_int_equal(h.n, 2);
	static_hits_release(&h);
	scan(&h, *state, "job.sh", "#SBATCH --gpus 4\n# --gpus 4\n");
	assert_int_equal(h.n, 1);
	assert_int_equal(h.rows[0].line, 1);
	static_hits_release(&h);
	scan(&h, *state, "README.md", "# Use --gpus 4\n");
	assert_int_equal(h.n, 1);
	static_hits_release(&h);
}

static void test_limits(void **state)
{
	struct static_hits h = STATIC_HITS_INIT;
	struct buf b = BUF_INIT;
	int64_t start;

	buf_add(&b, "x.cuda()\0", 9);
	static_scan(&h, *state, "a.py", b.s, b.n);
	assert_int_equal(h.skipped, STATIC_BINARY);
	assert_int_equal(h.n, 0);
	static_hits_release(&h);
	buf_clear(&b);
	for (int i = 0; i < STATIC_HITS_MAX + 5; i++)
		buf_adds(&b, "x.cuda()\n");
	static_scan(&h, *state, "a.py", b.s, b.n);
	assert_int_equal(h.n, STATIC_HITS_MAX);
	assert_int_equal(h.more, 5);
	static_hits_release(&h);
	buf_clear(&b);
	buf_pad(&b, 'y', 500);
	buf_adds(&b, ".cuda()");
	static_scan(&h, *state, "a.py", b.s, b.n);
	assert_int_equal(h.rows[0].column, 501);
	assert_int_equal(strlen(h.rows[0].text), STATIC_TEXT_MAX);
	static_hits_release(&h);
	buf_clear(&b);
	buf_pad(&b, '\n', STATIC_FILE_MAX);
	buf_adds(&b, "x.cuda()");
	start = clock_boot_ns();
	static_scan(&h, *state, "a.py", b.s, b.n);
	assert_int_equal(h.skipped, STATIC_TOO_LARGE);
	assert_int_equal(h.n, 0);
	buf_clear(&b);
	buf_pad(&b, ' ', STATIC_FILE_MAX - 4);
	memcpy(b.s, "x.to(", 5);
	static_scan(&h, *state, "a.py", b.s, b.n);
	assert_true(clock_boot_ns() - start < 20 * NS_PER_S);
	static_hits_release(&h);
	buf_release(&b);
}

static void test_encoding(void **state)
{
	struct static_hits h, back = STATIC_HITS_INIT;
	struct buf b = BUF_INIT;

	scan(&h, *state, "a.py", "x.cuda()\n\x1b[2J y.item() \xff\n");
	assert_int_equal(h.n, 2);
	static_hits_encode(&b, &h);
	assert_int_equal(static_hits_decode(&back, b.s, b.n), 0);
	assert_int_equal(back.n, 2);
	assert_string_equal(back.rows[1].text, "\x1b[2J y.item() \xff");
	assert_int_equal(back.rows[1].column, h.rows[1].column);
	assert_int_equal(back.rows[1].construct, h.rows[1].construct);
	static_hits_release(&back);
	for (size_t i = 0; i < b.n; i++) {
		b.s[i] ^= 1;
		assert_int_equal(static_hits_decode(&back, b.s, b.n), ERR_DAMAGED);
		b.s[i] ^= 1;
		assert_int_equal(static_hits_decode(&back, b.s, i), ERR_DAMAGED);
	}
	buf_release(&b);
	static_hits_release(&h);
}

static void test_wants(void **state)
{
	(void)state;
	assert_true(static_scan_wants("src/train.py"));
	assert_true(static_scan_wants("Dockerfile"));
	assert_true(static_scan_wants("requirements-gpu.txt"));
	assert_false(static_scan_wants("logo.png"));
	assert_false(static_scan_wants("data/train.csv"));
	assert_false(static_scan_wants("py"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_every_construct_has_samples),
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_comments, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_encoding, set_up, tear_down),
		cmocka_unit_test(test_wants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
