CONVK_LOCAL_ int convk_amplitudes_start_(convk_cuda_call_ *call, convk_amplitudes_arguments_ *a,
                                         const convk_atoms_resident *atoms, const convk_q *q, CONVK_T *f, void *work) {
  const size_t threads = CONVK_CUDA_AMPLITUDES_THREADS_;
  const convk_cuda_amplitudes_args_ args = {
      *a, {atoms->x, atoms->y, atoms->z, atoms->kind, atoms->weight, q->x, q->y, q->z, q->z_imag, f, (char *)work}};
  return convk_cuda_start_(
      a->stage == CONVK_AMPLITUDES_LIST_     ? convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_LIST_>
      : a->stage == CONVK_AMPLITUDES_DAMPED_ ? convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_DAMPED_>
      : a->stage == CONVK_AMPLITUDES_ROWS_   ? convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_ROWS_>
                                             : convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_GIVE_>,
      convk_amplitudes_groups_(a, threads), (int)threads, call->stream, args, convk_amplitudes_tile_bytes_(a, threads));
}
