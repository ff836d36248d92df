CONVK_API_ int convk_wavelet_uncompress_resident(const convk_cl_queue *on, const convk_cl_compressed_shape *shape,
                                                 convk_cl_array compressed, convk_cl_array dense) {
  return convk_segments_on_(on, shape, 0, compressed, dense);
}
CONVK_API_ int convk_wavelet_compress_resident(const convk_cl_queue *on, const convk_cl_compressed_shape *shape,
                                               convk_cl_array dense, convk_cl_array compressed) {
  return convk_segments_on_(on, shape, 1, compressed, dense);
}

CONVK_LOCAL_ int convk_segments_run_(convk_cl_call_ *call, const convk_segments_there_ *s) {
  const size_t none[1] = {0};
  CONVK_ARGUMENTS_(segments) a;
  convk_cl_args_ args;
  char options[CONVK_CL_KEY_];
  uint32_t v = (uint32_t)sizeof(CONVK_T);
  const uint64_t number = convk_cl_number_(CONVK_CL_SEGMENTS_, &v, 1);
  convk_cl_program_ *p = convk_cl_known_(call->cl, number);
  size_t local[2], k;
  int status = CONVK_OK;
  if (!p) {
    (void)snprintf(options, sizeof options, "-DSEGMENTS -DT=%s -DF64=%d", convk_cl_type_(v), v == sizeof(cl_double));
    status = convk_cl_kernel_(call->cl, convk_cl_orbital_source_(), "segments", options, NULL, &p);
    if (!status) convk_cl_remember_(call->cl, number, p, none, 0);
  }
  if (status) return status;
  convk_segments_say_(s, &a);
  a.dense_at = s->dense.offset;
  a.compressed_at = s->compressed.offset;
  for (k = 0; k < 2; k++) {
    a.ends_at[k] = s->ends[k].offset;
    a.place_at[k] = s->place[k].offset;
  }
  convk_cl_group_(call->cl, p, 128, 1, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_mem_(&args, s->compressed.mem ? s->compressed.mem : s->dense.mem); /* what is not there is not used */
  convk_cl_put_mem_(&args, s->dense.mem);
  for (k = 0; k < 2; k++) {
    convk_cl_put_mem_(&args, s->count[k] ? s->ends[k].mem : s->dense.mem);
    convk_cl_put_mem_(&args, s->count[k] ? s->place[k].mem : s->dense.mem);
  }
  return convk_cl_launch_lines_(call, &args, convk_ceil_(s->job.half[0] * s->job.half[1], local[0]), local[0],
                                s->job.half[2] * s->job.vectors);
}
