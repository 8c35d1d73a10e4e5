/* signature_sources - see signature_sources.h. */
#include "config.h"

#include "workspace/signature_sources.h"

#include "base/err.h"
#include "base/fs.h"
#include "workspace/accepted.h"
#include "workspace/user_config.h"

/* Those of portside.conf that a person has accepted. */
static int add_accepted(
	struct signature_catalogue *c, struct workspace *ws, const struct position *at)
{
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, at);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < accepted.in_force.signatures_n; i++) {
		const struct config_signature *s = &accepted.in_force.signatures[i];

		signature_catalogue_add_section(c, "portside.conf",
			&(struct signature_section){ .id = s->name, .cause = s->cause,
				.kind = s->kind, .side = s->side, .rule = s->rule,
				.pattern = s->pattern, .note = s->note, .line = s->line });
	}
	accepted_release(&accepted);
	return 0;
}

int signature_sources_read(struct signature_catalogue **out, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	int rc;

	*out = signature_catalogue_new();
	rc = signature_catalogue_add_folder(*out, fs_data_path(a, "signatures"));
	if (rc < 0)
		return err_prefix("signatures of the program: ");
	if (ws && (rc = add_accepted(*out, ws, at)) < 0)
		return rc;
	rc = signature_catalogue_add_folder(
		*out, fs_join(a, fs_dirname(a, user_config_path(a)), "signatures"));
	if (rc != ERR_NOT_FOUND)
		return rc;
	err_clear();
	return 0;
}
