/* ---- segments ---- */

/* A checked call on device memory. */
typedef struct convk_segments_there_ {
  convk_segments_job_ job; /* without its lists */
  size_t count[2], points[2];
  int compress;
  CONVK_ARRAY_(CONVK_T) compressed; /* one of these is only read */
  CONVK_ARRAY_(CONVK_T) dense;
  CONVK_ARRAY_(const size_t) ends[2];
  CONVK_ARRAY_(const size_t) place[2];
} convk_segments_there_;

/* What a device does: segments_opencl_calls.h, segments_cuda.h. */
CONVK_LOCAL_ int convk_segments_run_(CONVK_DEVICE_(call) *call, const convk_segments_there_ *s);

CONVK_LOCAL_ void convk_segments_say_(const convk_segments_there_ *s, CONVK_ARGUMENTS_(segments) * a) {
  size_t k;
  memset(a, 0, sizeof *a);
  a->nx = s->job.half[0];
  a->ny = s->job.half[1];
  a->nz = s->job.half[2];
  a->vectors = s->job.vectors;
  a->pitch_y = s->job.pitch_y;
  a->pitch_z = s->job.pitch_z;
  a->dense_stride = s->job.dense_stride;
  a->compressed_stride = s->job.compressed_stride;
  a->fine = s->job.fine;
  for (k = 0; k < 3; k++) a->block[k] = s->job.block[(size_t)1 << k];
  for (k = 0; k < 2; k++) {
    a->count[k] = s->count[k];
    a->points[k] = s->points[k];
  }
  a->compress = (uint32_t)s->compress;
}

/* One list: coarse, or fine. */
CONVK_LOCAL_ int convk_segments_list_there_(CONVK_DEVICE_(call) *call, const CONVK_THERE_(segments) * list, int k,
                                            convk_segments_there_ *s, convk_place_ place[2]) {
  static const char *const names[2][3] = {{"shape->coarse.ends", "shape->coarse.place", "coarse"},
                                          {"shape->fine.ends", "shape->fine.place", "fine"}};
  const int may = list->count ? 0 : CONVK_PLACE_OPTIONAL_;
  int status;
  s->count[k] = list->count;
  s->points[k] = list->points;
  s->ends[k] = list->ends;
  s->place[k] = list->place;
  if (list->count > (size_t)-1 / 64 || list->points > (size_t)-1 / 64)
    return convk_refuse_names_(call->message, CONVK_ERR_OVERFLOW, "shape->$ has too many segments or points", names[k][2],
                               NULL);
  if (list->count && !list->points)
    return convk_refuse_names_(call->message, CONVK_ERR_SIZE, "shape->$.points is 0, and on a device nobody counts them",
                               names[k][2], NULL);
  status = CONVK_DEVICE_(array_place)(call, names[k][0], list->ends, 2 * list->count, sizeof(uint64_t), may, &place[0]);
  if (status) return status;
  return CONVK_DEVICE_(array_place)(call, names[k][1], list->place, list->count, sizeof(uint64_t), may, &place[1]);
}

CONVK_LOCAL_ int convk_segments_on_(CONVK_ON_ *on, const CONVK_THERE_(compressed_shape) * shape, int compress,
                                    CONVK_ARRAY_(CONVK_T) compressed, CONVK_ARRAY_(CONVK_T) dense) {
  const size_t s = sizeof(CONVK_T);
  const int written = CONVK_PLACE_WRITTEN_;
  CONVK_DEVICE_(call) call;
  convk_segments_there_ there;
  convk_place_ p[6];
  size_t span[2] = {0, 0}, one = 0;
  int status = CONVK_DEVICE_(call_of)(on, s, 0, &call);
  memset(&there, 0, sizeof there);
  if (!status) status = convk_need_(call.message, "shape", shape);
  if (!status) status = convk_segments_dense_(call.message, &shape->dense, &there.job, &one);
  if (!status) status = convk_segments_list_there_(&call, &shape->coarse, 0, &there, &p[0]);
  if (!status) status = convk_segments_list_there_(&call, &shape->fine, 1, &there, &p[2]);
  if (!status)
    status = convk_segments_strides_(call.message, shape->vectors, shape->compressed_stride, shape->dense_stride, there.points,
                                     one, &there.job, span);
  if (!status)
    status = CONVK_DEVICE_(array_place)(&call, "compressed", compressed, span[0], s,
                                        (compress ? written : 0) | (span[0] ? 0 : CONVK_PLACE_OPTIONAL_), &p[4]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "dense", dense, span[1], s, compress ? 0 : written, &p[5]);
  if (!status) status = convk_places_check_(call.message, p, 6);
  there.compress = compress;
  there.compressed = compressed;
  there.dense = dense;
  if (!status && (!compress || span[0])) status = convk_segments_run_(&call, &there);
  return CONVK_DEVICE_(call_end)(&call, status);
}

/* ---- on host arrays: copies alone, and both arrays are on the host, which makes them ---- */

CONVK_API_ int convk_wavelet_uncompress_device(convk *hw, const convk_compressed_shape *shape, const CONVK_T *compressed, CONVK_T *dense) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_uncompress_cpu_(NULL, hw, shape, compressed, dense);
}

CONVK_API_ int convk_wavelet_compress_device(convk *hw, const convk_compressed_shape *shape, const CONVK_T *dense, CONVK_T *compressed) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_compress_cpu_(NULL, hw, shape, dense, compressed);
}
