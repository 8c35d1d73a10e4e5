/*
 * settings - what a source says a run was configured with: names and values.
 *
 * Hyperparameters that a tracker keeps beside the curves (MLflow's params, a
 * trackio or W&B config, DVCLive's params.yaml) and tags such as the name of the
 * run.  Values stay the text that was written: 1e-3 is not turned into 0.001.
 * Nested names are dotted.  A name that is put again takes the later value.
 * Bytes of strangers: sanitise when drawing.
 *
 *	settings_put(&sink->settings, "optimizer.name", 14, "adam", 4);
 *	const char *rate = settings_find(&run->settings, "learning_rate");
 */
#ifndef PORTSIDE_CURVE_SETTINGS_H
#define PORTSIDE_CURVE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct setting {
	char *name;
	char *value;
};

struct settings {
	struct setting *list;	/* in order of first appearance */
	size_t n, cap;
	bool full;		/* more than SETTINGS_MAX were there */
};

enum { SETTINGS_MAX = 4096, SETTING_BYTES_MAX = 64 * 1024 };

/* A longer value is cut at SETTING_BYTES_MAX; NUL bytes become blanks. */
void settings_put(
	struct settings *s, const char *name, size_t name_n, const char *value, size_t value_n);
/* What was put may be taken back; nothing when it is not there. */
void settings_remove(struct settings *s, const char *name, size_t name_n);
/* NULL when it is not there. */
const char *settings_find(const struct settings *s, const char *name);
/* Every setting of FROM; those of INTO stay where both have one. */
void settings_merge(struct settings *into, const struct settings *from);
void settings_release(struct settings *s);

#endif
