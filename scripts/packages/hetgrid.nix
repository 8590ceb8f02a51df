# SPDX-License-Identifier: MIT
# From a clean clone:  nix-build scripts/packages/hetgrid.nix; result/bin/hetgrid-heat --size 2000,2000
# nixpkgs' StarPU has no FxT: --trace records by profiling. Its static libraries for MPI do not suffice, since the
# policies are a plugin; and its OpenBLAS has 64-bit integers.
{ pkgs ? import <nixpkgs> { } }:
let
  starpu = (pkgs.starpu.override {
    enableMPI = true;
    mpi = pkgs.openmpi;
  }).overrideAttrs (_: {
    configureFlags = [ "--enable-mpi" "--enable-maxbuffers=32" "--disable-build-doc" "--disable-build-examples" "--disable-build-tests" "--disable-opencl" ];
  });
in
pkgs.stdenv.mkDerivation {
  pname = "hetgrid";
  version = "0.2.0";
  src = pkgs.lib.cleanSource ../..;
  postPatch = "patchShebangs scripts";
  nativeBuildInputs = with pkgs; [ autoreconfHook pkg-config help2man openmpi ];
  buildInputs = [ starpu (pkgs.openblas.override { blas64 = false; }) ]
    ++ (with pkgs; [ openmpi hwloc hdf5 libpng cairo libzip zlib libtiff jansson fftw fftwFloat ]);
  configureFlags = [ "--without-cuda" ];
  enableParallelBuilding = true;
  meta = {
    description = "Dependent grid tasks on heterogeneous machines, as StarPU task graphs";
    license = pkgs.lib.licenses.mit;
    mainProgram = "hetgrid-heat";
  };
}
