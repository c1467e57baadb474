#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bundle.sh FOLDER STRIP (KIND=PROGRAM | KIND@LIST)...: copies the programs, stripped, to FOLDER/KIND/, and FOLDER/run beside them.
# LIST is a file of programs, one a line.
set -euo pipefail
folder=$1 strip=$2
shift 2
limit_mib=50

rm -rf "$folder"
mkdir -p "$folder"
pack() { # KIND PROGRAM
  mkdir -p "$folder/$1"
  "$strip" -o "$folder/$1/${2##*/}" "$2"
}
for item in "$@"; do
  case $item in
    *=*) pack "${item%%=*}" "${item#*=}" ;;
    *@*) while read -r program; do pack "${item%%@*}" "$program"; done < "${item#*@}" ;;
  esac
done
install -m 755 "$(dirname "$0")/bundle-run.sh" "$folder/run"

size=$(du -sm "$folder" | cut -f1)
if ((size > limit_mib)); then
  echo "gpu-bundle: $folder holds $size MiB, more than the $limit_mib MiB it may: embed fewer architectures or fewer programs" >&2
  exit 1
fi
echo "gpu-bundle: $folder, $(find "$folder" -mindepth 2 -type f | wc -l) programs, $size MiB"
