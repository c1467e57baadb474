# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless the page for those who come from Pallas says of each name of Mosaic GPU's pages what it is called here, or that it is missing:
peer_names.py PAGE"""
import pathlib
import re
import sys

NAMES = """
GMEM SMEM TMEM REGS MemorySpace TilingTransform SwizzleTransform transpose_ref transform_ref RefUnion remote_ref multicast_ref cluster_ref get_global
run_scoped ds cdiv multiple_of kernel WarpMesh warp_map program_id num_programs as_torch_kernel CompilerParams approx_math dimension_semantics
unsafe_no_auto_barriers reduction_scratch_bytes profile_space profile_dir profile_trace_scope vmap interpret BlockSpec delay_release collective_axes
oob_fill_mode emit_pipeline emit_pipeline_warp_specialized manual_consumed_barriers manual_ready_barriers compute_context get_allocations init_carry
nd_loop tiling dynamic_scheduling_loop planar_snake find_swizzle format_tcgen05_sparse_metadata TryClusterCancelResult when fori_loop
Barrier ClusterBarrier num_arrivals num_barriers leader_tracked barrier_arrive barrier_wait barrier_test
copy_gmem_to_smem copy_smem_to_gmem commit_smem_to_gmem_group wait_smem_to_gmem wait_gmem_to_smem commit_smem async_prefetch async_store_smem
predicate reduction_op oob_mode load layout_cast print_layout Layout broadcasted_iota TMEMLayout set_max_registers debug_print debug_check inline_mgpu
griddepcontrol_wait griddepcontrol_launch_dependents ACC WGMMAAccumulatorRef wgmma wgmma_wait wgmma_accumulator_load mma
tcgen05_mma tcgen05_commit_arrive async_load_tmem async_store_tmem commit_tmem wait_load_tmem async_copy_scales_to_tmem
async_copy_sparse_metadata_to_tmem async_copy_smem_to_tmem try_cluster_cancel query_cluster_cancel
SemaphoreType semaphore_signal semaphore_wait SemaphoreSignal semaphore_signal_parallel semaphore_signal_multicast semaphore_read
atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor multimem_store multimem_load_reduce
""".split()


def first_cells(page):
    """What stands for the peer: the left cells of tables, and the list of what is not there."""
    text, missing = "", False
    for line in page.read_text().split("\n"):
        missing |= line == "## Not there yet"
        text += (line if missing else line.split(" | ")[0] if line.startswith("| ") else "") + "\n"
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", text))))


told = first_cells(pathlib.Path(sys.argv[1]))
missing = [name for name in NAMES if name not in told]
for name in missing:
    print(f"{sys.argv[1]} does not say what {name} is called here")
print(f"{len(NAMES)} names, {len(missing)} missing")
sys.exit(bool(missing))
