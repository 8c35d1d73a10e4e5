# The probe that a training program carries; Python, so a sanitizer has nothing to say of it.
# Makefile.am starts it among the longest.
EXTRA_DIST += \
	tests/probe/probe.sh \
	tests/probe/test_probe.py \
	tests/probe/train.py \
	tests/probe/stand_ins/accelerate/__init__.py \
	tests/probe/stand_ins/accelerate/accelerator.py \
	tests/probe/stand_ins/torch_tpu/__init__.py \
	tests/probe/stand_ins/torch_xla/__init__.py \
	tests/probe/stand_ins/torch_xla/core/__init__.py \
	tests/probe/stand_ins/torch_xla/core/xla_model.py \
	tests/probe/stand_ins/torch_xla/debug/__init__.py \
	tests/probe/stand_ins/torch_xla/debug/metrics.py \
	tests/probe/stand_ins/torch_xla/lazy.py \
	tests/probe/stand_ins/torch_xla/runtime.py \
	tests/probe/stand_ins/transformers/__init__.py \
	tests/probe/stand_ins/transformers/modeling_utils.py \
	tests/probe/stand_ins/transformers/trainer.py
