#if CONVK_HAS_SEPCONV_
CONVK_LOCAL_ void convk_cl_sepconv_begin_(const convk_sepconv_job_ *checked, convk_cl_sepconv_ *job) {
  size_t d;
  memset(job, 0, sizeof *job);
  job->element = sizeof(CONVK_T);
  for (d = 0; d < 3; d++) {
    job->axis[d] = checked->axis[d];
    job->taps[d] = checked->taps[d];
  }
  job->gi = checked->gi;
  job->go = checked->go;
  job->actions = checked->actions;
}

CONVK_API_ size_t convk_cl_sepconv3d_work_size(const convk_grid3 *in_grid, const convk_filter filter[3], const int boundary[3],
                                               const convk_cl_sepconv_epilogue *epilogue) {
  convk_sepconv3d_shape shape;
  convk_cl_sepconv_ job;
  convk_grid3 out;
  size_t need, lanes;
  if (convk_sepconv3d_output_grid(NULL, convk_sepconv_shape_(in_grid, NULL, boundary, &shape), filter, &out)) return 0;
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  (void)convk_axes_check_(NULL, in_grid, filter, boundary, job.axis);
  if (epilogue && epilogue->dot) job.actions |= CONVK_SEPCONV_DOT_;
  if (epilogue && epilogue->energy) job.actions |= CONVK_SEPCONV_ENERGY_;
  return convk_cl_sepconv_need_(&job, &need, &lanes) ? 0 : need;
}

CONVK_API_ size_t convk_cl_magicfilter3d_work_size(const convk_grid3 *in_grid, const int boundary[3],
                                                   const convk_cl_sepconv_epilogue *epilogue) {
  convk_filter filter[3];
  (void)convk_magicfilter_axes_(NULL, CONVK_FORWARD, filter);
  return convk_cl_sepconv3d_work_size(in_grid, filter, boundary, epilogue);
}

CONVK_API_ int convk_cl_sepconv3d(convk_cl *cl, cl_command_queue queue, const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                  const convk_filter filter[3], const int boundary[3],
                                  const convk_cl_sepconv_epilogue *epilogue, cl_mem in, size_t in_offset, cl_mem out,
                                  size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                  cl_event *event) {
  convk_sepconv3d_shape shape;
  const convk_cl_sepconv_epilogue none = {NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0}, *e = epilogue ? epilogue : &none;
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array array[CONVK_DEVICE_ARRAYS_] = {{in, in_offset},
                                                      {out, out_offset},
                                                      {e->potential, e->potential_offset},
                                                      {e->density, e->density_offset},
                                                      {e->dot, e->dot_offset},
                                                      {e->energy, e->energy_offset},
                                                      {work, 0}};
  convk_sepconv_job_ checked;
  convk_cl_sepconv_ job;
  unsigned actions = 0;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !in || !work || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status)
    status = convk_sepconv_shapes_(cl->message, convk_sepconv_shape_(in_grid, out_grid, boundary, &shape), filter, &checked);
  if (status) return status;
  if (out) actions |= CONVK_SEPCONV_STORE_;
  if (e->potential) actions |= CONVK_SEPCONV_POTENTIAL_;
  if (e->density) actions |= CONVK_SEPCONV_DENSITY_;
  if (e->dot) actions |= CONVK_SEPCONV_DOT_;
  if (e->energy) actions |= CONVK_SEPCONV_ENERGY_;
  status = convk_sepconv_actions_(cl->message, &checked, actions, e->update, e->density_factor, e->a, e->b);
  if (status) return status;
  convk_cl_sepconv_begin_(&checked, &job);
  job.factor = (double)e->density_factor;
  job.a = (double)e->a;
  job.b = (double)e->b;
  memcpy(job.array, array, sizeof array);
  status = convk_cl_precision_(cl, job.element, job.actions & CONVK_SEPCONV_SUMS_);
  if (!status) status = convk_cl_sepconv_buffers_(cl, &job);
  if (!status) status = convk_cl_sepconv_run_(&chain, &job);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int convk_cl_magicfilter3d(convk_cl *cl, cl_command_queue queue, const convk_grid3 *in_grid,
                                      const convk_grid3 *out_grid, int direction, const int boundary[3],
                                      const convk_cl_sepconv_epilogue *epilogue, cl_mem in, size_t in_offset, cl_mem out,
                                      size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                      cl_event *event) {
  convk_filter filter[3];
  int status = convk_cl_check_(cl);
  if (!status) status = convk_magicfilter_axes_(cl->message, direction, filter);
  return status ? status
                : convk_cl_sepconv3d(cl, queue, in_grid, out_grid, filter, boundary, epilogue, in, in_offset, out, out_offset,
                                     work, num_wait, wait_list, event);
}

/* The two jobs of potential_apply. */
CONVK_LOCAL_ int convk_cl_potential_jobs_(const convk_potential_shapes_ *grids, int energy, convk_cl_sepconv_ job[2]) {
  convk_filter filter[3];
  convk_sepconv_job_ checked;
  int status;
  (void)convk_magicfilter_axes_(NULL, CONVK_FORWARD, filter);
  status = convk_sepconv_shapes_(NULL, &grids->there, filter, &checked);
  checked.actions = CONVK_SEPCONV_STORE_ | CONVK_SEPCONV_POTENTIAL_;
  if (energy) checked.actions |= CONVK_SEPCONV_ENERGY_;
  if (!status) convk_cl_sepconv_begin_(&checked, &job[0]);
  (void)convk_magicfilter_axes_(NULL, CONVK_INVERSE, filter);
  if (!status) status = convk_sepconv_shapes_(NULL, &grids->back, filter, &checked);
  checked.actions = CONVK_SEPCONV_STORE_;
  if (!status) convk_cl_sepconv_begin_(&checked, &job[1]);
  return status;
}

CONVK_API_ size_t convk_cl_potential_apply_work_size(const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                     const int boundary[3], int energy) {
  convk_sepconv3d_shape shape;
  convk_cl_sepconv_ job[2];
  convk_potential_shapes_ grids;
  size_t need;
  if (convk_potential_apply_shapes_(NULL, convk_sepconv_shape_(grid, potential_grid, boundary, &shape), &grids) ||
      convk_cl_potential_jobs_(&grids, energy, job))
    return 0;
  return convk_cl_potential_need_(job, grids.bytes, &need) ? 0 : need;
}

CONVK_API_ int convk_cl_potential_apply(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                        const convk_grid3 *potential_grid, const int boundary[3], cl_mem potential,
                                        size_t potential_offset, cl_mem psi, size_t psi_offset, cl_mem out, size_t out_offset,
                                        cl_mem energy, size_t energy_offset, cl_mem work, cl_uint num_wait,
                                        const cl_event *wait_list, cl_event *event) {
  convk_sepconv3d_shape shape;
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const size_t s = sizeof(CONVK_T);
  convk_cl_sepconv_ job[2];
  convk_cl_part_ part[5];
  convk_potential_shapes_ grids;
  size_t need, i;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !potential || !psi || !out || !work || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status)
    status = convk_potential_apply_shapes_(cl->message, convk_sepconv_shape_(grid, potential_grid, boundary, &shape), &grids);
  if (!status) status = convk_cl_potential_jobs_(&grids, energy != NULL, job);
  if (!status) status = convk_cl_potential_need_(job, grids.bytes, &need);
  if (!status) status = convk_cl_precision_(cl, s, job[0].actions & CONVK_SEPCONV_SUMS_);
  if (status) return status;
  status = convk_cl_part_of_(cl, work, 0, need, 1, 1, &part[0]);
  if (status == CONVK_ERR_SIZE) status = CONVK_ERR_WORK;
  if (!status) status = convk_cl_part_of_(cl, potential, potential_offset, grids.span[1], s, 0, &part[1]);
  if (!status) status = convk_cl_part_of_(cl, energy, energy_offset, 1, sizeof(cl_double), 1, &part[2]);
  if (!status) status = convk_cl_part_of_(cl, psi, psi_offset, grids.span[0], s, 0, &part[3]);
  if (!status) status = convk_cl_apart_(part, 4);
  if (!status) status = convk_cl_part_of_(cl, out, out_offset, grids.span[0], s, 1, &part[4]);
  for (i = 0; i < 4 && !status; i++) { /* out with each of the others, itself as psi apart */
    const convk_cl_part_ two[2] = {part[4], part[i]};
    if (i != 3 || psi_offset != out_offset) status = convk_cl_apart_(two, 2);
  }
  if (status) return status;
  job[0].array[CONVK_DEVICE_IN_] = convk_cl_at_(psi, psi_offset);
  job[0].array[CONVK_SEPCONV_AT_POTENTIAL_] = convk_cl_at_(potential, potential_offset);
  job[0].array[CONVK_SEPCONV_AT_ENERGY_] = convk_cl_at_(energy, energy_offset);
  job[0].array[CONVK_DEVICE_WORK_].mem = work;
  job[1].array[CONVK_DEVICE_OUT_] = convk_cl_at_(out, out_offset);
  return convk_cl_chain_end_(&chain, convk_cl_potential_run_(&chain, job), event);
}

CONVK_LOCAL_ int convk_cl_transpose_run_(convk_cl_chain_ *chain, const convk_transpose_job_ *job, size_t ndat,
                                         const convk_cl_array at[2]) {
  const convk_axis_ *axis = &job->axis;
  const void *given = job->taps;
  size_t tile_i = 32, tile_j = 32, rows, tiles_i, local[2];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  cl_mem taps = NULL;
  char options[2][256], count[8];
  int i, status = convk_cl_tile_(chain->cl, sizeof(CONVK_T), axis->ntaps, &tile_i, &tile_j, &rows);
  if (status) return status;
  if (rows > tile_i) rows = tile_i;
  for (i = 0; i < 2; i++)
    (void)snprintf(options[i], sizeof options[i],
                   "-DCONV1D_TRANSPOSE -DT=%s -DF64=%d -DROWS=%d -DTILE_I=%d -DTILE_J=%d -DTAPS_X=%s -DPERIODIC_X=%d",
                   convk_cl_type_(sizeof(CONVK_T)), sizeof(CONVK_T) == sizeof(cl_double), (int)rows, (int)tile_i, (int)tile_j,
                   convk_cl_count_(count, axis->ntaps, i ? "taps_x" : NULL), axis->boundary == CONVK_BOUNDARY_PERIODIC);
  status = convk_cl_kernel_(chain->cl, convk_cl_sepconv_source_(), "conv1d_transpose", options[0],
                            axis->ntaps == 16 ? NULL : options[1], &p);
  if (!status) status = convk_cl_taps_(chain->cl, sizeof(CONVK_T), &given, &axis->ntaps, 1, &taps);
  if (status) return status;
  tiles_i = convk_ceil_(axis->m, tile_i);
  convk_cl_group_(chain->cl, p, 32, tile_i / rows, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_arrays_(&args, at, 2);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_local_(&args, ((tile_i + axis->ntaps - 1) | 1) * tile_j * sizeof(CONVK_T));
  convk_cl_put_int_(&args, axis->ntaps);
  convk_cl_put_size_(&args, axis->n);
  convk_cl_put_size_(&args, ndat);
  convk_cl_put_size_(&args, job->ld_in);
  convk_cl_put_size_(&args, job->ld_out);
  convk_cl_put_size_(&args, axis->m);
  convk_cl_put_shift_(&args, axis->shift);
  convk_cl_put_size_(&args, tiles_i);
  return convk_cl_launch_(chain, &args, tiles_i * convk_ceil_(ndat, tile_j), local[0], 1, local[1]);
}

CONVK_API_ int convk_cl_conv1d_transpose(convk_cl *cl, cl_command_queue queue, size_t n, size_t ndat, size_t ld_in,
                                         size_t ld_out, const convk_filter *filter, int boundary, cl_mem in, size_t in_offset,
                                         cl_mem out, size_t out_offset, cl_uint num_wait, const cl_event *wait_list,
                                         cl_event *event) {
  const convk_conv1d_shape shape = {n, ndat, ld_in, ld_out, boundary};
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array at[2] = {{in, in_offset}, {out, out_offset}};
  convk_transpose_job_ job;
  convk_cl_part_ part[2];
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !in || !out || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_conv1d_shapes_(NULL, &shape, filter, &job);
  if (!status) status = convk_conv1d_taps_(NULL, filter, &job);
  if (!status) status = convk_cl_precision_(cl, sizeof(CONVK_T), 0);
  if (!status) status = convk_cl_part_of_(cl, in, in_offset, job.in_span, sizeof(CONVK_T), 0, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, out, out_offset, job.out_span, sizeof(CONVK_T), 1, &part[1]);
  if (!status) status = convk_cl_apart_(part, 2);
  if (!status) status = convk_cl_transpose_run_(&chain, &job, ndat, at);
  return convk_cl_chain_end_(&chain, status, event);
}

/* ---- what sepconv/host.h leaves to a device: `at` has its buffers, and grids are packed there ---- */

CONVK_LOCAL_ int convk_sepconv_there_(convk_cl_host_ *host, const convk_grid3 *gi, const convk_grid3 *go,
                                      const convk_filter *filter, const int *boundary, const convk_sepconv_epilogue *e,
                                      const cl_mem *at) {
  convk_cl_sepconv_epilogue there;
  cl_mem work = NULL;
  int status;
  memset(&there, 0, sizeof there);
  if (e) {
    there.potential = at[CONVK_SEPCONV_AT_POTENTIAL_];
    there.density = at[CONVK_SEPCONV_AT_DENSITY_];
    there.dot = at[CONVK_SEPCONV_AT_DOT_];
    there.energy = at[CONVK_SEPCONV_AT_ENERGY_];
    there.density_factor = e->density_factor;
    there.update = e->update;
    there.a = e->a;
    there.b = e->b;
  }
  status = convk_cl_buffer_(host, CONVK_DEVICE_WORK_, convk_cl_sepconv3d_work_size(gi, filter, boundary, &there), &work);
  return status ? status
                : convk_cl_sepconv3d(&host->cl, host->queue, gi, go, filter, boundary, &there, at[CONVK_DEVICE_IN_], 0,
                                     at[CONVK_DEVICE_OUT_], 0, work, 0, NULL, NULL);
}

CONVK_LOCAL_ int convk_potential_there_(convk_cl_host_ *host, const convk_grid3 *orbital, const convk_grid3 *values,
                                        const int *boundary, const cl_mem *at, size_t need) {
  (void)need;
  return convk_cl_potential_apply(&host->cl, host->queue, orbital, values, boundary, at[CONVK_SEPCONV_AT_POTENTIAL_], 0,
                                  at[CONVK_DEVICE_IN_], 0, at[CONVK_DEVICE_OUT_], 0, at[CONVK_SEPCONV_AT_ENERGY_], 0,
                                  at[CONVK_DEVICE_WORK_], 0, NULL, NULL);
}

CONVK_LOCAL_ int convk_transpose_there_(convk_cl_host_ *host, size_t n, size_t ndat, const convk_filter *filter, int boundary,
                                        cl_mem in, cl_mem out) {
  return convk_cl_conv1d_transpose(&host->cl, host->queue, n, ndat, 0, 0, filter, boundary, in, 0, out, 0, 0, NULL, NULL);
}
#endif
