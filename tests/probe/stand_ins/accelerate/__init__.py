"""A stand-in for accelerate: an Accelerator that averages, then clips, as 0.23 does."""

from .accelerator import Accelerator  # noqa: F401

__version__ = "0.23.0"
