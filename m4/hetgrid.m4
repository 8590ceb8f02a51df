# SPDX-License-Identifier: MIT

# HG_RPATH: STARPU_RPATH, from --with-rpath.
AC_DEFUN([HG_RPATH], [
  AC_ARG_WITH([rpath], [AS_HELP_STRING([--with-rpath=DIR],
    [where StarPU is looked for at run time (default: where it is now, unless that is a folder of the system; no: nowhere)])],
    [], [with_rpath=yes])
  STARPU_RPATH=
  hg_starpu_lib=$($PKG_CONFIG --variable=libdir starpu-1.4)
  AS_CASE([$with_rpath],
    [no], [],
    [yes], [AS_CASE([$hg_starpu_lib], [/lib*|/usr/lib*], [], [STARPU_RPATH="-R $hg_starpu_lib"])],
    [STARPU_RPATH="-R $with_rpath"])
  AC_SUBST([STARPU_RPATH])
])

# HG_LINKS_WITH(ROUTINE, LIBS, [IF-SO], [IF-NOT]): checks whether libraries have a routine.
AC_DEFUN([HG_LINKS_WITH], [
  hg_save_LIBS=$LIBS
  LIBS="$2 $LIBS"
  AC_LINK_IFELSE([AC_LANG_CALL([], [$1])], [hg_links=yes], [hg_links=no])
  LIBS=$hg_save_LIBS
  AS_IF([test $hg_links = yes], [$3], [$4])
])

# HG_BLAS: BLAS_LIBS and BLAS_CFLAGS, BLAS with LAPACK, from --with-blas.
AC_DEFUN([HG_BLAS], [
  AC_ARG_WITH([blas], [AS_HELP_STRING([--with-blas=NAME],
    [BLAS and LAPACK to link: a name that pkg-config knows (openblas, flexiblas, blas, mkl-dynamic-lp64-seq) or flags of the
     linker, such as "-L/opt/lib -lblis -llapack" (default: openblas, else blas); HETGRID_BLAS names another at run time])],
    [], [with_blas=yes])
  AS_CASE([$with_blas],
    [no], [AC_MSG_ERROR([--without-blas: elimination, products and calibration need one])],
    [-*|*/*], [BLAS_LIBS=$with_blas],
    [AS_IF([test "$with_blas" = yes], [PKG_CHECK_EXISTS([openblas], [with_blas=openblas], [with_blas=blas])])
     PKG_CHECK_MODULES([BLAS], [$with_blas], [], [AC_MSG_ERROR([pkg-config knows no $with_blas: BLAS is missing (Debian: libopenblas-dev),
or --with-blas should have the flags of the linker, such as -lblas])])])
  AC_MSG_CHECKING([for BLAS in $BLAS_LIBS])
  HG_LINKS_WITH([dgemm_], [$BLAS_LIBS], [AC_MSG_RESULT([yes])], [AC_MSG_ERROR([$BLAS_LIBS has no dgemm_])])
  AC_MSG_CHECKING([for LAPACK])
  HG_LINKS_WITH([dlacn2_], [$BLAS_LIBS], [AC_MSG_RESULT([in the same])], [
    HG_LINKS_WITH([dlacn2_], [-llapack $BLAS_LIBS], [AC_MSG_RESULT([-llapack]); BLAS_LIBS="-llapack $BLAS_LIBS"],
      [AC_MSG_ERROR([$BLAS_LIBS has no dlacn2_, nor has -llapack (Debian: liblapack-dev)])])])
  AC_SUBST([BLAS_LIBS])
  AC_SUBST([BLAS_CFLAGS])
])

# HG_HARDENING: HG_HARDEN_CFLAGS and HG_HARDEN_LDFLAGS, for a library that is loaded into others' processes: stack protection,
# checked copies, and tables that are resolved at the start and read-only afterwards.
AC_DEFUN([HG_HARDENING], [
  AC_ARG_ENABLE([hardening], [AS_HELP_STRING([--disable-hardening], [without stack protector, FORTIFY, RELRO and BIND_NOW])])
  HG_HARDEN_CFLAGS=
  HG_HARDEN_LDFLAGS=
  AS_IF([test "$enable_hardening" != no], [
    HG_HARDEN_CFLAGS=-fstack-protector-strong
    # checked copies need an optimising compiler; sanitizers have their own checks
    AS_CASE(["$enable_sanitizers $CFLAGS"], [yes*|threads*|*-O0*], [],
      [*-O*], [HG_HARDEN_CFLAGS="$HG_HARDEN_CFLAGS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"])
    HG_HARDEN_LDFLAGS="-Wl,-z,relro -Wl,-z,now"
    hg_save_CFLAGS=$CFLAGS hg_save_LDFLAGS=$LDFLAGS
    CFLAGS="$CFLAGS $HG_HARDEN_CFLAGS" LDFLAGS="$LDFLAGS $HG_HARDEN_LDFLAGS"
    AC_MSG_CHECKING([whether the compiler hardens programs])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[]], [])], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no]); HG_HARDEN_CFLAGS= HG_HARDEN_LDFLAGS=])
    CFLAGS=$hg_save_CFLAGS LDFLAGS=$hg_save_LDFLAGS
  ])
  AC_SUBST([HG_HARDEN_CFLAGS])
  AC_SUBST([HG_HARDEN_LDFLAGS])
])

# HG_CHECK_CUDA: NVCC, CUDA_CPPFLAGS, CUDA_LIBS, NVCC_ARCH, NVCC_COMPRESS; conditionals HAVE_NVCC, HAVE_CUDA (StarPU has it, too).
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
    CUDA_LIBS="-L$hg_cuda_lib -lcudart"
    AS_IF([test "$with_rpath" != no], [CUDA_LIBS="-Wl,-rpath,$hg_cuda_lib $CUDA_LIBS"])
    AS_IF([test -z "$NVCC_ARCH"],
      [NVCC_ARCH="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90"])
    AC_MSG_CHECKING([whether nvcc compresses code for size])
    AS_IF(["$NVCC" --help | grep -q -e --compress-mode], [NVCC_COMPRESS=--compress-mode=size])
    AC_MSG_RESULT([${NVCC_COMPRESS:-no}])
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
  AC_SUBST([NVCC_COMPRESS])
  AM_CONDITIONAL([HAVE_NVCC], [test -n "$NVCC"])
  AM_CONDITIONAL([HAVE_CUDA], [test $hg_cuda = yes])
])

# HG_CC_FLAGS: HG_CFLAGS with the project's warnings, and --enable-sanitizers[=threads].
AC_DEFUN([HG_CC_FLAGS], [
  AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers@<:@=threads@:>@],
    [build with AddressSanitizer and UBSan, or with ThreadSanitizer])])
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors])])
  HG_CFLAGS="-Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes"
  AS_IF([test "$enable_werror" = yes], [HG_CFLAGS="$HG_CFLAGS -Werror"])
  HG_SANITIZE=
  AS_CASE([$enable_sanitizers],
    [yes], [HG_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"],
    [threads], [HG_SANITIZE="-fsanitize=thread -fno-omit-frame-pointer"],
    [''|no], [],
    [AC_MSG_ERROR([--enable-sanitizers=$enable_sanitizers is unknown, must be yes, no or threads])])
  AC_SUBST([HG_CFLAGS])
  AC_SUBST([HG_SANITIZE])
])
