/*
 * tensor_folder - the files of tensors below a folder; see tensor_set.h.
 *
 * Folders are walked TENSOR_FOLDER_DEPTH deep, in the natural order of names; a link
 * to a folder is not followed.  A dump.json of msProbe in the folder itself rules.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_FOLDER_H
#define PORTSIDE_EVIDENCE_TENSOR_FOLDER_H

#include "evidence/tensor_set.h"

int tensor_folder_read(struct tensor_set *s, const char *path) ATTR_MUST_USE;
/* Is there at least one file that looks like it, by its name? */
bool tensor_folder_has_tensors(const char *path);

#endif
