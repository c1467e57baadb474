#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bundle.sh FOLDER STRIP KIND=PROGRAM[@ARCH]...: copies each program, stripped, to FOLDER/KIND/, the C++ library that they share to
# FOLDER/lib/, and FOLDER/run beside them; and all that to FOLDER.tar.xz, which a machine with a GPU is sent.
set -euo pipefail
folder=$1 strip=$2
shift 2
limit_mib=62

rm -rf "$folder"
mkdir -p "$folder/lib"
for item in "$@"; do
  kind=${item%%=*} program=${item#*=}
  mkdir -p "$folder/$kind"
  if [[ $program == *@* ]]; then # The code for an older architecture, of a program that is there.
    name=${program##*/} && name=${name%@*} arch=${program##*@}
    printf '#!/bin/sh\nTEGULA_MAX_ARCH=%s TEGULA_TEST_DEVICE=gpu exec "${0%%_sm*}" "$@"\n' "$arch" > "$folder/$kind/${name}_sm$arch"
    chmod 755 "$folder/$kind/${name}_sm$arch"
    continue
  fi
  "$strip" -o "$folder/$kind/${program##*/}" "$program"
  while read -r library; do
    [[ -e $folder/lib/${library##*/} ]] || "$strip" -o "$folder/lib/${library##*/}" "$library"
  done < <(ldd "$program" | awk '$1 ~ /^lib(stdc\+\+|gcc_s)\.so/ {print $3}')
done
install -m 755 "$(dirname "$0")/bundle-run.sh" "$folder/run"

archive=$folder.tar.xz
# Programs repeat what others have: a dictionary that spans several.
XZ_OPT="--lzma2=preset=2,dict=128MiB -T2" tar -cJf "$archive" -C "$(dirname "$folder")" "$(basename "$folder")"
size=$((($(stat -c %s "$archive") + 1048575) / 1048576))
if ((size > limit_mib)); then
  echo "gpu-bundle: $archive holds $size MiB, more than the $limit_mib MiB it may: embed fewer architectures or fewer programs" >&2
  exit 1
fi
echo "gpu-bundle: $archive, $(find "$folder" -mindepth 2 -type f -not -path '*/lib/*' | wc -l) programs, $size MiB"
