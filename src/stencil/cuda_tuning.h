/* How stencil7 runs on a device; 0 means: chosen by the library.  It changes speed, never a result. */
typedef struct convk_cuda_stencil_tuning {
  size_t tile;   /* of a plane, for a block: 16 (x 16 points, with the halo), 32 (x 32), or 64: the largest, which has 128 x 32
                    points without the halo for one step, 32 x 64 (f64) or 32 x 128 (f32) with it for several */
  size_t steps;  /* in one pass over memory, at most 4, or 2 with tile 16; 1: single sweeps */
  size_t planes; /* along z that a block marches through */
} convk_cuda_stencil_tuning;
