# SPDX-License-Identifier: MIT
"""Recipe for Spack 1.0 and later: `spack repo create FOLDER hetgrid`, copy it to packages/hetgrid/package.py there, and set
`git` to the address of the repository."""
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Hetgrid(AutotoolsPackage, CudaPackage):
    """Dependent grid tasks on heterogeneous machines, as StarPU task graphs."""

    license("MIT")
    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build")
    depends_on("starpu@1.4.7:1.4 +mpi +fxt")
    depends_on("starpu +cuda", when="+cuda")
    depends_on("mpi")
    depends_on("hwloc")
    depends_on("hdf5 ~mpi")
    depends_on("libpng")
    depends_on("cairo +svg +pdf +fc")
    depends_on("libzip")
    depends_on("zlib-api")
    depends_on("libtiff@4.5:")
    depends_on("jansson")
    depends_on("openblas ~ilp64")
    depends_on("fftw precision=float,double")

    def autoreconf(self, spec, prefix):
        autoreconf("-fi")

    def configure_args(self):
        if self.spec.satisfies("+cuda"):
            return ["--with-cuda=" + self.spec["cuda"].prefix]
        return ["--without-cuda"]
