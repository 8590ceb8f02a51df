# SPDX-License-Identifier: MIT
# StarPU's source, sourced by the scripts that build something of it. Before: `here` (this folder) and `work` (an empty
# folder).
#   HETGRID_DISTFILES  folder that may hold a starpu*.tar.gz; otherwise the distribution's archive of source
#                      packages is asked, then upstream's release.
#   HETGRID_CUDA       folder of the CUDA toolkit; empty: without CUDA
# shellcheck source=scripts/archive.sh
. "$here/archive.sh"
oldest=1.4.7 beyond=1.5 release=1.4.10
say() { printf '%s\n' "starpu: $*" >&2; }

# What was tried and did not help; told if nothing did.
tried=()
failed() { tried+=("$*"); return 1; }

# Archives whose contents are known. Others have passed the signatures of their own source only.
known_sums='6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3  starpu_1.4.10+dfsg.orig.tar.gz'

matches_known_sum() { # FILE
  local sum
  sum=$(awk -v name="${1##*/}" '$2 == name { print $1 }' <<< "$known_sums")
  [ -z "$sum" ] || [ "$(sha256sum < "$1" | cut -d' ' -f1)" = "$sum" ] ||
    failed "$1: its SHA-256 is not that of the archive this project knows"
}

from_distfiles() {
  [ -n "${HETGRID_DISTFILES:-}" ] || { failed "HETGRID_DISTFILES is not set"; return; }
  local found
  found=$(find "$HETGRID_DISTFILES" -maxdepth 1 -name 'starpu*.tar.gz' 2>/dev/null | sort -V | tail -n 1)
  [ -n "$found" ] || { failed "HETGRID_DISTFILES=$HETGRID_DISTFILES holds no starpu*.tar.gz"; return; }
  if [ -f "$HETGRID_DISTFILES/SHA256SUMS" ]; then
    (cd "$HETGRID_DISTFILES" && sha256sum --quiet --ignore-missing -c SHA256SUMS >&2) ||
      { failed "$found does not match its SHA256SUMS"; return; }
  fi
  matches_known_sum "$found" && tarball=$found
}

# Versions of StarPU that a private apt lists and we can use, newest first. Nothing of the user's apt changes.
private_apt() { "$1" -o Dir::Etc::sourcelist="$work/apt/list" -o Dir::Etc::sourceparts=/nonexistent \
  -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root \
  -o Acquire::Check-Valid-Until=false "${@:2}"; }
at_least() { [ "$(printf '%s\n' "$@" | sort -V | head -n 1)" = "$2" ]; }
usable_versions() {
  local version
  private_apt apt-cache showsrc starpu 2>/dev/null | sed -n 's/^Version: //p' | sort -Vru |
    while read -r version; do
      if at_least "$version" "$oldest" && ! at_least "$version" "$beyond"; then echo "$version"; fi
    done
}

from_archive() {
  command -v apt-get >/dev/null || { failed "no apt here, so no archive of source packages"; return; }
  local address own keyring newer suite version found
  read -r address own keyring newer < <(main_archive) || true
  [ -n "${address:-}" ] || { failed "apt's configuration names no main archive, or its keyring is missing"; return; }
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
  for suite in $(printf '%s\n' "$own" $newer | awk '!seen[$0]++'); do
    echo "deb-src [signed-by=$keyring] $address $suite main"
  done > "$work/apt/list"
  private_apt apt-get update -qq > "$work/apt/log" 2>&1 || true
  for version in $(usable_versions); do
    say "source package starpu $version"
    (cd "$work" && private_apt apt-get source --download-only -qq "starpu=$version" >> "$work/apt/log" 2>&1) || continue
    found=$(find "$work" -maxdepth 1 -name 'starpu_*.orig.tar.*' ! -name '*.asc' | head -n 1)
    [ -n "$found" ] && matches_known_sum "$found" && tarball=$found && return
  done
  failed "the archive $address has no source package of StarPU $oldest or newer ($(tail -n 1 "$work/apt/log"))"
}

from_upstream() {
  local url=https://files.inria.fr/starpu/starpu-$release/starpu-$release.tar.gz found=$work/starpu-$release.tar.gz
  say "downloading $url"
  if command -v curl >/dev/null; then curl -fsSL -o "$found" "$url"; else wget -q -O "$found" "$url"; fi ||
    { failed "$url cannot be downloaded"; return; }
  tarball=$found
}

no_source() {
  say "no source of StarPU $oldest or newer was found:"
  printf 'starpu:   - %s\n' "${tried[@]}" >&2
  say "put starpu-$release.tar.gz into a folder and set HETGRID_DISTFILES to it, or install StarPU" \
    "(with FxT and MPI) and set PKG_CONFIG_PATH to its pkgconfig folder"
  exit 1
}

fetch() { # leaves the unpacked and patched source in $work/src
  local tarball='' patch
  from_distfiles || from_archive || from_upstream || no_source
  say "source $tarball"
  mkdir "$work/src"
  tar -xf "$tarball" -C "$work/src" --strip-components=1
  for patch in "$here"/patches/starpu-*.patch; do (cd "$work/src" && patch -s -p1 < "$patch"); done
}

# how it is configured
options=(--with-fxt --enable-mpi --enable-maxcudadev=8 --enable-maxbuffers=32
  --disable-build-doc --disable-build-examples --disable-build-tests --disable-socl --disable-starpufft
  --disable-starpupy --disable-julia --disable-opencl --disable-hip --disable-starpurm --disable-static)
if [ -n "${HETGRID_CUDA:-}" ]; then
  options+=(--enable-cuda --with-cuda-dir="$HETGRID_CUDA")
else
  options+=(--disable-cuda)
fi
