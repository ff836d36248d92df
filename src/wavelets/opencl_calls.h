/* A kernel, for the numbers of taps; tiles of tile[0] by tile[1] pairs, tile[2] of which a work-item makes. */
CONVK_LOCAL_ convk_cl_args_ convk_wavelets_program_(convk_cl *cl, int kernel, const convk_wavelets_level_device_ *level,
                                                    const size_t tile[3]) {
  static const char *const name[] = {"dwt_yx", "dwt_z"}, *const define[] = {"DWT_YX", "DWT_Z"};
  const size_t s = sizeof(CONVK_T);
  const int which = kernel != CONVK_CL_WAVELETS_YX_;
  const uint32_t count[3] = {(uint32_t)level->taps->count[0], (uint32_t)level->taps->count[1], (uint32_t)level->taps->more};
  const int known = count[2] ? count[0] == 15 && count[1] == 15 /* 16 and 31 taps; others have one program for all */
                             : (count[0] == 8 && count[1] == 8) || (count[0] == 16 && count[1] == 15);
  uint32_t v[8];
  char taps[48];
  int i;
  for (i = 0; i < 3; i++) {
    v[i] = known ? count[i] : 0;
    v[3 + i] = (uint32_t)tile[i];
  }
  v[6] = (uint32_t)s;
  v[7] = (uint32_t)level->synthesis;
  if (known)
    (void)snprintf(taps, sizeof taps, "-DEVEN=%u -DODD=%u -DMORE=%u", (unsigned)count[0], (unsigned)count[1],
                   (unsigned)count[2]);
  else (void)snprintf(taps, sizeof taps, "-DEVEN=even -DODD=odd -DMORE=more");
  return convk_cl_program_of_(cl, convk_cl_number_((unsigned)kernel, v, 8), convk_cl_wavelets_source_(), name[which],
                              "-D%s -DT=%s -DF64=%d -DTILE_X=%d -DTILE_Y=%d -DROWS=%d -DSYNTHESIS=%d %s", define[which],
                              convk_cl_type_(s), s == sizeof(cl_double), (int)tile[0], (int)tile[1], (int)tile[2],
                              level->synthesis, taps);
}

/* y and x, from the input to work. */
CONVK_LOCAL_ int convk_wavelets_yx_(convk_cl_call_ *call, const convk_wavelets_level_device_ *level,
                                    CONVK_ARGUMENTS_(wavelets) * a, cl_mem taps) {
  const size_t s = sizeof(CONVK_T), even = level->taps->count[0], odd = level->taps->count[1];
  const size_t more = (even > odd ? even : odd) + (size_t)level->taps->more - 1;
  const cl_mem buffers[] = {level->in.mem, level->low_in.mem, level->mid.mem, taps};
  size_t tile[3] = {32, 16, 0}, local[2];
  convk_cl_args_ args;
  const int status = convk_cl_tile_(call->cl, 4 * s, more, &tile[0], &tile[1], &tile[2]); /* a pair is two points, either way */
  if (tile[2] > tile[1]) tile[2] = tile[1];
  if (status) return status;
  args = convk_wavelets_program_(call->cl, CONVK_CL_WAVELETS_YX_, level, tile);
  a->tiles_x = convk_ceil_((size_t)a->x.pairs, tile[0]);
  a->strips = convk_ceil_((size_t)a->y.pairs, tile[1]);
  convk_cl_group_(call->cl, args.p, 32, tile[1] / tile[2], local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 4);
  convk_cl_put_local_(&args, (tile[0] + more) * tile[1] * 4 * s);
  return convk_cl_launch_(call, &args, (size_t)(a->tiles_x * a->strips * a->planes), local[0], 1, local[1]);
}

/* z, from work to the output. */
CONVK_LOCAL_ int convk_wavelets_z_device_(convk_cl_call_ *call, const convk_wavelets_level_device_ *level,
                                          CONVK_ARGUMENTS_(wavelets) * a, cl_mem taps) {
  const size_t tile[3] = {0, 0, CONVK_CL_ROWS_}, items = (size_t)a->columns, pairs = (size_t)a->z.pairs;
  const cl_mem buffers[] = {level->mid.mem, taps, level->out.mem, level->low_out.mem};
  size_t chunk = 4 * CONVK_CL_ROWS_, local[2];
  convk_cl_args_ args = convk_wavelets_program_(call->cl, CONVK_CL_WAVELETS_Z_, level, tile);
  while (chunk > CONVK_CL_ROWS_ && items * (pairs / chunk) < call->cl->compute_units * CONVK_CL_BUSY_) chunk /= 2;
  if (pairs / chunk >= CONVK_CL_GROUPS_Y_) chunk = convk_round_up_(pairs / CONVK_CL_GROUPS_Y_ + 1, CONVK_CL_ROWS_);
  a->chunk = chunk;
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 4);
  return convk_cl_launch_(call, &args, convk_ceil_(items, local[0]), local[0], convk_ceil_(pairs, chunk), 1);
}

CONVK_LOCAL_ int convk_wavelets_run_(convk_cl_call_ *call, const convk_wavelets_level_device_ *level) {
  const void *host_taps[2];
  size_t count[2];
  CONVK_ARGUMENTS_(wavelets) a;
  cl_mem taps = NULL;
  int status;
  host_taps[0] = level->taps->tap[0];
  host_taps[1] = level->taps->tap[1];
  count[0] = count[1] = 2 * CONVK_WAVELETS_TAPS_;
  memset(&a, 0, sizeof a);
  convk_wavelets_arguments_of_(level, &a);
  a.in_at = level->in.offset;
  a.out_at = level->out.offset;
  a.low_at = level->synthesis ? level->low_in.offset : level->low_out.offset;
  a.mid_at = level->mid.offset;
  status = convk_cl_taps_(call->cl, sizeof(CONVK_T), host_taps, count, 2, &taps);
  if (!status) status = convk_wavelets_yx_(call, level, &a, taps);
  return status ? status : convk_wavelets_z_device_(call, level, &a, taps);
}

#include "wavelets/segments_opencl_calls.h"
