/* What the kernel takes that brings both parts of complex numbers into arrays of their own, `apart` elements apart, or back
   (join): points and pitches of a part, and pitches of the numbers; add: to what the parts are. */
CONVK_DEFINE_ARGUMENTS_(parts) {
  uint64_t nx, ny, nz, pitch_y, pitch_z, whole_y, whole_z, apart;
  uint64_t parts_at, numbers_at; /* OpenCL: where arrays begin in their buffers, in elements of their own */
  uint32_t join, add;
};
