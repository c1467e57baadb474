# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""samples/hopper_attention and samples/attention against FlashAttention's CuTe DSL kernels (flash_attn.cute) in one process: CUDA graphs of
several calls each (packed sequences, and backward passes: plain calls), interleaved, random normal data, medians. Each result is compared.
Backward passes race PyTorch's own by cuDNN, too. Flops are those of five products.

usage: attention.py [--backward] libhopper_attention-benchmark.so libattention-benchmark.so...       Needs PyTorch, and a Hopper GPU; without flash_attn it times Tegula alone, and backward passes against cuDNN.
"""
import ctypes
import os
import random
import statistics
import sys
import time

import torch

try:
    from flash_attn.cute import flash_attn_func, flash_attn_varlen_func
except ImportError:
    flash_attn_func = flash_attn_varlen_func = None

ROUNDS, CALLS = 9, 4


class Arguments(ctypes.Structure):
    _fields_ = (
        [(name, ctypes.c_void_p) for name in ("q", "k", "v", "o", "log_sum_exp")]
        + [(name, ctypes.c_int64) for name in ("batches", "queries", "keys", "heads", "key_heads", "head_dim")]
        + [("scale", ctypes.c_float), ("stream", ctypes.c_void_p), ("begins", ctypes.c_void_p)]
        + [("sequences", ctypes.c_int64), ("longest", ctypes.c_int64)]
    )


class BackwardArguments(ctypes.Structure):
    _fields_ = (
        [(name, ctypes.c_void_p) for name in ("q", "k", "v", "o", "log_sum_exp", "d_o", "dq", "dk", "dv")]
        + [(name, ctypes.c_int64) for name in ("batches", "queries", "keys", "heads", "key_heads", "head_dim")]
        + [("scale", ctypes.c_float), ("stream", ctypes.c_void_p)]
    )


def first(result):
    return result[0] if isinstance(result, tuple) else result


def caller(library, name, q, k, v, o, lse, begins=None, longest=0):
    batches, queries, heads, dim = q.shape if q.dim() == 4 else (1, *q.shape)

    def call():
        given = Arguments(
            *(x.data_ptr() for x in (q, k, v, o, lse)), batches, queries, k.shape[-3], heads, k.shape[-2], dim, dim**-0.5,
            torch.cuda.current_stream().cuda_stream, begins.data_ptr() if begins is not None else None,
            len(begins) - 1 if begins is not None else 0, longest)
        status = library.attention(name.encode(), ctypes.byref(given))
        if status != 0:
            raise LookupError(name) if status == 2 else RuntimeError(name + " failed")

    return call


def graph_of(call):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS):
            call()
    return graph.replay


def race(title, flops, calls, in_graphs):
    for call in calls.values():
        call()
    torch.cuda.synchronize()
    runs = {name: graph_of(call) if in_graphs else call for name, call in calls.items()}
    times = {name: [] for name in runs}
    names = list(runs)
    for turn in range(ROUNDS):
        for name in names[turn % len(names):] + names[: turn % len(names)]:
            begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
            torch.cuda.synchronize()
            time.sleep(0.01)
            runs[name]()
            begin.record()
            for _ in range(1 if in_graphs else CALLS):
                runs[name]()
            end.record()
            torch.cuda.synchronize()
            times[name].append(begin.elapsed_time(end) / CALLS * 1e-3)
    print(title)
    peer = statistics.median(times[names[0]])
    for name, samples in times.items():
        median = statistics.median(samples)
        print(f"    {name:34s} {flops / median * 1e-12:7.1f} TF   best {flops / min(samples) * 1e-12:7.1f}   {peer / median:6.3f} of {names[0]}")
    sys.stdout.flush()


def add(calls, label, call, o, expected):
    """What a library lacks does not race."""
    try:
        call()
    except LookupError:
        return
    calls[label] = call
    if expected is not None:
        compare(label, o, expected)


def compare(name, o, expected):
    error = ((o.float() - expected.float()).norm() / expected.float().norm()).item()
    if not error < 5e-3:
        raise RuntimeError(f"{name}: wrong result, relative error {error}")


def dense(libraries, batches, length, heads, dim, causal, dtype):
    q, k, v = (torch.randn(batches, length, heads, dim, device="cuda", dtype=getattr(torch, dtype)) for _ in range(3))
    lse = torch.empty(batches, heads, length, device="cuda")
    name = {"float16": "f16", "bfloat16": "bf16"}[dtype] + f"_d{dim}" + ("_causal" if causal else "")
    calls = {}
    if flash_attn_func:
        calls["FlashAttention"] = lambda: first(flash_attn_func(q, k, v, causal=causal))
        expected = calls["FlashAttention"]()
    else:
        expected = torch.nn.functional.scaled_dot_product_attention(
            *(x.transpose(1, 2) for x in (q, k, v)), is_causal=causal).transpose(1, 2)
    for label, library in libraries.items():
        o = torch.full_like(q, float("nan"))
        add(calls, label, caller(library, name, q, k, v, o, lse), o, expected)
    flops = 4 * batches * heads * length * length * dim * (0.5 if causal else 1)
    race(f"{batches} x {length}, {heads} heads of {dim}, {dtype}{', causal' if causal else ''}", flops, calls, True)


def packed(libraries, causal):
    random.seed(1)
    lengths = [random.randint(100, 8000) for _ in range(64)]
    begins = torch.tensor([sum(lengths[:i]) for i in range(65)], dtype=torch.int32, device="cuda")
    heads, dim, total, longest = 16, 128, sum(lengths), max(lengths)
    q, k, v = (torch.randn(total, heads, dim, device="cuda", dtype=torch.float16) for _ in range(3))
    lse = torch.empty(heads, total, device="cuda")
    calls = {}
    expected = None
    if flash_attn_varlen_func:
        calls["FlashAttention"] = lambda: first(flash_attn_varlen_func(
            q, k, v, cu_seqlens_q=begins, cu_seqlens_k=begins, max_seqlen_q=longest, max_seqlen_k=longest, causal=causal))
        expected = calls["FlashAttention"]()
    for label, library in libraries.items():
        o = torch.full_like(q, float("nan"))
        name = "f16_d128" + ("_causal" if causal else "") + "_packed"
        add(calls, label, caller(library, name, q, k, v, o, lse, begins, longest), o, expected)
    flops = sum(4 * heads * length * length * dim * (0.5 if causal else 1) for length in lengths)
    race(f"64 packed sequences of 100 to 8000, {heads} heads of {dim}{', causal' if causal else ''}", flops, calls, False)


def peers_of_backward(leaves, d_o, causal):
    """The backward passes of FlashAttention, if it is there and runs, and of cuDNN, which gives o, log_sum_exp and the gradients to compare with."""
    # As (batch, heads, length, head_dim), views of what Tegula takes.
    q, k, v = (x.transpose(1, 2).detach().requires_grad_(True) for x in leaves)
    o, lse = torch.ops.aten._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, causal)[:2]
    of_cudnn = lambda: torch.autograd.grad(o, (q, k, v), d_o.transpose(1, 2), retain_graph=True)
    expected = [x.transpose(1, 2) for x in of_cudnn()]
    calls = {}
    if flash_attn_func:
        try:
            own = [x.detach().requires_grad_(True) for x in leaves]
            result = first(flash_attn_func(*own, causal=causal))
            of_flash = lambda: torch.autograd.grad(result, own, d_o, retain_graph=True)
            for gradient, reference in zip(of_flash(), expected):
                compare("FlashAttention", gradient, reference)
            calls["FlashAttention"] = of_flash
        except Exception as error:  # It has no kernel for some shapes: the others race.
            print(f"FlashAttention does not run: {type(error).__name__}: {str(error)[:200]}")
    calls["cuDNN"] = of_cudnn
    return calls, o.detach().transpose(1, 2).contiguous(), lse.detach().float().reshape(*q.shape[:3]).contiguous(), expected


def backward(library, batches, length, heads, dim, causal, dtype, variant=""):
    leaves = [torch.randn(batches, length, heads, dim, device="cuda", dtype=getattr(torch, dtype)) for _ in range(3)]
    d_o = torch.randn_like(leaves[0])
    calls, o, lse, expected = peers_of_backward(leaves, d_o, causal)
    results = [torch.full_like(x, float("nan")) for x in leaves]
    name = {"float16": "f16", "bfloat16": "bf16"}[dtype] + f"_d{dim}" + ("_causal" if causal else "") + variant

    def call():
        given = BackwardArguments(
            *(x.data_ptr() for x in (*leaves, o, lse, d_o, *results)), batches, length, length, heads, heads, dim,
            dim**-0.5, torch.cuda.current_stream().cuda_stream)
        status = library.attention_backward(name.encode(), ctypes.byref(given))
        if status != 0:
            raise RuntimeError(f"{name} failed: {status}")

    call()
    calls["Tegula"] = call
    for result, reference in zip(results, expected):
        compare(name, result, reference)
    flops = 10 * batches * heads * length * length * dim * (0.5 if causal else 1)
    race(f"backward: {batches} x {length}, {heads} heads of {dim}, {dtype}{', causal' if causal else ''}{variant}", flops, calls, False)


def main():
    torch.manual_seed(0)
    is_backward = "--backward" in sys.argv
    libraries = {os.path.basename(path): ctypes.CDLL(os.path.abspath(path)) for path in sys.argv[1:] if path[0] != "-"}
    print(f"Attention on {torch.cuda.get_device_name()}: medians of {ROUNDS} samples, interleaved")
    if is_backward:
        library = next(iter(libraries.values()))
        backward(library, 1, 4096, 16, 128, False, "float16")
        backward(library, 1, 4096, 16, 128, True, "float16")
        backward(library, 4, 8192, 16, 64, False, "float16")
        backward(library, 4, 8192, 16, 64, False, "float16", "_deterministic")
        backward(library, 4, 8192, 16, 64, True, "float16")
        backward(library, 4, 8192, 8, 256, True, "bfloat16")
        return
    dense(libraries, 1, 4096, 16, 128, False, "float16")
    dense(libraries, 1, 4096, 16, 128, True, "float16")
    dense(libraries, 1, 32768, 16, 128, False, "float16")
    dense(libraries, 1, 32768, 16, 128, True, "float16")
    dense(libraries, 4, 8192, 16, 64, False, "float16")
    dense(libraries, 4, 8192, 8, 256, True, "bfloat16")
    dense(libraries, 4, 8192, 8, 256, False, "bfloat16")
    packed(libraries, True)
    packed(libraries, False)


main()
