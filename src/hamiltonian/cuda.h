CONVK_LOCAL_ int convk_hamiltonian_split_(convk_cuda_call_ *call, const convk_hamiltonian_sides_ *s) {
  convk_cuda_parts_args_<CONVK_T> a = convk_cuda_parts_args_<CONVK_T>();
  convk_hamiltonian_parts_of_(s, &a);
  a.parts = s->parts;
  a.in = s->in;
  a.numbers = s->numbers;
  return convk_cuda_start_(convk_cuda_complex_parts_<CONVK_T>,
                           convk_ceil_(s->grid.nx * s->grid.ny * s->grid.nz, CONVK_CUDA_ORBITAL_THREADS_),
                           CONVK_CUDA_ORBITAL_THREADS_, call->stream, a);
}

/* Each number is a sum of `each` planes of one row. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cuda_call_ *call, const double *from, double *between, double *to, size_t count,
                                         size_t each) {
  convk_cuda_sums_total_args_ a;
  a.rows = from;
  a.planes = between;
  a.total = to;
  a.count = count;
  a.ny = 1;
  a.nz = each;
  return convk_cuda_start_(convk_cuda_sums_total_<convk_cuda_sums_total_args_>, count, CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}
