# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/result/checkpoint.c \
  src/result/checkpoint.h \
  src/result/metadata.c \
  src/result/metadata.h \
  src/result/metadata_show.c \
  src/result/field.c \
  src/result/field.h \
  src/result/gather.c \
  src/result/gather.h \
  src/result/hdf5_axes.c \
  src/result/hdf5_axes.h \
  src/result/hdf5_writer.c \
  src/result/hdf5_writer.h \
  src/result/picture.c \
  src/result/picture.h \
  src/result/report.c \
  src/result/report.h \
  src/result/hdf5_trailer.c \
  src/result/hdf5_trailer.h \
  src/result/shared_file.c \
  src/result/shared_file.h \
  src/result/trace_notes.c \
  src/result/trace_notes.h \
  src/result/write.c \
  src/result/write.h \
  src/result/write_hdf5.c \
  src/result/write_npy.c \
  src/result/write_xdmf.c
