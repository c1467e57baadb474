#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Brings a machine to where this tree builds. Sourced by test/run and samples/run; by hand:
#   cmake/setup.sh          the packages, ptxas and libdevice
#   cmake/setup.sh cuda     ptxas and libdevice only: from PyPI into .venv, where no CUDA toolkit is installed (no root needed)
# Does nothing, quickly, where all is there; where it cannot install, it says what to install.
set -euo pipefail
tegula_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The one list of what is needed on Debian 12 or newer.
tegula_packages=(cmake ninja-build g++ clang-19 lld-19 llvm-19-dev llvm-19-tools libclang-19-dev libmlir-19-dev mlir-19-tools
  clang-format-19 clangd-19 doxygen libboost-context-dev libclang-rt-19-dev libcli11-dev libgtest-dev make pkg-config python3 python3-numpy python3-venv)
# ptxas and libdevice: these two wheels alone; what they depend on is not needed here.
tegula_wheels=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88)

say() { printf '== %s\n' "$*"; }
die() { printf 'error: %s\n' "$@" >&2; exit 1; }

setup_packages() {
  local package missing=()
  if ! command -v dpkg-query > /dev/null; then
    local tool
    for tool in cmake ninja g++ clang++-19 llvm-config-19 python3; do command -v "$tool" > /dev/null || missing+=("$tool"); done
    ((${#missing[@]} == 0)) || die "this is no Debian system, and these programs are missing: ${missing[*]}" \
      "install what Debian 12 calls: ${tegula_packages[*]}"
    return 0
  fi
  local installed
  # shellcheck disable=SC2016
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${tegula_packages[@]}" 2> /dev/null || true)
  for package in "${tegula_packages[@]}"; do grep -qxF "ii  $package" <<< "$installed" || missing+=("$package"); done
  ((${#missing[@]})) || return 0
  local command="apt-get install --no-install-recommends ${missing[*]}"
  ((EUID == 0)) || die "packages are missing, and installing them takes root. Run:" "  sudo $command"
  say "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q || die "apt-get update failed; its messages are above"
  apt-get install -q -y --no-install-recommends "${missing[@]}" ||
    die "the packages could not be installed; apt-get's messages are above. Tegula needs Debian 12 or newer, or LLVM 19's packages:" "  $command"
}

setup_cuda() {
  # TegulaCuda.cmake is the one place that knows where to look.
  cmake -P "$tegula_root/cmake/TegulaCuda.cmake" > /dev/null 2>&1 && return 0
  local venv=$tegula_root/.venv
  say "No CUDA toolkit with ptxas 12.8 or newer: installing ${tegula_wheels[*]} into .venv"
  python3 -m venv "$venv" || die "python3 cannot make a virtual environment; run: apt-get install python3-venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "${tegula_wheels[@]}" ||
    die "PyPI could not be reached (pip's message is above). Install a CUDA toolkit 12.8 or newer instead and set CUDA_HOME, or run:" \
      "  $venv/bin/pip install --no-deps ${tegula_wheels[*]}"
  cmake -P "$tegula_root/cmake/TegulaCuda.cmake"
}

# As many jobs as there are cores, and memory for the compiler's own sources (1.5 GB each).
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

setup_build() { # TARGET [OPTION OF CMAKE]...
  cd "$tegula_root"
  if [[ ! -f build/build.ninja || $# -gt 1 ]]; then
    say "Configuring build/"
    cmake --preset default "${@:2}"
  fi
  say "Building $1"
  cmake --build build --parallel "$(build_jobs)" --target "$1"
}

has_gpu() { [[ -e /dev/nvidiactl || -e /dev/dxg ]]; }

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  case ${1-all} in
    all) setup_packages && setup_cuda && say "Everything is there" ;;
    cuda) setup_cuda && say "ptxas and libdevice are there" ;;
    *) sed -n '3,6p' "$0" >&2; exit 2 ;;
  esac
fi
