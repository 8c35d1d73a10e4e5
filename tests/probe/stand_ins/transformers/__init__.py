"""A stand-in for transformers: what the probe asks of a Trainer and of a model."""

__version__ = "4.44.0"

from .modeling_utils import PreTrainedModel  # noqa: F401
from .trainer import Trainer  # noqa: F401
