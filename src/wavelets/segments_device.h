/* ---- segments ---- */

/* A checked call on device memory. */
typedef struct convk_segments_device_ {
  convk_segments_job_ job; /* without its lists */
  size_t count[2], points[2];
  int compress;
  CONVK_ARRAY_(const CONVK_T) from;
  CONVK_ARRAY_(CONVK_T) to;
  CONVK_ARRAY_(const size_t) ends[2];
  CONVK_ARRAY_(const size_t) place[2];
} convk_segments_device_;

/* What a device does: segments_opencl_calls.h, segments_cuda.h. */
CONVK_LOCAL_ int convk_segments_run_(CONVK_DEVICE_(call) *call, const convk_segments_device_ *s);

CONVK_LOCAL_ void convk_segments_arguments_of_(const convk_segments_device_ *s, CONVK_ARGUMENTS_(segments) * a) {
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
CONVK_LOCAL_ void convk_segments_list_device_(CONVK_DEVICE_(frame) *f, const CONVK_DEVICE_STRUCT_(segments) * list, int k,
                                              convk_segments_device_ *s) {
  static const char *const names[2][3] = {{"shape->coarse.ends", "shape->coarse.place", "coarse"},
                                          {"shape->fine.ends", "shape->fine.place", "fine"}};
  const int may = list->count ? 0 : CONVK_PLACE_OPTIONAL_;
  s->count[k] = list->count;
  s->points[k] = list->points;
  s->ends[k] = list->ends;
  s->place[k] = list->place;
  if (!f->status && (list->count > (size_t)-1 / 64 || list->points > (size_t)-1 / 64))
    f->status =
        convk_refuse_names_(f->message, CONVK_ERR_OVERFLOW, "shape->$ has too many segments or points", names[k][2], NULL);
  if (!f->status && list->count && !list->points)
    f->status = convk_refuse_names_(f->message, CONVK_ERR_SIZE, "shape->$.points is 0, and on a device nobody counts them",
                                    names[k][2], NULL);
  CONVK_DEVICE_(frame_place)(f, names[k][0], list->ends, 2 * list->count, sizeof(uint64_t), may);
  CONVK_DEVICE_(frame_place)(f, names[k][1], list->place, list->count, sizeof(uint64_t), may);
}

CONVK_LOCAL_ int convk_segments_on_(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape, int compress,
                                    CONVK_ARRAY_(const CONVK_T) from, CONVK_ARRAY_(CONVK_T) to) {
  static const char *const names[2] = {"compressed", "dense"};
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  convk_segments_device_ run;
  size_t span[2] = {0, 0}, one = 0;
  int k;
  memset(&run, 0, sizeof run);
  run.compress = compress;
  run.from = from;
  run.to = to;
  if (!f.status) f.status = convk_need_(f.message, "shape", shape);
  if (!f.status) f.status = convk_segments_dense_(f.message, &shape->dense, &run.job, &one);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  convk_segments_list_device_(&f, &shape->coarse, 0, &run);
  convk_segments_list_device_(&f, &shape->fine, 1, &run);
  if (!f.status)
    f.status = convk_segments_strides_(f.message, shape->vectors, shape->compressed_stride, shape->dense_stride, run.points,
                                       one, &run.job, span);
  for (k = 0; k < 2; k++) {
    const int flags = (k != compress ? CONVK_PLACE_WRITTEN_ : 0) | (k || span[0] ? 0 : CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(&f, names[k], k == compress ? from : to, span[k], s, flags);
  }
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status && (!compress || span[0])) f.status = convk_segments_run_(&f.call, &run);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_wavelet_uncompress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                                 CONVK_ARRAY_(const CONVK_T) compressed, CONVK_ARRAY_(CONVK_T) dense) {
  return convk_segments_on_(on, shape, 0, compressed, dense);
}
CONVK_API_ int convk_wavelet_compress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                               CONVK_ARRAY_(const CONVK_T) dense, CONVK_ARRAY_(CONVK_T) compressed) {
  return convk_segments_on_(on, shape, 1, dense, compressed);
}

/* ---- on host arrays: copies alone, and both arrays are on the host, which makes them ---- */

CONVK_API_ int convk_wavelet_uncompress_device(convk *hw, const convk_compressed_shape *shape, const CONVK_T *compressed,
                                               CONVK_T *dense) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_uncompress_cpu_(NULL, hw, shape, compressed, dense);
}

CONVK_API_ int convk_wavelet_compress_device(convk *hw, const convk_compressed_shape *shape, const CONVK_T *dense,
                                             CONVK_T *compressed) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_compress_cpu_(NULL, hw, shape, dense, compressed);
}
