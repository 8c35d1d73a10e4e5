/*
 * tensor_set - the tensors of one side: of a file, or of a folder of files.
 *
 * Read are .safetensors, .npy and .npz, folders of them, a folder that msProbe wrote
 * (dump.json) and run results of Polygraphy; each by its content, in a folder by the
 * ends of names.  Of a folder the names of tensors are
 *
 *	sub/layer.npy			sub/layer
 *	a.npz, member w.npy		a/w
 *	model.safetensors, tensor w	model/w, or w where it is the only such file
 *	model-00001-of-00002.safetensors	as of model.safetensors: parts of one
 *
 * Files of torch.save are pickles and are never unpacked: they are noted.  A file of
 * a folder that cannot be read is a tensor that cannot be read, so that it is missed.
 * Two tensors of one name are an error.
 *
 *	struct tensor_set *s;
 *
 *	if (tensor_set_open(&s, "gpu.safetensors") < 0)
 *		return err_code();
 *	for (i = 0; i < s->n; i++)
 *		puts(s->rows[i].name);
 *	tensor_set_free(s);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_SET_H
#define PORTSIDE_EVIDENCE_TENSOR_SET_H

#include "base/mem.h"
#include "evidence/tensor.h"

enum tensor_format {
	TENSOR_NO_FORMAT,
	TENSOR_SAFETENSORS,
	TENSOR_NPY,
	TENSOR_NPZ,
	TENSOR_TORCH,			/* recognised, and refused with a sentence */
	TENSOR_MSPROBE,			/* dump.json */
	TENSOR_POLYGRAPHY,		/* RunResults */
	TENSOR_FOLDER,
	TENSOR_FORMATS
};

const char *tensor_format_name(enum tensor_format f);

enum {
	TENSOR_HEAD_BYTES = 512,	/* what recognition looks at */
	TENSOR_FOLDER_DEPTH = 8,
	TENSOR_FILES_MAX = 100000,
};

/* Of a file of SIZE bytes by its first N, at most TENSOR_HEAD_BYTES. */
enum tensor_format tensor_bytes_recognise(const char *head, size_t n, int64_t size);
/* The same from PATH, for importers; what cannot be opened is TENSOR_NO_FORMAT. */
enum tensor_format tensor_file_recognise(const char *path);

struct tensor_note {
	const char *text;
	struct tensor_note *next;
};

struct tensor_set {
	struct arena arena;
	const char *path;
	enum tensor_format format;
	bool in_execution_order;	/* else the order of the file, or of names */
	struct tensor *rows;
	size_t n, cap;
	/* What was not read, and why: with one, nothing can be said of the whole. */
	struct tensor_note *notes, **last_note;
};

/* OUT is yours: tensor_set_free().  ERR_NOT_FOUND, ERR_IO, ERR_PARSE. */
int tensor_set_open(struct tensor_set **out, const char *path) ATTR_MUST_USE;
void tensor_set_free(struct tensor_set *s);		/* NULL is fine */

/* For readers of further formats. */
struct tensor *tensor_set_add(struct tensor_set *s);	/* zeroed, valid until the next */
/* The tensors of one file of FORMAT (npy, npz, safetensors); PREFIX and "/" go before
 * the names, and are the name of an .npy.  It must live as long as S. */
int tensor_set_add_file(struct tensor_set *s, enum tensor_format format, const char *path,
	const char *prefix) ATTR_MUST_USE;
void tensor_set_note(struct tensor_set *s, const char *fmt, ...) ATTR_PRINTF(2, 3);

#endif
