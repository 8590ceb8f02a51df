# SPDX-License-Identifier: MIT
# StarPU's source, sourced by the scripts that build something of it. Before: `here` (this folder) and `work` (an empty folder).
#   HETGRID_DISTFILES  folder that may hold a starpu*.tar.gz; otherwise the distribution's source package is
#                      fetched, otherwise upstream's release.
#   HETGRID_CUDA       folder of the CUDA toolkit; empty: without CUDA
version=1.4.10
say() { printf '%s\n' "starpu: $*" >&2; }

fetch() { # leaves the unpacked and patched source in $work/src
  local tarball=""
  if [ -n "${HETGRID_DISTFILES:-}" ]; then
    tarball=$(ls "$HETGRID_DISTFILES"/starpu*.tar.gz 2>/dev/null | sort -V | tail -n 1 || true)
    if [ -n "$tarball" ] && [ -f "$HETGRID_DISTFILES/SHA256SUMS" ]; then
      (cd "$HETGRID_DISTFILES" && sha256sum --quiet --ignore-missing -c SHA256SUMS) ||
        { say "$tarball does not match its SHA256SUMS"; exit 1; }
    fi
  fi
  if [ -z "$tarball" ] && command -v apt-get >/dev/null; then
    (cd "$work" && apt-get source --download-only -qq "starpu=$version*" >/dev/null 2>&1) || true
    tarball=$(ls "$work"/starpu_*.orig.tar.* 2>/dev/null | tail -n 1 || true)
  fi
  if [ -z "$tarball" ]; then
    tarball=$work/starpu-$version.tar.gz
    local url=https://files.inria.fr/starpu/starpu-$version/starpu-$version.tar.gz
    say "downloading $url"
    if command -v curl >/dev/null; then curl -fsSL -o "$tarball" "$url"; else wget -q -O "$tarball" "$url"; fi ||
      { say "no source found: put starpu-$version.tar.gz in a folder and set HETGRID_DISTFILES to it"; exit 1; }
  fi
  say "source $tarball"
  mkdir "$work/src"
  tar -xf "$tarball" -C "$work/src" --strip-components=1
  local patch
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
