/* What an instruction set offers: the same for both precisions. */
typedef struct convk_distances_kernels_ {
  convk_distances_calls_ calls;
} convk_distances_kernels_;
