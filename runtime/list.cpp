// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of arrays: whether their arrays are fit for a call, whether these overlap, and the table of pointers that
// kernels read.

#include "overlap.h"

#include "tegula/abi.h"

#include <algorithm>
#include <vector>

namespace tegula::abi {

// ---- Tables ---------------------------------------------------------------------------------------------------------
// The pointers are parameters of a kernel that stores them: they are copied when it is launched, so that the host
// neither waits nor keeps them, also where the stream is captured into a graph.

namespace {

constexpr int slots_of_parameters = 512; // all of 4096 bytes
constexpr int most_of_launch = slots_of_parameters - 2;

constexpr char text[] = R"(
.version 6.3
.target sm_75
.address_size 64
.visible .entry tegula_fill_table(.param .u64 to, .param .u64 count, .param .align 8 .b8 pointers[4080]) {
	.reg .pred %is_beyond;
	.reg .b32 %thread;
	.reg .b64 %number, %count, %from, %to, %pointer;
	mov.u32 %thread, %tid.x;
	cvt.u64.u32 %number, %thread;
	ld.param.u64 %count, [count];
	setp.ge.u64 %is_beyond, %number, %count;
	@%is_beyond ret;
	shl.b64 %number, %number, 3;
	mov.b64 %from, pointers;
	add.s64 %from, %from, %number;
	ld.param.u64 %pointer, [%from];
	ld.param.u64 %to, [to];
	add.s64 %to, %to, %number;
	st.global.u64 [%to], %pointer;
	ret;
}
)";

const image code[] = {{75, 0, image_kind::ptx, reinterpret_cast<const unsigned char *>(text), sizeof text - 1}};
image_set images(code);
kernel fill(images, "tegula_fill_table");

} // namespace

void call::fill_table(const any_list &members) const {
  // Kernels may load the pointer to array 0 where there is none, and do nothing with it.
  const std::int64_t count = std::max<std::int64_t>(members.count(), 1);
  constexpr std::int64_t bytes = sizeof(void *);
  members.table_ = detail::memory({entry_}, static_cast<std::size_t>(count * bytes), device_, stream_);
  const auto begin = reinterpret_cast<std::uintptr_t>(members.table_.data());
  for (std::int64_t first = 0; first < count; first += most_of_launch) {
    std::uint64_t slots[slots_of_parameters] = {};
    const std::int64_t here = std::min<std::int64_t>(count - first, most_of_launch);
    slots[0] = begin + static_cast<std::uintptr_t>(first * bytes);
    slots[1] = static_cast<std::uint64_t>(here);
    for (std::int64_t i = 0; i < here && first + i < members.count(); ++i)
      slots[2 + i] = reinterpret_cast<std::uintptr_t>(members.pointers()[first + i]);
    launch_slots(fill, {1, slots_of_parameters}, {slots, slots_of_parameters});
  }
}

// ---- Checks ---------------------------------------------------------------------------------------------------------

void call::check_members(const char *name, const any_list &members, const view &first) const {
  if (is_empty(first))
    return;
  for (std::int64_t i = 0; i < members.count(); ++i) {
    view v = first;
    v.data = members.pointers()[i];
    if (v.data == nullptr || !starts_at_element(v))
      refuse((std::string(name) + "[" + std::to_string(i) + "]").c_str(), v, false);
  }
}

namespace {

/// An array that a launch touches, of a list or by itself.
struct range {
  std::uintptr_t begin, end;
  const access *of;
  std::int64_t number; // in the list

  view source() const {
    view v = of->source;
    if (of->members != nullptr)
      v.data = of->members->pointers()[number];
    return v;
  }
  std::string name() const {
    return of->members == nullptr ? of->name : of->name + ("[" + std::to_string(number) + "]");
  }
};

} // namespace

void call::no_overlap_of_lists(std::initializer_list<access> accesses) const {
  std::vector<range> ranges;
  for (const access &each : accesses) {
    const std::uintptr_t bytes = each.end - each.begin;
    for (std::int64_t i = 0; bytes > 0 && i < (each.members != nullptr ? each.members->count() : 1); ++i) {
      const auto begin =
          each.members != nullptr ? reinterpret_cast<std::uintptr_t>(each.members->pointers()[i]) : each.begin;
      ranges.push_back({begin, begin + bytes, &each, i});
    }
  }
  std::sort(ranges.begin(), ranges.end(), [](const range &a, const range &b) { return a.begin < b.begin; });
  std::vector<const range *> open; // Those that end behind the beginning of the next.
  for (const range &next : ranges) {
    open.erase(std::remove_if(open.begin(), open.end(), [&](const range *each) { return each->end <= next.begin; }),
               open.end());
    for (const range *before : open)
      if ((before->of->written || next.of->written) && runtime::share_memory(before->source(), next.source())) {
        const bool is_before = before->of->written;
        fail_overlap((is_before ? *before : next).name(), (is_before ? next : *before).name());
      }
    open.push_back(&next);
  }
}

} // namespace tegula::abi
