/* What the kernels of this family take. */
CONVK_DEFINE_ARGUMENTS_(stencil) {
  uint64_t pitch_y, pitch_z;
  uint64_t in_at, out_at;         /* OpenCL: where arrays begin in their buffers, in elements */
  int64_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */
  int64_t left;                   /* CUDA: where the first tile begins: at a sector, at first[0] or before */
  int64_t planes;                 /* of a chunk along z */
  uint32_t tiles_x, layer;        /* tiles along x, and of a chunk */
  int32_t periodic[3], unused;
  CONVK_ARGUMENT_T_ c[7]; /* in the order of the sum */
};

/* Of box_copy: rows of count[0] points, count[1] of them in a plane. */
CONVK_DEFINE_ARGUMENTS_(box) {
  uint64_t in_at, out_at;             /* the first points of both boxes, in elements */
  uint64_t in_pitch[2], out_pitch[2]; /* of y and z */
  uint64_t count[2], points;          /* points of all rows and planes */
  uint64_t each;                      /* points that a work-item copies, one after another */
};
