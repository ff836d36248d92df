CONVK_API_ int convk_wavelet_uncompress_resident(convk_cuda_stream *on, const convk_compressed_shape *shape,
                                                 const CONVK_T *compressed, CONVK_T *dense) {
  return convk_segments_on_(on, shape, 0, (CONVK_T *)(uintptr_t)compressed, dense);
}
CONVK_API_ int convk_wavelet_compress_resident(convk_cuda_stream *on, const convk_compressed_shape *shape, const CONVK_T *dense,
                                               CONVK_T *compressed) {
  return convk_segments_on_(on, shape, 1, compressed, (CONVK_T *)(uintptr_t)dense);
}

CONVK_LOCAL_ int convk_segments_run_(convk_cuda_call_ *call, const convk_segments_there_ *s) {
  convk_cuda_segments_args_<CONVK_T> a = convk_cuda_segments_args_<CONVK_T>();
  convk_segments_say_(s, &a);
  a.compressed = s->compressed;
  a.dense = s->dense;
  for (int k = 0; k < 2; k++) {
    a.ends[k] = (const uint64_t *)(const void *)s->ends[k];
    a.place[k] = (const uint64_t *)(const void *)s->place[k];
  }
  return convk_cuda_start_(convk_cuda_orbital_segments_<CONVK_T>,
                           convk_ceil_(a.nx * a.ny * a.nz * a.vectors, CONVK_CUDA_ORBITAL_THREADS_),
                           CONVK_CUDA_ORBITAL_THREADS_, call->stream, a);
}
