/* SPDX-License-Identifier: MIT */
/* Fourier transforms on a CUDA device by cuFFT, queued on a stream. */
#ifndef HG_CODELETS_FFT_FFT_CUDA_H
#define HG_CODELETS_FFT_FFT_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Plans of one device, which share their scratch memory. For use by one thread, with the device current. */
typedef struct hg_fft_cuda hg_fft_cuda;

/** What is transformed. Complex numbers are pairs of reals. */
typedef struct hg_fft_kind {
  bool single;  /**< float, else double */
  bool real;    /**< forward: real to half a spectrum along the last axis; inverse: back, which
                   overwrites `in` */
  bool inverse; /**< not normalised: `scale` is for that */
} hg_fft_kind;

/** Returns NULL without memory. */
hg_fft_cuda *hg_fft_cuda_make(void);
void hg_fft_cuda_free(hg_fft_cuda *fft);

/** Transforms `count` contiguous planes of n2 x n3 values and multiplies by `scale`. With in == NULL only creates the
 * plan.
 * @return 0, a cudaError_t, or minus a cufftResult */
int hg_fft_cuda_planes(hg_fft_cuda *fft, hg_fft_kind kind, int64_t n2, int64_t n3, int64_t count, const void *in,
                       void *out, double scale, void *stream);

/** `wide` complex columns of n values: value r of column c is at c + r stride. in may be out. Otherwise as above.
 * @param stride_in, stride_out  complex values */
int hg_fft_cuda_columns(hg_fft_cuda *fft, hg_fft_kind kind, int64_t n, int64_t wide, int64_t stride_in,
                        int64_t stride_out, const void *in, void *out, double scale, void *stream);

#ifdef __cplusplus
}
#endif
#endif
