#ifndef CONVK_FORMFACTOR_INCLUDED_
#define CONVK_FORMFACTOR_INCLUDED_
/* What all kernels of OpenCL take besides a body, units of length and arrays; those of CUDA have structs of their own. */
typedef struct convk_formfactor_arguments_ {
  uint64_t field[12], q[6], work, f;           /* where arrays begin: in their numbers, and in sums */
  uint64_t n, nq, at, blocks;                  /* triangles, vectors of q; the first triangle and the blocks of a launch */
  uint64_t n0, n1, n2, stride[3];              /* of a grid's axes, the first that of the lanes: values, strides of f */
  uint64_t table, partial, to, width, tiles_x; /* see the kernels for grids */
  int32_t axis[3], z;                          /* which of x, y, z the axes are; the one of qz, 3: that is real */
  int32_t first, last;                         /* whether sums begin here, and whether F is made */
} convk_formfactor_arguments_;
#endif
