"""The Accelerator."""

import torch


class Accelerator:
    def __init__(self, mixed_precision="no", gradient_accumulation_steps=1):
        self.mixed_precision = mixed_precision
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.num_processes, self.process_index = 1, 0
        self.distributed_type = "DistributedType.XLA"
        self.device = torch.device("cpu")
        self.split_batches, self.even_batches = False, True

    def clip_grad_norm_(self, parameters, max_norm, norm_type=2):
        import torch_xla.core.xla_model as xm

        parameters = list(parameters)
        xm.all_reduce("sum", [p.grad for p in parameters if p.grad is not None], scale=1.0 / self.num_processes)
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type=norm_type)

    def gather_for_metrics(self, tensors):
        return tensors
