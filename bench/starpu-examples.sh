# SPDX-License-Identifier: MIT
# StarPU's own examples for comparisons of policies, sourced by these, which first define build NAME FILES AND FLAGS.., to
# compile files of StarPU's folder `examples`.
build_each() { # FILE..: additional files of the stencil
  build cholesky cholesky/cholesky_{implicit,models,kernels}.c sched_ctx_utils/sched_ctx_utils.c common/blas.c
  build lu -DSTARPU_IMPLICIT lu/{lu_example_float,slu_implicit,slu_implicit_pivot,slu_kernels}.c common/blas.c
  build gemm mult/sgemm.c common/blas.c
  build stencil stencil/{life,stencil-kernels,stencil-tasks,stencil-blocks,stencil}.c "$@"
}
milliseconds() { # NAME: reads them from an example's output
  case $1 in
    gemm) awk -F'\t' '/^[0-9]+\t/ { ms = $4 } END { print ms }';;
    stencil) awk '/^Computation took/ { print $3 }';;
    cg) awk '/^Seconds per iteration/ { print 1e3 * $(NF - 1) }';;
    *) awk -F'\t' '/^[0-9]+\t/ { ms = $2 } END { print ms }';;
  esac
}
