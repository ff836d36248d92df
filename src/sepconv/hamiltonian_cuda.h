#if CONVK_HAS_SEPCONV_
CONVK_LOCAL_ const CONVK_T *convk_hamiltonian_of_(const CONVK_T *array, size_t k) { return array + k; }
CONVK_LOCAL_ CONVK_T *convk_hamiltonian_to_(CONVK_T *array, size_t k) { return array + k; }
CONVK_LOCAL_ double *convk_hamiltonian_energy_(convk_hamiltonian_energies *energies, size_t v, size_t k) {
  return k < 3 ? &energies[v].kinetic[k] : &energies[v].potential;
}

/* Each number is a sum of one plane of one row. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cuda_call_ *call, const double *from, double *between, double *to,
                                         size_t count) {
  convk_cuda_sum_total_args_ a;
  a.rows = from;
  a.planes = between;
  a.total = to;
  a.count = count;
  a.ny = a.nz = 1;
  return convk_cuda_start_(convk_cuda_sum_total_<convk_cuda_sum_total_args_>, count, CONVK_CUDA_SUM_THREADS_, call->stream, a);
}
#endif
