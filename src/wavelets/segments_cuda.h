CONVK_LOCAL_ int convk_segments_run_(convk_cuda_call_ *call, const convk_segments_device_ *s) {
  convk_cuda_segments_args_<CONVK_T> a = convk_cuda_segments_args_<CONVK_T>();
  convk_segments_arguments_of_(s, &a);
  CONVK_T *const from = (CONVK_T *)(uintptr_t)s->from; /* which is only read */
  a.compressed = s->compress ? s->to : from;
  a.dense = s->compress ? from : s->to;
  for (int k = 0; k < 2; k++) {
    a.ends[k] = (const uint64_t *)(const void *)s->ends[k];
    a.place[k] = (const uint64_t *)(const void *)s->place[k];
  }
  return convk_cuda_start_(convk_cuda_orbital_segments_<CONVK_T>,
                           convk_ceil_(a.nx * a.ny * a.nz * a.vectors, CONVK_CUDA_ORBITAL_THREADS_),
                           CONVK_CUDA_ORBITAL_THREADS_, call->stream, a);
}
