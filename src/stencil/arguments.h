/* What the kernels of this family take. */
CONVK_DEFINE_ARGUMENTS_(stencil) {
  uint64_t pitch_y, pitch_z;
  uint64_t in_at, out_at;         /* OpenCL: where arrays begin in their buffers, in elements */
  int64_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */
  int64_t left;                   /* CUDA: the first tile writes from here on, where a sector begins; first[0] or less */
  int64_t planes;                 /* of a chunk along z */
  uint32_t tiles_x, layer;        /* tiles along x, and of a chunk */
  int32_t periodic[3], unused;
  CONVK_ARGUMENT_T_ c[7]; /* in the order of the sum */
};
