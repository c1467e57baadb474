# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of this folder, called by ctypes with arrays of numpy and, where it is installed, tensors of PyTorch.

    main.py LIBRARY
"""
import gc
import resource
import sys

import numpy

import tegula_dlpack

try:
    import torch
except ImportError:
    torch = None

kernels = tegula_dlpack.Library(sys.argv[1], "ctypes_")


def refuses(message, function):
    try:
        function()
    except tegula_dlpack.Error as error:
        assert str(error) == message, f"expected '{message}', got '{error}'"
    else:
        raise AssertionError(f"nothing was refused; expected '{message}'")


def of_numpy():
    random = numpy.random.default_rng(0)
    for dtype in (numpy.float32, numpy.float64, numpy.int32):
        for size in (0, 1, 127, 100003):
            x, y = (random.integers(-100, 100, size).astype(dtype) for _ in range(2))
            assert numpy.array_equal(kernels.add_vectors(x, y), x + y)
    x = numpy.arange(2000, dtype=numpy.float32)
    assert numpy.array_equal(kernels.add_vectors(x[::2], x[1::2]), x[::2] + x[1::2])

    m = random.standard_normal((33, 129), dtype=numpy.float32)
    least, greatest, rows = kernels.extremes(m.T)
    assert numpy.array_equal(least, m.min(0)) and numpy.array_equal(greatest, m.max(0)) and rows == 129
    expected = m * numpy.float32(2)
    kernels.scale(m)
    assert numpy.array_equal(m, expected)
    kernels.scale(m[:, ::3], factor=0.5, shift=numpy.ones(43, numpy.float32))
    expected[:, ::3] = expected[:, ::3] * numpy.float32(0.5) + 1
    assert numpy.array_equal(m, expected)
    parameters, gradients = ([random.standard_normal(1001, dtype=numpy.float32) for _ in range(5)] for _ in range(2))
    expected = [p - numpy.float32(0.5) * g for p, g in zip(parameters, gradients)]
    kernels.descend(parameters, gradients, 0.5)
    assert numpy.array_equal(parameters, expected)
    assert numpy.array_equal(numpy.from_dlpack(kernels.count(5)), range(5))


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def memory():
    kept = kernels.add_vectors(numpy.ones(1000), numpy.ones(1000))[10:]  # A view keeps what the kernel made.
    before = resident_bytes()
    for _ in range(100):  # 4 MiB each
        kernels.count(1 << 20)  # Nobody takes it.
        kernels.count(1 << 20).__dlpack__()
        numpy.from_dlpack(kernels.count(1 << 20))
    gc.collect()
    assert (kept == 2).all()
    assert resident_bytes() - before < 100 << 20
    result = kernels.count(3)
    numpy.from_dlpack(result)
    try:
        numpy.from_dlpack(result)
    except BufferError:
        pass
    else:
        raise AssertionError("a result was taken twice")


def messages():
    x, m = numpy.ones(8, numpy.float32), numpy.ones((4, 8), numpy.float32)
    refuses("add_vectors: x and y differ in length", lambda: kernels.add_vectors(x, x[1:]))
    refuses("ctypes_add_vectors: there is no kernel for (x: int64 of 1 dimension, y: float32 of 1 dimension), only for "
            "(x: float32 of 1 dimension, y: float32 of 1 dimension); (x: float64 of 1 dimension, y: float64 of 1 dimension); "
            "(x: bfloat16 of 1 dimension, y: bfloat16 of 1 dimension); (x: int32 of 1 dimension, y: int32 of 1 dimension)",
            lambda: kernels.add_vectors(numpy.arange(8), x))
    refuses("ctypes_scale: 'x' has elements of float64, and float32 is expected: convert it", lambda: kernels.scale(m.astype(float)))
    refuses("ctypes_scale: 'x' has 1 dimension, its shape is (8), and 2 are expected: reshape it", lambda: kernels.scale(x))
    refuses("ctypes_scale: 'x' is NULL, and the array is not optional: give a tensor", lambda: kernels.scale(None))
    refuses("ctypes_descend: 'gradients[1]' has elements of float64, and float32 is expected: convert it",
            lambda: kernels.descend([x, x + 1], [x, x.astype(float)], 1.0))
    refuses("count: 'n' is 4294967296, and the kernel takes s32", lambda: kernels.count(1 << 32))
    refuses("count: n is negative", lambda: kernels.count(-1))
    refuses("ctypes_count: 'device' has the device type 7 of DLPack, and kernels run on the CPU (1) and on CUDA devices (2): "
            "move it there", lambda: kernels.count(3, device=(7, 0)))
    refuses("scale: 'x' takes an array of numpy, a tensor of PyTorch or what else has __dlpack__, not a list",
            lambda: kernels.scale([[1.0, 2.0]]))
    refuses(f"{sys.argv[1]} has no function 'other_signatures': is 'other_' the prefix of its kernel file, and was that compiled "
            "with --c-abi (CMake: C_ABI)?", lambda: tegula_dlpack.Library(sys.argv[1], "other_"))
    m.flags.writeable = False
    try:
        kernels.scale(m)
    except (tegula_dlpack.Error, BufferError):  # of numpy before 2.1
        pass
    else:
        raise AssertionError("a read-only array was written")


def of_torch(device):
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int32):
        x, y = (torch.randint(-100, 100, (1003,), device=device).to(dtype) for _ in range(2))
        z = kernels.add_vectors(x, y)
        assert z.dtype == dtype and z.device == x.device and torch.equal(z, x + y)
    m = torch.randn(33, 129, device=device)
    least, greatest, rows = kernels.extremes(m.t())
    assert torch.equal(least, m.amin(0)) and torch.equal(greatest, m.amax(0)) and rows == 129
    expected = m * 2
    kernels.scale(m)
    assert torch.equal(m, expected)
    counted = kernels.count(5, device=m.__dlpack_device__())
    assert torch.from_dlpack(counted).tolist() == [0, 1, 2, 3, 4]


def of_streams():
    stream, x = torch.cuda.Stream(), torch.randn(1 << 20, device="cuda")
    one = torch.ones_like(x)  # A kernel that is loaded for the first time would be waited for.
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):  # Behind work that takes long, on the stream that is current.
        torch.cuda._sleep(100_000_000)
        z = kernels.add_vectors(x, one)
        assert not stream.query()
    stream.synchronize()
    assert torch.equal(z, x + 1)
    late = kernels.count(1 << 20, device=(2, 0), stream=stream.cuda_stream)
    assert torch.equal(torch.from_dlpack(late), torch.arange(1 << 20, device="cuda", dtype=torch.int32))


def main():
    checks = [(of_numpy, ()), (memory, ()), (messages, ())]
    if torch:
        checks += [(of_torch, ("cpu",))]
        if torch.cuda.is_available():
            checks += [(of_torch, ("cuda",)), (of_streams, ())]
    for check, arguments in checks:
        check(*arguments)
        print(" ".join((check.__name__, *arguments)), "ok")


if __name__ == "__main__":
    main()
