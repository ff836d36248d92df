/* What an instruction set offers: the same for both precisions; and what a device has in place of all of pair_histogram. */
typedef struct convk_distances_kernels_ {
  convk_distances_calls_ calls;
  int (*histogram)(convk *hw, const convk_atoms *atoms, const convk_cell *cell, const convk_part *part,
                   const convk_distances *distances, void *work, size_t work_size);
} convk_distances_kernels_;
