# Files that the program reads at run time.  They are installed below
# $(pkgdatadir) without the leading "data/", the way the program looks for them.
DATA_FILES = \
	data/brief.txt \
	data/versions.tsv \
	data/chips.tsv \
	data/remote/portside-remote.sh \
	data/demo/00-original/message \
	data/demo/00-original/message.blind \
	data/demo/00-original/tree/.gitignore \
	data/demo/00-original/tree/README.md \
	data/demo/00-original/tree/accel/__init__.py \
	data/demo/00-original/tree/accel/sim.py \
	data/demo/00-original/tree/accel/torch.py \
	data/demo/00-original/tree/accel/tpu.py \
	data/demo/00-original/tree/requirements.txt \
	data/demo/00-original/tree/textcls/__init__.py \
	data/demo/00-original/tree/textcls/data.py \
	data/demo/00-original/tree/textcls/facts.py \
	data/demo/00-original/tree/textcls/model.py \
	data/demo/00-original/tree/textcls/trainer.py \
	data/demo/00-original/tree/train.py \
	data/demo/01-import/message \
	data/demo/01-import/message.blind \
	data/demo/01-import/tree/requirements.txt \
	data/demo/01-import/tree/train.py \
	data/demo/02-library/message \
	data/demo/02-library/message.blind \
	data/demo/02-library/tree/requirements.txt \
	data/demo/02-library/tree/textcls/trainer.py \
	data/demo/02-library/tree/train.py \
	data/demo/03-device/message \
	data/demo/03-device/message.blind \
	data/demo/03-device/tree/textcls/trainer.py \
	data/demo/04-padding/message \
	data/demo/04-padding/message.blind \
	data/demo/04-padding/tree/textcls/data.py \
	data/demo/04-padding/tree/textcls/trainer.py \
	data/demo/05-memory/message \
	data/demo/05-memory/message.blind \
	data/demo/05-memory/tree/textcls/trainer.py \
	data/demo/05-memory/tree/train.py \
	data/demo/06-best/message \
	data/demo/06-best/message.blind \
	data/demo/06-best/tree/textcls/trainer.py \
	data/demo/06-best/tree/train.py \
	data/demo/07-chips/message \
	data/demo/07-chips/message.blind \
	data/demo/07-chips/tree/textcls/data.py \
	data/demo/07-chips/tree/textcls/trainer.py \
	data/demo/07-chips/tree/train.py \
	data/demo/08-reduce/message \
	data/demo/08-reduce/message.blind \
	data/demo/08-reduce/tree/textcls/trainer.py \
	data/demo/09-configuration/message \
	data/demo/09-configuration/message.blind \
	data/demo/09-configuration/tree/portside.conf \
	data/demo/runs \
	data/demo/story \
	data/signatures/device.tsv \
	data/signatures/environment.tsv \
	data/signatures/lazy-tensor.tsv \
	data/signatures/library.tsv \
	data/signatures/memory.tsv \
	data/signatures/noise.tsv \
	data/signatures/operator.tsv \
	data/probe/portside_probe/__init__.py \
	data/probe/portside_probe/accelerate_hooks.py \
	data/probe/portside_probe/answers.py \
	data/probe/portside_probe/checkpoints.py \
	data/probe/portside_probe/guard.py \
	data/probe/portside_probe/host.py \
	data/probe/portside_probe/imports.py \
	data/probe/portside_probe/journal.py \
	data/probe/portside_probe/schedule.py \
	data/probe/portside_probe/settings.py \
	data/probe/portside_probe/tensors.py \
	data/probe/portside_probe/torch_clip.py \
	data/probe/portside_probe/torch_data.py \
	data/probe/portside_probe/torch_hooks.py \
	data/probe/portside_probe/torch_reduce.py \
	data/probe/portside_probe/torch_wrappers.py \
	data/probe/portside_probe/tpu.py \
	data/probe/portside_probe/transformers_hooks.py \
	data/probe/portside_probe/xla.py \
	data/probe/sitecustomize.py \
	data/study/table1.csv

EXTRA_DIST += $(DATA_FILES)

install-data-local:
	@for file in $(DATA_FILES); do \
		to="$(DESTDIR)$(pkgdatadir)/$${file#data/}"; \
		$(MKDIR_P) "$${to%/*}" || exit 1; \
		$(INSTALL_DATA) "$(srcdir)/$$file" "$$to" || exit 1; \
	done

uninstall-local:
	@for file in $(DATA_FILES); do \
		rm -f "$(DESTDIR)$(pkgdatadir)/$${file#data/}"; \
	done
	@test ! -d "$(DESTDIR)$(pkgdatadir)" || \
		find "$(DESTDIR)$(pkgdatadir)" -depth -type d -exec rmdir {} + 2>/dev/null || :
