/* What the kernels of this family take: each reads what concerns it. */
CONVK_DEFINE_ARGUMENTS_(filters) {
  convk_axis_device_ x, y, z;              /* of conv1d_transpose x, and y.n rows */
  uint64_t in_y, in_z, out_y, out_z;       /* pitches of the input, and of the output */
  uint64_t laid_y, laid_z;                 /* pitches of the potential and the density */
  uint64_t tiles_x, strips, strip;         /* tiles of a row; strips of y, and rows of each */
  uint64_t columns, blocks, chunks, chunk; /* of z: columns, in blocks of threads; chunks, and outputs of each */
  uint64_t in_at, out_at, mid_at;          /* OpenCL: where arrays begin in their buffers, in elements */
  uint64_t potential_at, density_at, dot_at, energy_at;
  uint32_t actions, unused;       /* of the epilogue: CONVK_FILTERS_DENSITY_ ... */
  CONVK_ARGUMENT_T_ factor, a, b; /* of the epilogue */
};
