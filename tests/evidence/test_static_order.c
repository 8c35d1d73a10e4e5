/*
 * test_static_order - orders in Python source that are pointed at, and those that are not:
 * false alarms of comments, strings, branches and other functions.
 */
#include "config.h"

#include "../unit.h"

#include "evidence/static_order.h"
#include "evidence/static_scan.h"

static const struct source {
	const char *text;
	int kind;			/* -1: nothing is pointed at */
	int line, other;
} sources[] = {
	{ "def step():\n    loss.backward()\n    clip_grad_norm_(model.parameters(), 1.0)\n"
	  "    xm.reduce_gradients(opt)\n    opt.step()\n",
		STATIC_CLIP_FIRST, 3, 4 },
	{ "def step():\n    loss.backward()\n    torch.nn.utils.clip_grad_norm_(\n        "
		"m.parameters(),\n"
	  "        1.0)\n    xm.optimizer_step(opt)\n",
		STATIC_CLIP_FIRST, 3, 6 },
	{ "def step():\n    clip_grad_value_(p, 1)\n    dist.all_reduce(p.grad)\n",
		STATIC_CLIP_FIRST, 2, 3 },
	{ "clip_grad_norm_(p, 1)\nxm.reduce_gradients(o)\n", STATIC_CLIP_FIRST, 1, 2 },
	{ "opt = torch.optim.AdamW(model.parameters(), lr=1e-4)\nmodel = model.to(device)\n",
		STATIC_OPTIMIZER_FIRST, 1, 2 },
	{ "class T:\n  def __init__(self):\n    self.opt = SGD(self.net.parameters())\n"
	  "    self.net.to(self.device)\n",
		STATIC_OPTIMIZER_FIRST, 3, 4 },
	{ "def f():\n\topt = Lion(\n\t\tm.parameters(),\n\t)\n\tm.cuda()\n", STATIC_OPTIMIZER_FIRST,
		2, 5 },

	{ "def step():\n    loss.backward()\n    xm.reduce_gradients(opt)\n    clip_grad_norm_(p, "
		"1)\n    opt.step()\n",
		-1, 0, 0 },
	{ "def step():\n    clip_grad_norm_(p, 1)\n    opt.step()\n", -1, 0, 0 },
	{ "def step():\n    # clip_grad_norm_(p, 1)\n    xm.reduce_gradients(opt)\n", -1, 0, 0 },
	{ "def step():\n    print('clip_grad_norm_(p, 1)')\n    xm.reduce_gradients(opt)\n", -1, 0,
		0 },
	{ "def step():\n    \"\"\"first clip_grad_norm_(p, 1)\n    then "
		"xm.reduce_gradients(opt)\"\"\"\n    pass\n",
		-1, 0, 0 },
	{ "def a():\n    clip_grad_norm_(p, 1)\ndef b():\n    xm.reduce_gradients(opt)\n", -1, 0,
		0 },
	{ "def a():\n    clip_grad_norm_(p, 1)\n    opt.step()\n    dist.all_reduce(loss)\n", -1, 0,
		0 },
	{ "def a():\n    clip_grad_norm_(p, 1)\n    loss.backward()\n    "
		"xm.reduce_gradients(opt)\n",
		-1, 0, 0 },
	{ "def a():\n  if many:\n    xm.reduce_gradients(o)\n    clip_grad_norm_(p, 1)\n  else:\n  "
		"  clip_grad_norm_(p, 1)\n",
		-1, 0, 0 },
	{ "def a():\n  if one:\n    clip_grad_norm_(p, 1)\n  else:\n    xm.reduce_gradients(o)\n",
		-1, 0, 0 },
	{ "def my_clip_grad_norm_(p):\n    pass\nmy_clip_grad_norm_(p)\nxm.reduce_gradients(o)\n",
		-1, 0, 0 },
	{ "model = model.to(device)\nopt = AdamW(model.parameters())\n", -1, 0, 0 },
	{ "opt = AdamW(model.parameters())\nmodel = model.to(torch.bfloat16)\n", -1, 0, 0 },
	{ "opt = AdamW(model.parameters())\nbatch = batch.to(device)\nteacher.to(device)\n", -1, 0,
		0 },
	{ "opt = AdamW(model.parameters())\nmy_model.to(device)\nother.model.to(device)\n", -1, 0,
		0 },
	{ "def a():\n    opt = AdamW(model.parameters())\ndef b():\n    model.to(device)\n", -1, 0,
		0 },
	{ "opt = AdamW(model.parameters())\n# model.to(device)\ns = 'model.to(device)'\n", -1, 0,
		0 },
	{ "n = sum(p.numel() for p in model.parameters())\nmodel.to(device)\n", -1, 0, 0 },
	{ "s = 'not closed\nclip_grad_norm_(p, 1)\n", -1, 0, 0 },
	{ "", -1, 0, 0 },
	{ "\"\"\"", -1, 0, 0 },
	{ "\\", -1, 0, 0 },
	{ "((((", -1, 0, 0 },
};

static void orders(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		const struct source *s = &sources[i];
		struct static_order_hit hits[STATIC_ORDER_MAX];
		size_t n = static_order_find(hits, s->text, strlen(s->text));

		if (n != (size_t)(s->kind >= 0))
			fail_msg("%zu hits in:\n%s", n, s->text);
		if (n && ((int)hits[0].kind != s->kind || hits[0].line != s->line ||
				 hits[0].other_line != s->other))
			fail_msg("kind %d, lines %d and %d in:\n%s", (int)hits[0].kind,
				hits[0].line, hits[0].other_line, s->text);
	}
}

/* They are among the hits of a scan, as hints, in Python alone. */
static void in_a_scan(void **state)
{
	static const char text[] = "def f():\n    opt = AdamW(m.parameters())\n    m.to(d)\n";
	struct static_scanner *scanner;
	struct static_hits hits = STATIC_HITS_INIT;
	size_t n;

	(void)state;
	assert_int_equal(static_scanner_new(&scanner), 0);
	static_scan(&hits, scanner, "a.py", text, sizeof text - 1);
	assert_int_equal(hits.n, 1);
	assert_string_equal(static_constructs(&n)[hits.rows[0].construct].id, "O-02");
	assert_true(static_constructs(&n)[hits.rows[0].construct].hint);
	assert_int_equal(hits.rows[0].line, 2);
	assert_non_null(strstr(hits.rows[0].text, "AdamW"));
	static_hits_release(&hits);
	static_scan(&hits, scanner, "a.md", text, sizeof text - 1);
	assert_int_equal(hits.n, 0);
	static_hits_release(&hits);
	static_scanner_free(scanner);
}

/* A thousand nested functions and brackets that never close take no longer than their length. */
static void hostile(void **state)
{
	struct static_order_hit hits[STATIC_ORDER_MAX];
	size_t n = 1 << 20;
	char *text = malloc(n);

	(void)state;
	assert_non_null(text);
	memset(text, '(', n);
	assert_int_equal(static_order_find(hits, text, n), 0);
	for (size_t i = 0; i < n; i++)
		text[i] = "loss.backward()\nclip_grad_norm_(p)\nxm.reduce_gradients(o)\n"[i % 58];
	assert_int_equal(static_order_find(hits, text, n), STATIC_ORDER_MAX);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(in_a_scan),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests_name("static_order", tests, NULL, NULL);
}
