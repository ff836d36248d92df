CONVK_LOCAL_ int convk_distances_start_(convk_cuda_call_ *call, convk_distances_arguments_ *a,
                                        const convk_atoms_resident *atoms, const convk_distances_resident *to, void *work) {
  const size_t threads = CONVK_CUDA_DISTANCES_THREADS_, blocks = a->stage == CONVK_DISTANCES_STARTS_ ? 1 : a->n / threads + 1;
  size_t bytes = (size_t)a->words * sizeof(uint32_t);
  int device = 0, limit = CONVK_CUDA_SHARED_UNASKED_;
  const convk_cuda_distances_args_ c = {*a,        atoms->x,      atoms->y,      atoms->z,   atoms->kind,
                                        to->count, to->moment[0], to->moment[1], to->beyond, work};
  if (a->stage < CONVK_DISTANCES_COUNT_)
    return convk_cuda_start_(convk_cuda_distances_sort_<CONVK_T>, blocks, (int)threads, call->stream, c,
                             2 * threads * sizeof(uint32_t));
  if (bytes > (size_t)limit && (cudaGetDevice(&device) != cudaSuccess ||
                                cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess))
    return CONVK_ERR_DEVICE;
  const int shared = bytes <= (size_t)limit;
  if (!shared) bytes = 2 * sizeof(uint32_t);
  return convk_cuda_start_(shared ? convk_cuda_distances_of_<1>(a->moments) : convk_cuda_distances_of_<0>(a->moments),
                           convk_least_(a->units, CONVK_CUDA_DISTANCES_BLOCKS_),
                           bytes > 49152 ? CONVK_CUDA_DISTANCES_MOST_ : (int)threads, /* few are on a multiprocessor */
                           call->stream, c, bytes);
}

CONVK_LOCAL_ int convk_debye_start_(convk_cuda_call_ *call, convk_debye_arguments_ *a, const convk_distances_resident *from,
                                    const convk_intensities_resident *to, void *work) {
  const int list = a->stage == CONVK_DEBYE_LIST_,
            threads = list ? CONVK_CUDA_DISTANCES_THREADS_ : 64; /* few, for more blocks */
  const size_t tasks = a->stage == CONVK_DEBYE_WAVES_ ? convk_ceil_((size_t)a->bins, CONVK_DISTANCES_LIST_) * to->nq : to->nq;
  const convk_cuda_debye_args_ c = {
      *a, {from->count, from->moment[0], from->moment[1], to->q, to->intensity, to->bound, (double *)work}};
  return convk_cuda_start_(list ? convk_cuda_debye_stage_<CONVK_T, 1> : convk_cuda_debye_stage_<CONVK_T, 0>,
                           list ? 1 : convk_ceil_(tasks, (size_t)threads), threads, call->stream, c,
                           list ? (size_t)threads * sizeof(uint32_t) : 0);
}
