/* What an instruction set offers: the same for both precisions; and what a device has in place of all of pair_histogram,
   and of a checked call of debye. */
typedef struct convk_distances_kernels_ {
  convk_distances_calls_ calls;
  int (*histogram)(convk *hw, const convk_atoms *atoms, const convk_cell *cell, const convk_part *part,
                   const convk_distances *distances, void *work, size_t work_size);
  int (*debye)(convk *hw, const convk_distances *distances, const convk_scatterer *kinds, const double *self, size_t nq,
               const CONVK_T *q, CONVK_T *intensity, CONVK_T *bound);
} convk_distances_kernels_;
