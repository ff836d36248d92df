/* SPDX-License-Identifier: MIT
   What opencl_device.c has seen. */
#include <stddef.h>

typedef struct opencl_counts {
  long live;                    /* objects that nobody has given back */
  long built, loaded;           /* programs, from text and from binaries */
  long launches;                /* of kernels, also refused ones */
  size_t groups_y, local_bytes; /* the most of a launch */
  unsigned char argument[512];  /* the last first argument of a kernel that fits */
} opencl_counts;
extern opencl_counts opencl_seen;
