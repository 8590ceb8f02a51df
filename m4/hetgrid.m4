# SPDX-License-Identifier: MIT

# HG_CHECK_CUDA: NVCC, CUDA_CPPFLAGS, CUDA_LIBS, NVCC_ARCH; conditionals HAVE_NVCC, HAVE_CUDA (also StarPU has it).
AC_DEFUN([HG_CHECK_CUDA], [
  AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda=DIR], [CUDA toolkit (default: where nvcc is; no: do without)])],
              [], [with_cuda=check])
  AC_ARG_VAR([NVCC_ARCH], [code generation flags of nvcc])
  AS_CASE([$with_cuda],
    [no], [NVCC=],
    [yes|check], [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])],
    [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
  hg_cuda=no
  hg_cuda_summary="no nvcc"
  AS_IF([test -n "$NVCC"], [
    hg_cuda_dir=$(dirname "$(dirname "$(readlink -f "$NVCC")")")
    AS_IF([test ! -d "$hg_cuda_dir/include"], [hg_cuda_dir=/usr/local/cuda])
    CUDA_CPPFLAGS="-isystem $hg_cuda_dir/include -DDISABLE_CUSPARSE_DEPRECATED"
    hg_cuda_lib=$hg_cuda_dir/lib64
    AS_IF([test ! -d "$hg_cuda_lib"], [hg_cuda_lib=$hg_cuda_dir/lib])
    CUDA_LIBS="-L$hg_cuda_lib -Wl,-rpath,$hg_cuda_lib -lcudart"
    AS_IF([test -z "$NVCC_ARCH"],
      [NVCC_ARCH="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90"])
    hg_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $STARPU_CFLAGS $CUDA_CPPFLAGS"
    AC_MSG_CHECKING([whether StarPU has CUDA])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <starpu_config.h>
#ifndef STARPU_USE_CUDA
#error StarPU without CUDA
#endif]], [])], [hg_cuda=yes; hg_cuda_summary="$NVCC"], [hg_cuda_summary="kernels only, StarPU has none"])
    AC_MSG_RESULT([$hg_cuda])
    CPPFLAGS=$hg_save_CPPFLAGS
  ])
  AC_SUBST([CUDA_CPPFLAGS])
  AC_SUBST([CUDA_LIBS])
  AM_CONDITIONAL([HAVE_NVCC], [test -n "$NVCC"])
  AM_CONDITIONAL([HAVE_CUDA], [test $hg_cuda = yes])
])

# HG_CC_FLAGS: HG_CFLAGS with the project's warnings, and --enable-sanitizers.
AC_DEFUN([HG_CC_FLAGS], [
  AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UBSan])])
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors])])
  HG_CFLAGS="-Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes"
  AS_IF([test "$enable_werror" = yes], [HG_CFLAGS="$HG_CFLAGS -Werror"])
  HG_SANITIZE=
  AS_IF([test "$enable_sanitizers" = yes],
    [HG_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"])
  AC_SUBST([HG_CFLAGS])
  AC_SUBST([HG_SANITIZE])
  AM_CONDITIONAL([SANITIZERS], [test "$enable_sanitizers" = yes])
])
