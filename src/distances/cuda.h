CONVK_LOCAL_ int convk_distances_sort_start_(convk_cuda_call_ *call, convk_distances_arguments_ *a,
                                             const convk_distances_arrays_ *arrays) {
  const size_t threads = CONVK_CUDA_DISTANCES_THREADS_;
  const size_t blocks = a->stage == CONVK_DISTANCES_STARTS_ ? 1 : convk_ceil_(a->stage ? a->n : a->lists, threads);
  convk_cuda_distances_sort_args_<CONVK_T> s;
  s.of = *a;
  s.x = arrays->x;
  s.y = arrays->y;
  s.z = arrays->z;
  s.kind = arrays->kind;
  s.work = (double *)arrays->work;
  s.beyond = (uint32_t *)(void *)arrays->beyond;
  return convk_cuda_start_(convk_cuda_distances_sort_<CONVK_T>, blocks, (int)threads, call->stream, s,
                           2 * threads * sizeof(uint32_t));
}

CONVK_LOCAL_ int convk_distances_count_start_(convk_cuda_call_ *call, convk_distances_arguments_ *a,
                                              const convk_distances_arrays_ *arrays, int moments, size_t units) {
  size_t bytes = convk_distances_shared_(a, moments) * sizeof(uint32_t);
  int device = 0, limit = CONVK_CUDA_SHARED_UNASKED_, threads = CONVK_CUDA_DISTANCES_THREADS_;
  convk_cuda_distances_args_ c;
  if (bytes > (size_t)limit && (cudaGetDevice(&device) != cudaSuccess ||
                                cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess))
    return CONVK_ERR_DEVICE;
  const int shared = bytes <= (size_t)limit;
  if (shared && bytes > 49152) threads = CONVK_CUDA_DISTANCES_MOST_; /* else few of them are on a multiprocessor */
  if (!shared) bytes = 2 * sizeof(uint32_t);
  c.of = *a;
  c.work = (double *)arrays->work;
  c.count = (uint32_t *)(void *)arrays->count;
  c.first = (uint32_t *)(void *)arrays->first;
  c.second = (uint32_t *)(void *)arrays->second;
  c.beyond = (uint32_t *)(void *)arrays->beyond;
  return convk_cuda_start_(shared ? convk_cuda_distances_of_<1>(moments) : convk_cuda_distances_of_<0>(moments),
                           convk_least_(units, CONVK_CUDA_DISTANCES_BLOCKS_), threads, call->stream, c, bytes);
}
