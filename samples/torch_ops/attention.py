# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with its gradients in PyTorch.

    attention.py LIBRARY [--time]

attention(q, k, v, causal, scale) is differentiable, and runs on the CPU, too. What it gives and its gradients are compared with PyTorch's own, in float64; --time
measures both passes beside PyTorch's.
"""
import argparse
import statistics
import sys

import torch

arguments = argparse.ArgumentParser()
arguments.add_argument("library")
arguments.add_argument("--time", "--benchmark", action="store_true", help="measure both passes on the GPU, too")
arguments = arguments.parse_args()
torch.ops.load_library(arguments.library)
ops = torch.ops.tegula_attention


def attention(q, k, v, causal=False, scale=None):
    """q is (batch, queries, heads, 64, 128 or 256), k and v are (batch, keys, key heads, the same); a causal query sees the keys up to its own, the last one all."""
    operator = ops.causal_attention if causal else ops.attention
    return operator(q, k, v, q.shape[-1] ** -0.5 if scale is None else scale)[0]


def keep(ctx, inputs, output):
    q, k, v, ctx.scale = inputs
    o, log_sum_exp = output
    ctx.mark_non_differentiable(log_sum_exp)
    ctx.save_for_backward(q, k, v, o, log_sum_exp)


def gradients_by(operator):
    def gradients(ctx, d_o, _):
        q, k, v, o, log_sum_exp = ctx.saved_tensors
        return *operator(q, k, v, o, log_sum_exp, d_o.contiguous(), ctx.scale), None  # That of a sum has strides of 0.

    return gradients


for name in ("attention", "causal_attention"):
    torch.library.register_autograd(f"tegula_attention::{name}", gradients_by(getattr(ops, f"{name}_backward")), setup_context=keep)


# ---- Checks -------------------------------------------------------------------------------------------------------------


def of_torch(q, k, v, causal):
    """The same in the type of its arguments, by matrices: PyTorch's is_causal has the first query see the first key alone."""
    k, v = (each.repeat_interleave(q.shape[2] // each.shape[2], 2) for each in (k, v))
    q, k, v = (each.transpose(1, 2) for each in (q, k, v))
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2]) if causal else None
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2)


def close(name, mine, exact):
    # Of one key, whose weight is 1, the gradients of scores are 0: the error is relative to a tenth, too.
    error = ((mine.double() - exact).norm() / (exact.norm() + 0.1 * exact.numel() ** 0.5)).item()
    if not error < (1e-2 if mine.dtype == torch.bfloat16 else 2e-3):
        raise AssertionError(f"{name} of {list(mine.shape)}, {mine.dtype}: relative error {error}")


def check(device, dtype, queries, keys, heads, key_heads, dim, causal):
    q, k, v = (torch.randn(2, each, count, dim, device=device).to(dtype) for each, count in ((queries, heads), (keys, key_heads), (keys, key_heads)))
    # Heads before queries in memory: strides of their own.
    q = q.transpose(1, 2).contiguous().transpose(1, 2)
    d_o = torch.randn(q.shape, device=device).to(dtype)
    mine = [x.detach().requires_grad_() for x in (q, k, v)]
    exact = [x.detach().double().requires_grad_() for x in (q, k, v)]
    o, reference = attention(*mine, causal), of_torch(*exact, causal)
    close("o", o, reference)
    for name, a, b in zip(("dq", "dk", "dv"), torch.autograd.grad(o, mine, d_o), torch.autograd.grad(reference, exact, d_o.double())):
        close(name, a, b)


def checks(device):
    sizes = [(33, 65, 2, 1), (1, 1, 1, 1), (129, 129, 1, 1)] if device == "cpu" else [(257, 513, 8, 4), (1, 7, 2, 2), (1000, 1000, 4, 4)]
    for dtype in (torch.float16, torch.bfloat16):
        for dim in (64, 128, 256):
            for causal in (False, True):
                for size in sizes:
                    check(device, dtype, *size, dim, causal)


def opcheck(device):
    q, k, v = (torch.randn(1, 16, 2, 64, device=device, dtype=torch.float16) for _ in range(3))
    torch.library.opcheck(ops.attention.default, (*(x.clone().requires_grad_() for x in (q, k, v)), 0.125))
    o, log_sum_exp = ops.attention(q, k, v, 0.125)
    torch.library.opcheck(ops.attention_backward.default, (q, k, v, o, log_sum_exp, torch.randn_like(o), 0.125), test_utils="test_faketensor")


def compiled(device):
    q, k, v = (torch.randn(1, 65, 2, 64, device=device, dtype=torch.float16, requires_grad=True) for _ in range(3))
    loss = lambda q, k, v: attention(q * 2, k, v, True).float().square().sum()
    once = torch.compile(loss, fullgraph=True, backend="aot_eager")
    for a, b in zip(torch.autograd.grad(once(q, k, v), (q, k, v)), torch.autograd.grad(loss(q, k, v), (q, k, v))):
        close("compiled", a, b.double())


def refused(device):
    x = torch.randn(1, 8, 1, 32, device=device, dtype=torch.float16)
    try:
        attention(x, x, x)
    except RuntimeError as error:
        assert "this instance is for another head dimension" in str(error), error
    else:
        raise AssertionError("heads of 32 were not refused")


# ---- Time ---------------------------------------------------------------------------------------------------------------


def microseconds(call):
    for _ in range(3):
        call()
    samples = []
    for _ in range(7):
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        begin.record()
        for _ in range(4):
            call()
        end.record()
        torch.cuda.synchronize()
        samples.append(begin.elapsed_time(end) / 4 * 1e3)
    return statistics.median(samples)


def times():
    for batches, length, heads, dim, causal in ((1, 4096, 16, 128, False), (1, 4096, 16, 128, True), (4, 8192, 16, 64, False)):
        mine = [torch.randn(batches, length, heads, dim, device="cuda", dtype=torch.float16, requires_grad=True) for _ in range(3)]
        theirs = [x.detach().transpose(1, 2).requires_grad_() for x in mine]
        d_o = torch.randn_like(mine[0])
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
            for name, function, inputs, gradient in (("Tegula", lambda *x: attention(*x, causal), mine, d_o),
                                                     ("cuDNN", lambda *x: torch.nn.functional.scaled_dot_product_attention(*x, is_causal=causal), theirs, d_o.transpose(1, 2))):
                o = function(*inputs)
                print(f"{batches} x {length}, {heads} heads of {dim}{', causal' if causal else ''}: {name:7} forward {microseconds(lambda: function(*inputs)):8.1f} us, "
                      f"backward {microseconds(lambda: torch.autograd.grad(o, inputs, gradient, retain_graph=True)):8.1f} us")


def main():
    torch.manual_seed(0)
    failed = 0
    for device in ["cpu"] + (["cuda"] if torch.cuda.is_available() else []):
        for function in (checks, opcheck, compiled, refused):
            try:
                function(device)
                print(f"{device:5} {function.__name__:10} ok")
            except Exception as error:  # The others run, too.
                failed += 1
                print(f"{device:5} {function.__name__:10} FAILED: {type(error).__name__}: {error}")
    if arguments.time and torch.cuda.is_available():
        times()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
