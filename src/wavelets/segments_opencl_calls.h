CONVK_LOCAL_ int convk_segments_run_(convk_cl_call_ *call, const convk_segments_device_ *s) {
  const convk_cl_array compressed = s->compress ? s->to : s->from, dense = s->compress ? s->from : s->to;
  const uint32_t v = (uint32_t)sizeof(CONVK_T);
  cl_mem buffers[6];
  CONVK_ARGUMENTS_(segments) a;
  size_t local[2], k;
  convk_cl_args_ args =
      convk_cl_program_of_(call->cl, convk_cl_number_(CONVK_CL_SEGMENTS_, &v, 1), convk_cl_orbital_source_(), "segments",
                           "-DSEGMENTS -DT=%s -DF64=%d", convk_cl_type_(v), v == sizeof(cl_double));
  convk_segments_arguments_of_(s, &a);
  a.dense_at = dense.offset;
  a.compressed_at = compressed.offset;
  buffers[0] = compressed.mem ? compressed.mem : dense.mem; /* what is not there is not used */
  buffers[1] = dense.mem;
  for (k = 0; k < 2; k++) {
    a.ends_at[k] = s->ends[k].offset;
    a.place_at[k] = s->place[k].offset;
    buffers[2 + 2 * k] = s->count[k] ? s->ends[k].mem : dense.mem;
    buffers[3 + 2 * k] = s->count[k] ? s->place[k].mem : dense.mem;
  }
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_all_(&args, &a, sizeof a, buffers, 6);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(s->job.half[0] * s->job.half[1], local[0]), local[0],
                                s->job.half[2] * s->job.vectors);
}
