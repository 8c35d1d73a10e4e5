/*
 * static_scan - the table of constructs, and one pass over a file's text.
 *
 * All patterns joined find the lines that are worth a closer look in one pass
 * of compiled code; only those are matched pattern by pattern.
 */
#include "config.h"
#include "evidence/static_scan.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/text.h"
#include "evidence/static_order.h"

enum {
	MATCH_LIMIT = 200000,		/* steps of one match; a line needs some hundred */
	DEPTH_LIMIT = 2000,
	JIT_STACK_START = 32 * 1024,
	JIT_STACK_MAX = 512 * 1024,
	BINARY_LOOK = 8000,		/* bytes that git looks at for a NUL, too */
};

/* Read by the scan, the diff view and the manual page.  Causes by likelihood. */
static const struct static_construct constructs[] = {
	{ "G-01", "C2", false, "moves a model or tensor to CUDA by method", "\\.cuda\\(" },
	{ "G-02", "C2", false, "names the CUDA device as text",
		"(?:\\.to\\(\\s*|\\bdevice\\s*=\\s*|torch\\.device\\(\\s*|"
		"map_location\\s*=\\s*)f?['\"]cuda" },
	{ "G-03", "C2", false, "calls torch.cuda, which has no meaning on a TPU",
		"torch\\.cuda\\.(?!is_available\\b)\\w+" },
	{ "G-04", "C2", false, "scales gradients or casts for CUDA's mixed precision",
		"\\bGradScaler\\(|cuda\\.amp\\.autocast|"
		"autocast\\(\\s*(?:device_type\\s*=\\s*)?['\"]cuda" },
	{ "G-05", "C2", false, "tunes cuDNN or CUDA back ends",
		"torch\\.backends\\.(?:cudnn|cuda)\\b" },
	{ "G-06", "C2", false, "joins processes through NCCL",
		"(?:backend\\s*=\\s*|init_process_group\\(\\s*)['\"]nccl" },
	{ "G-07", "C2", false, "builds CUDA code of its own",
		"\\bCUDAExtension\\b|cpp_extension\\.load|\\bnvcc\\b" },
	{ "G-08", "C2", false, "defines a Triton kernel", "@triton\\.(?:jit|autotune|heuristics)" },
	{ "G-09", "C2", false, "pins host memory for copies to a GPU", "pin_memory\\s*=\\s*True" },
	{ "G-10", "C2", false, "asks NVIDIA tools or variables about the GPU",
		"nvidia-smi|\\bpynvml\\b|\\bnvmlInit\\b|CUDA_VISIBLE_DEVICES|CUDA_LAUNCH_BLOCKING|"
		"CUBLAS_WORKSPACE_CONFIG" },
	{ "G-11", "C2", false, "loads or optimises in 8 or 4 bits through bitsandbytes",
		"load_in_[48]bit\\s*=\\s*True|\\bBitsAndBytesConfig\\b|"
		"optim\\s*=\\s*['\"](?:paged_)?adamw_(?:8bit|bnb_8bit)" },
	{ "G-12", "C2", false, "asks for FlashAttention, a CUDA kernel",
		"attn_implementation['\"]?\\s*[=:]\\s*['\"]flash_attention_[23]|"
		"use_flash_attention_2\\s*=\\s*True" },
	{ "G-13", "C2", false, "imports a package that exists for CUDA only",
		"^[ \\t]*(?:import|from)[ "
		"\\t]+(?:flash_attn|apex|xformers|bitsandbytes|triton|cupy|pycuda|deepspeed|"
		"pynvml)\\b" },
	{ "G-14", "C1 C2", false, "requires a package that was built for CUDA",
		"\\+cu1[0-9]{2}\\b|whl/cu1|\\b(?:nvidia-cu\\w+|cupy-cuda\\w+|tensorflow-gpu|"
		"onnxruntime-gpu)\\b" },
	{ "G-15", "C2", false, "splits a batch over GPUs in one process", "\\bDataParallel\\(" },
	{ "G-16", "C2", false, "has a command-line option that chooses GPUs",
		"--(?:cuda|gpus?|num_gpus|gpu_ids?|n_gpu|no_cuda|device)\\b" },
	{ "G-17", "C2 C5", false, "computes in fp16, which a TPU does in bf16 instead",
		"\\.half\\(\\)|torch\\.float16|torch_dtype\\s*=\\s*['\"]float16|fp16\\s*=\\s*True|"
		"--fp16\\b" },
	{ "H-01", "C4", true, "brings a value to the host and so cuts the graph",
		"\\.item\\(\\)|\\.tolist\\(\\)|\\.cpu\\(\\)|\\.numpy\\(\\)" },
	{ "H-02", "C4", true, "gives a result whose shape depends on the data",
		"\\.nonzero\\(|torch\\.(?:nonzero|unique|masked_select|bincount)\\(" },
	{ "H-03", "C3", true, "clips gradients: the order against the reduction counts",
		"clip_grad_(?:norm|value)_\\(" },
	{ "H-04", "C5", true, "uses a decomposition that may fall back to the CPU",
		"torch\\.linalg\\.(?:svd|qr|eigh?|cholesky|lstsq|inv|pinv)\\b|\\.svd\\(|"
		"torch\\.(?:svd|qr|cholesky|inverse)\\(" },
	{ "H-05", "C5", true, "uses sparse, double or complex numbers",
		"torch\\.sparse|\\.to_sparse\\(|sparse\\s*=\\s*True|torch\\.float64|"
		"\\.double\\(\\)|complex(?:64|128)\\b" },
	{ "H-06", "C3", true, "saves or loads a checkpoint: compare after a reload",
		"torch\\.(?:save|load)\\(|\\.save_pretrained\\(|safe_serialization|"
		"load_best_model_at_end" },
	{ "O-01", "C3", true, "clips gradients before they are reduced over the chips", NULL },
	{ "O-02", "C2", true, "builds the optimizer before the model moves to its device", NULL },
};

enum { CONSTRUCTS = ARRAY_LEN(constructs) };

/* Text that is worth a look, by the end of its name. */
static const char *const wanted_ends[] = {
	".py",
	".pyx",
	".sh",
	".bash",
	".slurm",
	".sbatch",
	".yaml",
	".yml",
	".toml",
	".cfg",
	".ini",
	".conf",
	".json",
	".txt",
	".cu",
	".cuh",
	".c",
	".cc",
	".cpp",
	".h",
	".hpp",
	".md",
	".rst",
	".mk",
	".gin",
	".jsonnet",
};

static const char *const wanted_names[] = {
	"Dockerfile",
	"Makefile",
	"Containerfile",
	"Pipfile",
	"makefile",
	"Jenkinsfile",
	"Justfile",
	"justfile",
};

struct comment_sign {
	const char *end;		/* of the file's name */
	const char *sign;
};

static const struct comment_sign comment_signs[] = {
	{ ".py", "#" },
	{ ".pyx", "#" },
	{ ".sh", "#" },
	{ ".bash", "#" },
	{ ".slurm", "#" },
	{ ".sbatch", "#" },
	{ ".yaml", "#" },
	{ ".yml", "#" },
	{ ".toml", "#" },
	{ ".cfg", "#" },
	{ ".txt", "#" },
	{ ".mk", "#" },
	{ "Dockerfile", "#" },
	{ "Makefile", "#" },
	{ ".gin", "#" },
	{ ".cu", "//" },
	{ ".cuh", "//" },
	{ ".c", "//" },
	{ ".cc", "//" },
	{ ".cpp", "//" },
	{ ".h", "//" },
	{ ".hpp", "//" },
};

/* A comment to Python and the shell, an order to Slurm. */
static const char slurm_sign[] = "#SBATCH";

struct static_scanner {
	pcre2_code *each[CONSTRUCTS];
	pcre2_code *any;
	pcre2_match_data *match;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
};

const struct static_construct *static_constructs(size_t *n)
{
	*n = CONSTRUCTS;
	return constructs;
}

const struct static_construct *static_construct_find(const char *id)
{
	for (size_t i = 0; i < CONSTRUCTS; i++)
		if (strcmp(constructs[i].id, id) == 0)
			return &constructs[i];
	return NULL;
}

/* ---- scanner ---- */

static int compile(pcre2_code **out, const char *pattern, const char *name)
{
	PCRE2_SIZE offset;
	int code;

	*out = pcre2_compile(
		(PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_MULTILINE, &code, &offset, NULL);
	if (*out == NULL)
		return err_set(ERR_PARSE,
			"pattern %s cannot be compiled: PCRE2 error %d at byte %zu", name, code,
			offset);
	/* Without JIT the interpreter answers the same, slower. */
	pcre2_jit_compile(*out, PCRE2_JIT_COMPLETE);
	return 0;
}

static int compile_any(struct static_scanner *s)
{
	struct buf all = BUF_INIT;
	int rc;

	for (size_t i = 0; i < CONSTRUCTS; i++)
		if (constructs[i].pattern)
			buf_addf(&all, "%s(?:%s)", i > 0 ? "|" : "", constructs[i].pattern);
	rc = compile(&s->any, all.s, "of all");
	buf_release(&all);
	return rc;
}

int static_scanner_new(struct static_scanner **out)
{
	struct static_scanner *s = xcalloc(1, sizeof *s);
	int rc = compile_any(s);

	*out = NULL;
	for (size_t i = 0; i < CONSTRUCTS && rc == 0; i++)
		if (constructs[i].pattern)
			rc = compile(&s->each[i], constructs[i].pattern, constructs[i].id);
	s->match = pcre2_match_data_create(1, NULL);
	s->context = pcre2_match_context_create(NULL);
	s->stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, NULL);
	if (rc == 0 && (s->match == NULL || s->context == NULL))
		rc = err_set(ERR_IO, "PCRE2 has no memory for a match");
	if (rc < 0) {
		static_scanner_free(s);
		return rc;
	}
	pcre2_set_match_limit(s->context, MATCH_LIMIT);
	pcre2_set_depth_limit(s->context, DEPTH_LIMIT);
	if (s->stack != NULL)
		pcre2_jit_stack_assign(s->context, NULL, s->stack);
	*out = s;
	return 0;
}

void static_scanner_free(struct static_scanner *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < CONSTRUCTS; i++)
		pcre2_code_free(s->each[i]);
	pcre2_code_free(s->any);
	pcre2_match_data_free(s->match);
	pcre2_match_context_free(s->context);
	pcre2_jit_stack_free(s->stack);
	free(s);
}

/* ---- files ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

bool static_scan_wants(const char *path)
{
	const char *name = base_name(path);

	for (size_t i = 0; i < ARRAY_LEN(wanted_ends); i++)
		if (text_ends(name, wanted_ends[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(wanted_names); i++)
		if (strcmp(name, wanted_names[i]) == 0)
			return true;
	return false;
}

static const char *comment_sign(const char *path)
{
	const char *name = base_name(path);

	for (size_t i = 0; i < ARRAY_LEN(comment_signs); i++)
		if (text_ends(name, comment_signs[i].end))
			return comment_signs[i].sign;
	return NULL;
}

/* ---- one file ---- */

struct scan {
	struct static_hits *out;
	struct static_scanner *scanner;
	const char *sign;		/* of a comment, NULL: none known */
	const char *text;
	size_t n;
	int32_t line;			/* of the byte at COUNTED */
	size_t counted;
};

static bool is_comment(const struct scan *s, const char *line, size_t n)
{
	size_t blanks = 0;

	if (s->sign == NULL)
		return false;
	while (blanks < n && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	line += blanks;
	n -= blanks;
	if (n >= strlen(slurm_sign) && memcmp(line, slurm_sign, strlen(slurm_sign)) == 0)
		return false;
	return n >= strlen(s->sign) && memcmp(line, s->sign, strlen(s->sign)) == 0;
}

/* Cut between characters, so that a viewer shows no half of one. */
static size_t cut_text(const char *line, size_t n)
{
	if (n <= STATIC_TEXT_MAX)
		return n;
	n = STATIC_TEXT_MAX;
	while (n > STATIC_TEXT_MAX - 4 && ((unsigned char)line[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void add_hit(struct scan *s, size_t construct, const char *line, size_t n, size_t column,
	const char **copy)
{
	struct static_hits *h = s->out;

	if (h->n == STATIC_HITS_MAX) {
		h->more++;
		return;
	}
	if (*copy == NULL)
		*copy = arena_strndup(&h->arena, line, cut_text(line, n));
	ARRAY_GROW(h->rows, h->n, h->cap);
	h->rows[h->n++] = (struct static_hit){
		.construct = (int32_t)construct,
		.line = s->line,
		.column = (int32_t)column + 1,
		.text = *copy,
	};
}

static int compare_hits(const void *a, const void *b)
{
	const struct static_hit *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return (x->construct > y->construct) - (x->construct < y->construct);
}

/* Each construct counts once a line, at its first place. */
static void scan_line(struct scan *s, const char *line, size_t n)
{
	struct static_scanner *c = s->scanner;
	const char *copy = NULL;

	if (is_comment(s, line, n))
		return;
	for (size_t i = 0; i < CONSTRUCTS; i++) {
		int rc = !c->each[i]
			? PCRE2_ERROR_NOMATCH
			: pcre2_match(c->each[i], (PCRE2_SPTR)line, n, 0, 0, c->match, c->context);

		if (rc >= 0)
			add_hit(s, i, line, n, pcre2_get_ovector_pointer(c->match)[0], &copy);
		else if (rc != PCRE2_ERROR_NOMATCH)
			s->out->limited = true;
	}
}

/* The line that holds byte AT, its number counted on; the byte after its end. */
static size_t scan_line_of(struct scan *s, size_t at)
{
	size_t start = at, end;
	const char *newline = memchr(s->text + at, '\n', s->n - at);

	end = newline != NULL ? (size_t)(newline - s->text) : s->n;
	while (start > 0 && s->text[start - 1] != '\n')
		start--;
	for (; s->counted < start; s->counted++)
		s->line += s->text[s->counted] == '\n';
	scan_line(s, s->text + start,
		end > start && s->text[end - 1] == '\r' ? end - start - 1 : end - start);
	return end + 1;
}

/* A pattern may match over a line's end (blanks include it); the line is then
 * looked at alone and the search goes on at the next one. */
static void scan_text(struct scan *s)
{
	struct static_scanner *c = s->scanner;
	size_t at = 0;

	while (at < s->n) {
		int rc =
			pcre2_match(c->any, (PCRE2_SPTR)s->text, s->n, at, 0, c->match, c->context);

		if (rc == PCRE2_ERROR_NOMATCH)
			return;
		if (rc < 0) {
			s->out->limited = true;
			at = scan_line_of(s, at);
			continue;
		}
		at = pcre2_get_ovector_pointer(c->match)[0];
		at = scan_line_of(s, at);
	}
}

/* ---- orders ---- */

static size_t construct_number(const char *id)
{
	return (size_t)(static_construct_find(id) - constructs);
}

/* The line of that number; the end of the text beyond the last. */
static const char *line_start(const struct scan *s, int32_t number)
{
	const char *at = s->text, *end = s->text + s->n;

	for (int32_t i = 1; i < number && at < end; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		at = newline ? newline + 1 : end;
	}
	return at;
}

static void scan_orders(struct scan *s)
{
	struct static_order_hit hits[STATIC_ORDER_MAX];
	size_t n = static_order_find(hits, s->text, s->n);

	for (size_t i = 0; i < n; i++) {
		const char *line = line_start(s, hits[i].line), *copy = NULL;
		const char *end = memchr(line, '\n', (size_t)(s->text + s->n - line));
		size_t length = end ? (size_t)(end - line) : (size_t)(s->text + s->n - line);
		size_t blanks = 0;

		while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
			blanks++;
		s->line = hits[i].line;
		add_hit(s, construct_number(hits[i].kind == STATIC_CLIP_FIRST ? "O-01" : "O-02"),
			line, length, blanks, &copy);
	}
}

void static_scan(struct static_hits *out, struct static_scanner *s, const char *path,
	const char *text, size_t n)
{
	struct scan scan = {
		.out = out, .scanner = s, .sign = comment_sign(path), .text = text, .line = 1,
	};

	if (memchr(text, '\0', n < BINARY_LOOK ? n : BINARY_LOOK) != NULL) {
		out->skipped = STATIC_BINARY;
		return;
	}
	if (n > STATIC_FILE_MAX) {
		out->skipped = STATIC_TOO_LARGE;
		n = STATIC_FILE_MAX;
	}
	scan.n = n;
	scan_text(&scan);
	if (text_ends(path, ".py"))
		scan_orders(&scan);
	if (out->n > 1)
		qsort(out->rows, out->n, sizeof *out->rows, compare_hits);
}

void static_hits_release(struct static_hits *h)
{
	free(h->rows);
	arena_release(&h->arena);
	*h = (struct static_hits)STATIC_HITS_INIT;
}
