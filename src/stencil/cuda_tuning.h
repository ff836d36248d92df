/* How stencil7 runs on a device; 0 means: chosen by the library, as is all for NULL.  It changes speed, never a result. */
typedef struct convk_cuda_stencil_tuning {
  size_t tile;   /* points that a block takes, with its halo: 16 (x 16), 32 (x 32) or 64 (x 32) */
  size_t steps;  /* in one pass over memory, at most 4, or 2 with tile 16 and for f64 with tile 64; 1: single sweeps */
  size_t planes; /* along z that a block marches through */
} convk_cuda_stencil_tuning;
