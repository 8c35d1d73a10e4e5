/*
 * wandb_value - items of a .wandb file: a name and a value written as JSON.
 *
 * An item has a key, or a nested_key of several parts, which are joined with
 * dots.  Its value_json is a number, bare or in quotes, a word, a text, a list or
 * an object: one with a "_type" is a medium, any other one is more values whose
 * names go on behind a dot.
 *
 *	struct wandb_values v = WANDB_VALUES_INIT;
 *	struct wandb_item item;
 *
 *	if (wandb_item_read(&item, &v, bytes) &&
 *	    wandb_value_read(&number, &v, &item) == WANDB_NUMBER)
 *		put(item.name, item.name_n, number.value);
 *	wandb_values_release(&v);
 */
#ifndef PORTSIDE_CURVE_WANDB_VALUE_H
#define PORTSIDE_CURVE_WANDB_VALUE_H

#include "base/buf.h"
#include "curve/json_scan.h"
#include "curve/protobuf.h"
#include "curve/reader_number.h"
#include "curve/settings.h"

/* Room for the name and the value at hand. */
struct wandb_values {
	struct json_row row;	/* fields of an object */
	struct buf name, json;
};

#define WANDB_VALUES_INIT { .row = JSON_ROW_INIT, .name = BUF_INIT, .json = BUF_INIT }

void wandb_values_release(struct wandb_values *v);

struct wandb_item {
	const char *name;	/* borrowed from the message or the room */
	size_t name_n;
	const char *json;	/* value_json as it stands; empty when there is none */
	size_t json_n;
};

/* False when the message is malformed. */
bool wandb_item_read(struct wandb_item *out, struct wandb_values *v, struct protobuf m);

enum wandb_value {
	WANDB_ABSENT,		/* null, or nothing */
	WANDB_NUMBER,
	WANDB_OTHER,		/* text, a list, a medium, no JSON */
	WANDB_OBJECT,		/* its values are the fields of V->row, without the item's name */
};

enum wandb_value wandb_value_read(
	struct number *out, struct wandb_values *v, const struct wandb_item *item);

/* "name.field" in V's room, where ITEM's own name lies from then on. */
const char *wandb_value_name(struct wandb_values *v, struct wandb_item *item, const char *field,
	size_t field_n, size_t *n);

/* An update of a configuration: texts decoded, objects by dotted names, null left out. */
void wandb_value_put_setting(
	struct settings *s, struct wandb_values *v, struct wandb_item *item);

#endif
