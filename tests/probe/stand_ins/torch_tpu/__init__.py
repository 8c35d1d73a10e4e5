"""A stand-in for TorchTPU: it registers torch.tpu, which answers as a device module does."""

import types

import torch

__version__ = "0.1.1.dev20260923"

torch.tpu = types.SimpleNamespace(is_available=lambda: True, device_count=lambda: 4)
