# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What torch.sort takes for the arrays of sorting.cpp. It sorts by CUB's radix sort, and its indices have 64 bits."""
import torch


def milliseconds(work, samples=31, calls=4, warm_up=20):
    times = []
    for i in range(warm_up + samples):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            work()
        end.record()
        end.synchronize()
        if i >= warm_up:
            times.append(begin.elapsed_time(end) / calls)
    return sorted(times)[len(times) // 2]


print("torch.sort,", torch.__version__, "on", torch.cuda.get_device_name())
for count in (1 << 16, 1 << 20, 1 << 24, 1 << 26):
    for name, type in (("s32", torch.int32), ("f32", torch.float32), ("s64", torch.int64)):
        x = torch.randint(-(2**31), 2**31 - 1, (count,), device="cuda", dtype=torch.int32)
        x = x.to(type) * 2**32 if type == torch.int64 else x.view(type) if type == torch.int32 else torch.randn(count, device="cuda")
        print(f"    {count:10} {name}  sort {milliseconds(lambda: torch.sort(x)):8.3f} ms  stable {milliseconds(lambda: torch.sort(x, stable=True)):8.3f} ms")
