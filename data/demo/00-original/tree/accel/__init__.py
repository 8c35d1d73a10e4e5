"""A small stand-in for a deep-learning library and its device back ends.

Only the parts that this training project calls exist.  `accel.torch` plays
the framework and the GPU, `accel.tpu` plays the TPU runtime, `accel.sim` is
the machine below both.  All arithmetic is done on this computer's CPU, so a
run says nothing about the speed of a real accelerator; what is kept is the
behaviour that matters when code moves from one to the other: lazy execution
with one compilation per shape, finite device memory, replicas that must
reduce their gradients, and number formats.

Sums use math.fsum or a fixed order, and exp is computed with the four basic
operations only: the same program gives the same numbers on every computer.
"""
