# SPDX-License-Identifier: MIT
# Gets StarPU's source; sourced by scripts that build parts of it, which first set `here` (this folder) and `work` (an
# empty folder). The archive is kept in _deps/source for the next build.
#   HETGRID_DISTFILES  folder that may hold a starpu*.tar.gz; otherwise the kept archive, the distribution's source
#                      package or upstream's release, in this order.
#   HETGRID_CUDA       folder of the CUDA toolkit; empty: without CUDA
. "$here/archive.sh"
oldest=1.4.7 beyond=1.5 release=1.4.10
kept=$(dirname "$here")/_deps/source
say() { printf '%s\n' "starpu: $*" >&2; }

# Failed attempts, printed if all fail.
tried=()
failed() { tried+=("$*"); return 1; }

at_least() { [ "$(printf '%s\n' "$@" | sort -V | head -n 1)" = "$2" ]; } # VERSION BOUND
usable() { at_least "$1" "$oldest" && ! at_least "$1" "$beyond"; }

# Archives with known contents. Others are checked only by the signatures of their source.
known_sums='6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3  starpu_1.4.10+dfsg.orig.tar.gz'

# True unless SUMS (lines "SUM  NAME") has another SHA-256 for FILE.
matches() { # FILE SUMS
  local sum
  sum=$(awk -v name="${1##*/}" '$2 == name || $2 == "*" name { print $1 }' <<< "$2")
  [ -z "$sum" ] || [ "$(sha256sum < "$1" | cut -d' ' -f1)" = "$sum" ]
}

verified() { # FILE
  tar -tf "$1" > /dev/null 2>&1 || { failed "$1 is not an archive, or not all of it"; return; }
  matches "$1" "$known_sums" || { failed "$1: its SHA-256 is not that of the archive this project knows"; return; }
  local sums=${1%/*}/SHA256SUMS
  [ ! -f "$sums" ] || matches "$1" "$(cat "$sums")" || failed "$1: its SHA-256 is not that of $sums"
}

# The newest usable archive in a folder, by the version in its name.
newest_in() { # FOLDER
  local file version
  find -H "$1" -maxdepth 1 -name 'starpu*.tar.gz' 2> /dev/null | while read -r file; do
    version=$(sed -E 's/^starpu[-_]?([0-9][0-9.]*[0-9]).*/\1/' <<< "${file##*/}")
    ! usable "$version" || echo "$version $file"
  done | sort -V | tail -n 1 | cut -d' ' -f2-
}

from_folder() { # FOLDER
  local found
  found=$(newest_in "$1")
  [ -n "$found" ] || { failed "$1 holds no starpu*.tar.gz of version $oldest or newer and before $beyond"; return; }
  verified "$found" && tarball=$found
}

from_distfiles() {
  [ -n "${HETGRID_DISTFILES:-}" ] || { failed "HETGRID_DISTFILES is not set"; return; }
  from_folder "$HETGRID_DISTFILES" || { say "HETGRID_DISTFILES does not help: ${tried[-1]}"; return 1; }
}

from_kept() {
  [ -d "$kept" ] || return
  from_folder "$kept" || { say "${tried[-1]}"; return 1; }
}

keep() { # FILE
  [ "${1%/*}" != "$kept" ] || return 0
  rm -rf "$kept.new" && mkdir -p "$kept.new" && cp "$1" "$kept.new/" &&
    (cd "$kept.new" && sha256sum "${1##*/}" > SHA256SUMS) && rm -rf "$kept" && mv "$kept.new" "$kept" ||
    say "$1 could not be kept in $kept"
}

# Usable versions of StarPU that a private apt lists, newest first. The user's apt is not changed.
private_apt() { "$1" -o Dir::Etc::sourcelist="$work/apt/list" -o Dir::Etc::sourceparts=/nonexistent \
  -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root \
  -o Acquire::Check-Valid-Until=false "${@:2}"; }
first_complaint() { grep -m 1 '^[EW]:' "$work/apt/log" || tail -n 1 "$work/apt/log"; }
usable_versions() {
  local version
  private_apt apt-cache showsrc starpu 2> /dev/null | sed -n 's/^Version: //p' | sort -Vru |
    while read -r version; do ! usable "$version" || echo "$version"; done
}

# Downloads the original archive of one version into $work.
download() { # VERSION
  say "source package starpu $1"
  (cd "$work" && private_apt apt-get source --download-only -qq "starpu=$1" > "$work/apt/log" 2>&1) ||
    { failed "source package starpu $1: $(first_complaint)"; return; }
  local found
  found=$(find "$work" -maxdepth 1 -name "starpu_${1%-*}.orig.tar.gz")
  [ -n "$found" ] || { failed "source package starpu $1 has no original archive"; return; }
  verified "$found" && tarball=$found
}

from_archive() {
  command -v apt-get > /dev/null || { failed "no apt here, so no archive of source packages"; return; }
  local address own keyring components newer suite versions version
  read -r address own keyring components newer < <(main_archive) || true
  [ -n "${address:-}" ] || { failed "apt's configuration names no main archive, or its keyring is missing"; return; }
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
  for suite in $(printf '%s\n' "$own" $newer | awk '!seen[$0]++'); do
    echo "deb-src [signed-by=$keyring] $address $suite ${components//,/ }"
  done > "$work/apt/list"
  private_apt apt-get update -qq > "$work/apt/log" 2>&1 || true
  versions=$(usable_versions)
  [ -n "$versions" ] || { failed "$address lists no StarPU $oldest or newer. $(first_complaint)"; return; }
  for version in $versions; do if download "$version"; then return; fi; done
  return 1
}

from_upstream() {
  local url=https://files.inria.fr/starpu/starpu-$release/starpu-$release.tar.gz found=$work/starpu-$release.tar.gz
  say "downloading $url"
  if command -v curl > /dev/null; then curl -fsSL -o "$found" "$url"; else wget -q -O "$found" "$url"; fi ||
    { failed "$url cannot be downloaded"; return; }
  verified "$found" && tarball=$found
}

no_source() {
  say "no source of StarPU $oldest or newer was found:"
  printf 'starpu:   - %s\n' "${tried[@]}" >&2
  say "put starpu-$release.tar.gz into a folder and set HETGRID_DISTFILES to it, or install StarPU" \
    "(with FxT and MPI) and set PKG_CONFIG_PATH to its pkgconfig folder"
  exit 1
}

fetch() { # puts the unpacked and patched source into $work/src
  local tarball='' patch
  from_distfiles || from_kept || from_archive || from_upstream || no_source
  say "source $tarball"
  keep "$tarball"
  mkdir "$work/src"
  tar -xf "$tarball" -C "$work/src" --strip-components=1
  for patch in "$here"/patches/starpu-*.patch; do (cd "$work/src" && patch -s -p1 < "$patch"); done
}

# options of configure
options=(--with-fxt --enable-mpi --enable-maxcudadev=8
  --disable-build-doc --disable-build-examples --disable-build-tests --disable-socl --disable-starpufft
  --disable-starpupy --disable-julia --disable-opencl --disable-hip --disable-starpurm --disable-static)
# by default StarPU supports only as many cores as the machine that builds it has
[ -z "${HETGRID_MAXCPUS:-}" ] || options+=("--enable-maxcpus=$HETGRID_MAXCPUS")
if [ -n "${HETGRID_CUDA:-}" ]; then
  options+=(--enable-cuda --with-cuda-dir="$HETGRID_CUDA")
  # hetgrid loads these itself when a GPU needs them; if they were linked, every program would load them
  # (patches/starpu-1.4-cublas-on-demand.patch)
  for found in cublasLt_cublasLtCreate cusparse_cusparseCreate cusolver_cusolverDnCreate; do
    options+=("ac_cv_lib_$found=no")
  done
else
  options+=(--disable-cuda)
fi
