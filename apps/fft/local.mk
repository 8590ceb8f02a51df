# SPDX-License-Identifier: MIT
EXTRA_DIST += apps/fft/fftw_template.h
if HAVE_FFTW
bin_PROGRAMS += hetgrid-fft
hetgrid_fft_SOURCES = \
  $(golden_sources) \
  tests/golden/fft.c \
  apps/fft/fft.c \
  apps/fft/fft.h \
  apps/fft/fftw.c \
  apps/fft/files.c \
  apps/fft/options.c \
  apps/fft/ranks.c \
  apps/fft/verify.c
hetgrid_fft_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(FFTW_CFLAGS)
hetgrid_fft_LDADD = libhetgrid.la $(FFTW_LIBS) $(JANSSON_LIBS) -lm
if HAVE_CUDA
hetgrid_fft_SOURCES += apps/fft/cuda.c
hetgrid_fft_CPPFLAGS += -DHG_HAVE_CUDA
hetgrid_fft_LDADD += codelets/fft/fft_cuda.lo $(CUDA_LIBS) -lcufft -lstdc++
endif
about_fft = Fourier transforms on CPU cores and GPUs together
manuals += apps/hetgrid-fft.1
endif
EXTRA_DIST += \
  tests/golden/fft.c \
  apps/fft/cuda.c \
  apps/fft/fft.c \
  apps/fft/fft.h \
  apps/fft/fftw.c \
  apps/fft/files.c \
  apps/fft/options.c \
  apps/fft/ranks.c \
  apps/fft/verify.c
