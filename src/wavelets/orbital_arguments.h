/* What the kernel takes that brings both parts of complex numbers into arrays of their own, `apart` elements apart, or back
   (join): points and pitches of a part, and pitches of the numbers; add: to what the parts are. */
CONVK_DEFINE_ARGUMENTS_(parts) {
  uint64_t nx, ny, nz, pitch_y, pitch_z, whole_y, whole_z, apart;
  uint64_t parts_at, numbers_at; /* OpenCL: where arrays begin in their buffers, in elements of their own */
  uint32_t join, add;
};
/* What kernels of segments take: the grid of segments, half of that of the array along each axis, which is `block` apart along
   each; of coarse and fine segments how many there are and points of the vector, where the fine ones begin behind `fine`. */
CONVK_DEFINE_ARGUMENTS_(segments) {
  uint64_t nx, ny, nz, vectors, pitch_y, pitch_z, block[3], dense_stride, compressed_stride, fine, count[2], points[2];
  uint64_t dense_at, compressed_at, ends_at[2], place_at[2]; /* OpenCL: where arrays begin, in elements of their own */
  uint32_t compress, unused;
};
