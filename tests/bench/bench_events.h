/*
 * bench_events - a curve of any length, and its records as torch writes them.
 */
#ifndef PORTSIDE_TESTS_BENCH_EVENTS_H
#define PORTSIDE_TESTS_BENCH_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "curve/crc32c.h"

static inline uint32_t mix(uint32_t i)
{
	i ^= i >> 16;
	i *= 0x7feb352du;
	i ^= i >> 15;
	return i * 0x846ca68bu;
}

static inline double loss_at(int64_t i)
{
	return 0.5 + 4.0 / (1.0 + (double)i / 100000.0) +
		(double)mix((uint32_t)i) / 4294967296.0 * 0.05;
}

static inline size_t put_varint(unsigned char *p, uint64_t v)
{
	size_t n = 0;

	for (; v > 127; v >>= 7)
		p[n++] = (unsigned char)(v | 128);
	p[n++] = (unsigned char)v;
	return n;
}

/* One scalar as torch writes it. */
static inline size_t put_event_of(unsigned char *p, int64_t i, int64_t seed)
{
	static const char tag[] = "train/loss";
	double wall_s = 1700000000.0 + (double)i * 0.1;
	float value = (float)(loss_at(i) + (double)(mix((uint32_t)(i + seed)) >> 8) * 1e-9);
	unsigned char *start = p, *length;
	uint64_t n;
	uint32_t crc;

	p += 12;
	*p++ = 0x09;
	memcpy(p, &wall_s, 8);
	p += 8;
	*p++ = 0x10;
	p += put_varint(p, (uint64_t)i);
	*p++ = 0x2a;
	length = p++;
	*p++ = 0x0a;
	*p++ = sizeof tag - 1 + 2 + 5;
	*p++ = 0x0a;
	*p++ = sizeof tag - 1;
	memcpy(p, tag, sizeof tag - 1);
	p += sizeof tag - 1;
	*p++ = 0x15;
	memcpy(p, &value, 4);
	p += 4;
	*length = (unsigned char)(p - length - 1);
	n = (uint64_t)(p - start - 12);
	memcpy(start, &n, 8);
	crc = crc32c_mask(crc32c_bytes(start, 8));
	memcpy(start + 8, &crc, 4);
	crc = crc32c_mask(crc32c_bytes(start + 12, n));
	memcpy(p, &crc, 4);
	return (size_t)(p + 4 - start);
}

static inline size_t put_event(unsigned char *p, int64_t i)
{
	return put_event_of(p, i, 0);
}

#endif
