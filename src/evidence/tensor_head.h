/*
 * tensor_head - does a text begin with a JSON object whose first key is this one, and
 * hold that text?
 *
 *	tensor_head_begins(head, n, "task")	// {"task": ..., with any blanks
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_HEAD_H
#define PORTSIDE_EVIDENCE_TENSOR_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline size_t tensor_head_skip(const char *p, size_t n, size_t i)
{
	while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\n' || p[i] == '\r'))
		i++;
	return i;
}

static inline bool tensor_head_begins(const char *head, size_t n, const char *key)
{
	size_t length = strlen(key), i = tensor_head_skip(head, n, 0);

	if (i == n || head[i] != '{')
		return false;
	i = tensor_head_skip(head, n, i + 1);
	return i + length + 2 <= n && head[i] == '"' &&
		memcmp(head + i + 1, key, length) == 0 && head[i + 1 + length] == '"';
}

static inline bool tensor_head_holds(const char *head, size_t n, const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i + length <= n; i++)
		if (memcmp(head + i, text, length) == 0)
			return true;
	return false;
}

#endif
