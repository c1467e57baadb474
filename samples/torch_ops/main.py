# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators of this folder in PyTorch: eager, differentiated, compiled, captured; and what a call costs the host.

    main.py LIBRARY [--time]

Every check is compared with PyTorch's own operators, on the CPU and, if there is one, on the GPU.
"""
import argparse
import logging
import sys
import time

import torch

arguments = argparse.ArgumentParser()
arguments.add_argument("library")
arguments.add_argument("--time", "--benchmark", action="store_true", help="measure the host's cost of a call, too")
arguments = arguments.parse_args()
torch.ops.load_library(arguments.library)
ops = torch.ops.tegula_sample
devices = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])


# ---- Gradients: an operator and its backward are put together in Python ------------------------------------------------


def keep_softmax(ctx, inputs, output):
    ctx.save_for_backward(output)


def softmax_backward(ctx, dy):
    (y,) = ctx.saved_tensors
    return ops.softmax_backward(dy, y)


torch.library.register_autograd("tegula_sample::softmax", softmax_backward, setup_context=keep_softmax)


def keep_rmsnorm(ctx, inputs, output):
    x, weight, _ = inputs
    ctx.save_for_backward(x, weight, output[1])


def rmsnorm_backward(ctx, dy, _):
    x, weight, rstd = ctx.saved_tensors
    dweight = ops.rmsnorm_gradient(dy, x, rstd)
    return ops.rmsnorm_backward(dy, x, weight, rstd), dweight.to(weight.dtype), None


torch.library.register_autograd("tegula_sample::rmsnorm", rmsnorm_backward, setup_context=keep_rmsnorm)


def rmsnorm(x, weight, epsilon=1e-5):
    wide = x.float()
    return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + epsilon) * weight.float()).to(x.dtype)


def attention(q, k, v, causal):
    q, k, v = (each.transpose(1, 2).double() for each in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal).transpose(1, 2)


# ---- Checks -------------------------------------------------------------------------------------------------------------

checks = {"cpu": [], "cuda": []}


def check(function):
    checks["cpu"].append(function)
    return on_gpu(function)


def on_gpu(function):
    checks["cuda"].append(function)
    return function


def close(a, b, tolerance=None):
    tolerance = tolerance or {torch.bfloat16: 2e-2, torch.float16: 2e-3}.get(a.dtype, 1e-5)
    torch.testing.assert_close(a, b.to(a.dtype), rtol=tolerance, atol=tolerance)


def refuses(message, function):
    try:
        function()
    except RuntimeError as error:
        assert message in str(error), f"expected '{message}', got '{error}'"
    else:
        raise AssertionError(f"nothing was refused; expected '{message}'")


def rows_of(device, dtype, rows=33, columns=129):
    return torch.randn(rows, columns, device=device).to(dtype)


@check
def eager(device):
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
        for size in (0, 1, 7, 127, 129, 100003):
            x, y = (torch.randn(size, device=device).to(dtype) for _ in range(2))
            torch.testing.assert_close(ops.add_vectors(x, y), x + y, rtol=0, atol=0)
    for dtype in (torch.int32, torch.int64, torch.uint8):
        x, y = (torch.randint(0, 200, (1001,), device=device, dtype=dtype) for _ in range(2))
        assert torch.equal(ops.add_vectors(x, y), x + y)
    for dtype in (torch.float32, torch.bfloat16):
        for rows, columns in ((1, 1), (7, 127), (33, 129), (5, 5000)):
            x = rows_of(device, dtype, rows, columns)
            weight = torch.randn(columns, device=device).to(dtype)
            close(ops.softmax(x), torch.softmax(x.float(), -1))
            close(ops.rmsnorm(x, weight, 1e-5)[0], rmsnorm(x, weight))
    x = torch.randn(1 << 20, device=device)
    close(ops.total(x), x.double().sum(), 1e-3)
    m = rows_of(device, torch.float32)
    for i in (0, 5, 128):
        assert torch.equal(ops.column(m, i), torch.cat([m[:, i], m[-1:, i].expand(31)]))
    assert torch.equal(ops.column(m, 3, from_end=True)[:33], m[:, -4])
    clamped = x.clone()
    ops.clamp_(clamped, -1)
    assert torch.equal(clamped, x.clamp(-1))
    ops.clamp_(clamped, high=0.5)
    assert torch.equal(clamped, x.clamp(-1, 0.5))
    parameters, gradients = ([torch.randn(1001, device=device) for _ in range(5)] for _ in range(2))
    expected = [p - 0.5 * g for p, g in zip(parameters, gradients)]
    ops.descend_(parameters, gradients, 0.5)
    for p, e in zip(parameters, expected):
        close(p, e)
    values, scale = ops.quantise(rows_of(device, torch.float32))
    assert values.dtype == torch.float8_e4m3fn and scale.shape == (33,)


@check
def lists(device):
    for dtype in (torch.float32, torch.bfloat16):
        for count, size in ((1, 1), (7, 127), (129, 1000), (600, 129)):
            p, g = ([torch.randn(size, device=device).to(dtype) for _ in range(count)] for _ in range(2))
            expected = [(a.float() - 0.125 * b.float()).to(dtype) for a, b in zip(p, g)]
            versions = [each._version for each in p]
            ops.descend_(p, g, 0.125)
            for a, b, version in zip(p, expected, versions):
                close(a, b)
                assert a._version == version + 1
    m = torch.randn(5, 300, device=device)  # Rows of one matrix, to its columns.
    expected = m - 0.5 * m[0]
    gradient = m[0].clone()
    ops.descend_(list(m), [gradient] * 5, 0.5)
    close(m, expected)
    x = torch.zeros(8, device=device)
    refuses("array 1 has the shape (4), and array 0 (8)", lambda: ops.descend_([x, x[:4]], [x, x], 1.0))
    refuses("'parameters[0]' is written and shares memory with 'parameters[1]'", lambda: ops.descend_([x, x], [x.clone()] * 2, 1.0))
    refuses("there is no kernel for (parameters: torch.float64 of 1 dimension", lambda: ops.descend_([x.double()], [x.double()], 1.0))


@check
def views(device):
    x = torch.randn(2002, device=device)
    assert torch.equal(ops.add_vectors(x[::2], x[1::2]), x[::2] + x[1::2])
    assert torch.equal(ops.add_vectors(x[:1].expand(99), x[1:100]), x[:1] + x[1:100])
    m = rows_of(device, torch.float32, 64, 96)
    close(ops.softmax(m.t()), torch.softmax(m.t(), -1))
    close(ops.softmax(m[3:, 5:70]), torch.softmax(m[3:, 5:70], -1))
    expected = m.clone()
    expected[1:9, ::3] = expected[1:9, ::3] * 0.5 + 1
    ops.scale_(m[1:9, ::3], 0.5, torch.ones(32, device=device))
    assert torch.equal(m, expected)
    ops.scale_(m)
    assert torch.equal(m, expected * 2)
    assert ops.softmax(m).is_contiguous()


@check
def attends(device):
    if device == "cpu":
        shape, keys = (1, 33, 2, 128), (1, 65, 1, 128)
    else:
        shape, keys = (2, 257, 8, 128), (2, 513, 4, 128)
    for dtype in (torch.float16, torch.bfloat16):
        q, k, v = (torch.randn(each, device=device).to(dtype) for each in (shape, keys, keys))
        wide = [each.repeat_interleave(shape[2] // keys[2], 2) for each in (k, v)]
        close(ops.attention(q, k, v, 128**-0.5)[0], attention(q, *wide, causal=False), 2e-2)
    k, v = (torch.randn(shape, device=device).to(dtype) for _ in range(2))
    close(ops.causal_attention(q, k, v, 128**-0.5)[0], attention(q, k, v, causal=True), 2e-2)
    heads_first = [each.transpose(1, 2).contiguous().transpose(1, 2) for each in (q, k, v)]
    close(ops.attention(*heads_first, 128**-0.5)[0], attention(q, k, v, causal=False), 2e-2)


@check
def messages(device):
    x = torch.randn(8, device=device)
    m = torch.randn(4, 8, device=device)
    refuses("tegula_sample::scale_: expected 'x' to be of torch.float32, but it is of torch.float64: convert it, x.to(torch.float32)",
            lambda: ops.scale_(m.double()))
    refuses("tegula_sample::scale_: expected 'x' to have 2 dimensions, but its shape is [8]", lambda: ops.scale_(x))
    refuses("tegula_sample::softmax: there is no kernel for (x: torch.float16 of 2 dimensions), only for "
            "(x: torch.float32 of 2 dimensions); (x: torch.float64 of 2 dimensions); (x: torch.bfloat16 of 2 dimensions)", lambda: ops.softmax(m.half()))
    refuses("add_vectors: x and y differ in length", lambda: ops.add_vectors(x, x[1:]))
    refuses("tegula_sample::column: 'i' is 4294967296, and the kernel takes s32", lambda: ops.column(m, 1 << 32))
    refuses("tegula_sample::descend_: expected 'g[1]' to be of torch.float32, but it is of torch.float64",
            lambda: ops.descend_([x, x + 1], [x, x.double()], 1.0))
    refuses("descend_: each parameter has a gradient of its shape", lambda: ops.descend_([x], [], 1.0))
    refuses("column: there is no such column", lambda: ops.column(m, 8))
    refuses("scale_: 'x' is written, but with shape (4, 8) and strides (0, 1) several indices refer to one element",
            lambda: ops.scale_(x.expand(4, 8)))
    refuses("scale_: 'x' is written and shares memory with 'shift'", lambda: ops.scale_(m, 2.0, m[0]))
    if device == "cuda":
        refuses("tegula_sample::add_vectors: expected all tensors to be on cuda:0, but 'y' is on cpu: move it, y.to(\"cuda:0\")",
                lambda: ops.add_vectors(x, x.cpu()))


@check
def meta_and_fake(device):
    x = torch.empty(3, 1 << 40, device="meta")
    assert ops.softmax(x).shape == x.shape and ops.total(x[0]).shape == ()
    refuses("add_vectors: x and y differ in length", lambda: ops.add_vectors(x[0], x[1, 1:]))
    with torch._subclasses.FakeTensorMode():
        fake = torch.empty(3, 5, device=device)
        y, rstd = ops.rmsnorm(fake, fake[0], 1e-5)
        assert y.shape == (3, 5) and rstd.shape == (3,) and y.device == fake.device


@check
def gradients(device):
    for dtype in (torch.float32, torch.bfloat16):
        x, weight = rows_of(device, dtype), torch.randn(129, device=device).to(dtype)
        dy = rows_of(device, dtype)
        mine, theirs = ([each.clone().requires_grad_() for each in (x, weight)] for _ in range(2))
        close(*(torch.autograd.grad(f(a), a, dy)[0] for f, a in
                ((ops.softmax, mine[0]), (lambda a: torch.softmax(a, -1), theirs[0]))))
        for a, b in zip(torch.autograd.grad(ops.rmsnorm(*mine, 1e-5)[0], mine, dy),
                        torch.autograd.grad(rmsnorm(*theirs), theirs, dy)):
            close(a, b, 1e-4 if dtype == torch.float32 else 2e-1)
    x = torch.randn(3, 5, device=device, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(ops.softmax, (x,))
    # What is changed in place after it was kept for a gradient is found out.
    a = rows_of(device, torch.float32)
    factor = torch.ones_like(a, requires_grad=True)
    product = a * factor
    ops.scale_(a)
    refuses("modified by an inplace operation", lambda: product.sum().backward())


@check
def opchecks(device):
    x, y = torch.randn(129, device=device), torch.randn(129, device=device)
    m = rows_of(device, torch.float32)
    for op, inputs in ((ops.add_vectors.default, (x, y)), (ops.add_vectors.default, (x[::2], y[1:66])), (ops.total.default, (x,)),
                       (ops.softmax.default, (m.clone().requires_grad_(),)), (ops.softmax_backward.default, (m, m)),
                       (ops.rmsnorm.default, (m.clone().requires_grad_(), x.clone().requires_grad_(), 1e-5)),
                       (ops.scale_.default, (m.clone(), 0.5, x)), (ops.scale_.default, (m.clone(),)), (ops.quantise.default, (m,)),
                       (ops.clamp_.default, (x.clone(), 0.0)), (ops.column.default, (m, 3)),
                       (ops.descend_.default, ([x.clone(), y.clone()], [y, x], 0.5))):
        torch.library.opcheck(op, inputs)


def network(x, weight, shift):
    x = x * 2
    ops.descend_([x.select(1, 0), x.select(1, 1)], [x.select(1, 2), x.select(1, 3)], 0.5)
    ops.scale_(x, 0.5, shift)
    y, _ = ops.rmsnorm(x, weight, 1e-5)
    return ops.softmax(y + 1).sin(), ops.total(x.flatten()), ops.column(y, 1)


@check
def compiled(device):
    # Inductor on the GPU; on the CPU, where that would run a C++ compiler, all that comes before it.
    compiled = torch.compile(network, fullgraph=True, backend="inductor" if device == "cuda" else "aot_eager")
    weight, shift = (torch.randn(129, device=device) for _ in range(2))
    for rows in range(8, 20):  # The second makes the extent a symbol: of a graph for each, there would be too many.
        x = rows_of(device, torch.float32, rows)
        for a, b in zip(compiled(x, weight, shift), network(x, weight, shift)):
            close(a, b, 1e-4)
    logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)  # It tells of what is refused, too.
    refuses("x and y differ in length", lambda: torch.compile(ops.add_vectors, dynamic=True, backend="aot_eager")(weight, weight[1:]))
    x, w = (each.clone().requires_grad_() for each in (x, weight))
    gradient = torch.compile(lambda x, w: ops.softmax(ops.rmsnorm(x, w, 1e-5)[0]).square().sum(), fullgraph=True,
                             backend="aot_eager")
    mine = torch.autograd.grad(gradient(x, w), (x, w))
    theirs = torch.autograd.grad(torch.softmax(rmsnorm(x, w), -1).square().sum(), (x, w))
    for a, b in zip(mine, theirs):
        close(a, b, 1e-4)


@on_gpu
def captured(device):
    x, weight, shift = rows_of(device, torch.float32), *(torch.randn(129, device=device) for _ in range(2))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):  # Code is loaded before a capture.
        network(x, weight, shift)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = network(x, weight, shift)
    for _ in range(3):
        x.copy_(rows_of(device, torch.float32))
        graph.replay()
        for a, b in zip(results, network(x, weight, shift)):
            close(a, b, 1e-6)
    parameters, gradients = (torch.zeros(600, 129, device=device) for _ in range(2))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):  # The lists are gone when it is replayed.
        ops.descend_(list(parameters), list(gradients), -1.0)
    sums = torch.zeros(600, 129, device=device)
    for _ in range(3):
        gradients.copy_(torch.randn(600, 129, device=device))
        sums += gradients
        graph.replay()
    close(parameters, sums)


@on_gpu
def memory(device):
    x = torch.randn(1 << 20, device=device)
    ops.total(x)  # scratch, too
    torch.cuda.synchronize()
    before, requests = torch.cuda.memory_allocated(), torch.cuda.memory_stats()["allocation.all.allocated"]
    y = ops.add_vectors(x, x)
    assert torch.cuda.memory_allocated() == before + (4 << 20), "the result is the allocator's"
    ops.total(x)
    assert torch.cuda.memory_stats()["allocation.all.allocated"] > requests + 2, "scratch is, too"
    del y
    assert torch.cuda.memory_allocated() == before
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):  # Behind work that takes long, on the stream that is current.
        torch.cuda._sleep(20_000_000)
        z = torch.ones_like(x)
        z = ops.add_vectors(z, z)
        assert not stream.query()
    stream.synchronize()
    assert torch.equal(z, torch.full_like(x, 2))


# ---- The host's cost ----------------------------------------------------------------------------------------------------


def cost(function, device):
    """Microseconds of the host, the least of several runs."""
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(2000):
            function()
        best = min(best, time.perf_counter() - start)
        if device == "cuda":
            torch.cuda.synchronize()
    return best / 2000 * 1e6


def costs(device):
    x, y = torch.randn(1024, device=device), torch.randn(1024, device=device)
    default = ops.add_vectors.default
    with torch.no_grad():
        for name, function in (("torch.add", lambda: torch.add(x, y)), ("torch.ops.aten.add.Tensor", lambda: torch.ops.aten.add.Tensor(x, y)),
                               ("ops.add_vectors", lambda: ops.add_vectors(x, y)), ("ops.add_vectors.default", lambda: default(x, y))):
            print(f"{device:5} {name:26} {cost(function, device):6.2f} us a call")


def main():
    torch.manual_seed(0)
    failed = 0
    for device in devices:
        for function in checks[device]:
            try:
                function(device)
                print(f"{device:5} {function.__name__:14} ok")
            except Exception as error:  # The others run, too.
                failed += 1
                print(f"{device:5} {function.__name__:14} FAILED: {type(error).__name__}: {error}")
        if arguments.time:
            costs(device)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
