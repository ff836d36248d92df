/* The kernels that hamiltonian_apply goes through. */
typedef struct convk_hamiltonian_kernels_ {
  const convk_filters_kernels_ *filters;
  const convk_wavelets_kernels_ *wavelets;
  const convk_sums_kernels_ *sums;
} convk_hamiltonian_kernels_;
