#if CONVK_HAS_STENCIL_
/* The program for a tile, whose items become fewer where the device cannot run so many. */
CONVK_LOCAL_ int convk_cl_stencil_program_(convk_cl *cl, int isotropic, convk_cl_stencil_group_ *tile, convk_cl_program_ **p) {
  size_t most = cl->group_items;
  char options[256];
  int status;
  do {
    while (tile->items_y > 1 && tile->items_x * tile->items_y > most) tile->items_y /= 2;
    while (tile->items_x > 1 && tile->items_x > most) tile->items_x /= 2;
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DISOTROPIC=%d -DDEPTH=%d -DITEMS_X=%d -DITEMS_Y=%d -DCOLUMNS=%d -DROWS=%d -DBUFFERS=%d",
                   convk_cl_type_(sizeof(CONVK_T)), sizeof(CONVK_T) == sizeof(cl_double), isotropic, (int)tile->depth,
                   (int)tile->items_x, (int)tile->items_y, (int)(tile->x / tile->items_x), (int)(tile->y / tile->items_y),
                   (int)tile->buffers);
    status = convk_cl_kernel_(cl, convk_cl_stencil_source_(), "stencil7", options, NULL, p);
    if (status) return status;
    most = (*p)->items;
  } while (tile->items_x * tile->items_y > most && tile->items_x * tile->items_y > 1);
  return CONVK_OK;
}

/* `depth` steps at once, from state[from] to the other. */
CONVK_LOCAL_ int convk_cl_stencil_pass_(convk_cl_chain_ *chain, const convk_stencil_job_ *job, const convk_cl_array state[2],
                                        size_t depth, size_t from) {
  const CONVK_T *c = &job->c.centre;
  size_t tiles_x, tiles_y, chunk = job->count[2], periodic = 0, d; /* periodic: an axis, a bit */
  convk_cl_program_ *p = NULL;
  convk_cl_stencil_group_ tile;
  convk_cl_args_ args;
  int status = convk_cl_stencil_tile_(chain->cl, sizeof(CONVK_T), depth, &tile);
  if (!status) status = convk_cl_stencil_program_(chain->cl, job->isotropic, &tile, &p);
  if (status) return status;
  tile.x -= 2 * (depth - 1);
  tile.y -= 2 * (depth - 1);
  tiles_x = convk_ceil_(job->count[0], tile.x);
  tiles_y = convk_ceil_(job->count[1], tile.y);
  while (chunk > 8 * depth && tiles_x * tiles_y * (job->count[2] / chunk) < 8 * chain->cl->compute_units) chunk -= chunk / 2;
  if (job->count[2] / chunk >= CONVK_CL_GROUPS_Y_) chunk = job->count[2] / CONVK_CL_GROUPS_Y_ + 1;
  args = convk_cl_args_of_(p);
  convk_cl_put_array_(&args, &state[from]);
  convk_cl_put_array_(&args, &state[1 - from]);
  for (d = 0; d < 7; d++) convk_cl_put_real_(&args, sizeof *c, (double)c[d]);
  convk_cl_put_grid_(&args, &job->grid);
  for (d = 0; d < 3; d++) periodic |= (size_t)(job->boundary[d] == CONVK_BOUNDARY_PERIODIC) << d;
  convk_cl_put_int_(&args, periodic);
  convk_cl_put_sizes_(&args, job->first, 3);
  for (d = 0; d < 3; d++) convk_cl_put_size_(&args, job->first[d] + job->count[d]);
  convk_cl_put_size_(&args, tiles_x);
  convk_cl_put_size_(&args, chunk);
  return convk_cl_launch_(chain, &args, tiles_x * tiles_y, tile.items_x, convk_ceil_(job->count[2], chunk), tile.items_y);
}

/* `steps` steps from state[0] to state[1] and back, up to `depth` of them in one pass (0: chosen here); one step alone may have
   any box.  On a processor two steps in one pass are worth 1.5 past the cache, three no more. */
CONVK_LOCAL_ int convk_cl_stencil_run_(convk_cl_chain_ *chain, const convk_stencil_job_ *job, const convk_cl_array state[2],
                                       size_t depth, size_t steps) {
  size_t passes, p;
  convk_cl_stencil_group_ tile;
  int status;
  if (!steps || !job->count[0] || !job->count[1] || !job->count[2]) return CONVK_OK;
  if (!depth) depth = !chain->cl->cpu && sizeof(CONVK_T) == sizeof(cl_float) ? 3 : 2;
  if (depth > CONVK_CL_STENCIL_DEPTH_) depth = CONVK_CL_STENCIL_DEPTH_;
  status = convk_cl_stencil_tile_(chain->cl, sizeof(CONVK_T), depth, &tile);
  passes = convk_stencil_passes_(steps, tile.depth);
  for (p = 0; p < passes && !status; p++)
    status = convk_cl_stencil_pass_(chain, job, state, convk_stencil_pass_(steps, passes, p), p % 2);
  return status;
}

/* A checked call on buffers: large enough, and apart. */
CONVK_LOCAL_ int convk_cl_stencil_buffers_(convk_cl *cl, cl_command_queue queue, const convk_stencil_job_ *checked,
                                           size_t steps, cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, cl_uint num_wait,
                                           const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const size_t span = convk_cl_span_(&checked->grid);
  const convk_cl_array state[2] = {{a, a_offset}, {b, b_offset}};
  convk_cl_part_ part[2];
  int status = convk_cl_precision_(cl, sizeof(CONVK_T), 0);
  if (!status) status = convk_cl_part_of_(cl, a, a_offset, span, sizeof(CONVK_T), 1, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, b, b_offset, span, sizeof(CONVK_T), 1, &part[1]);
  if (!status) status = convk_cl_apart_(part, 2);
  if (!status) status = convk_cl_stencil_run_(&chain, checked, state, cl->stencil_steps, steps);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int convk_cl_stencil7(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                 const convk_stencil7_coefficients *coefficients, const int boundary[3], size_t steps, cl_mem a,
                                 size_t a_offset, cl_mem b, size_t b_offset, cl_mem *result, cl_uint num_wait,
                                 const cl_event *wait_list, cl_event *event) {
  convk_stencil_job_ checked;
  convk_stencil7_shape shape;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !a || !b || !result || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status && (!grid || !boundary)) status = CONVK_ERR_NULL;
  if (!status) shape.grid = *grid;
  if (!status) memcpy(shape.boundary, boundary, sizeof shape.boundary);
  if (!status) status = convk_stencil7_check_(cl->message, &shape, coefficients, steps, &checked);
  if (!status)
    status = convk_cl_stencil_buffers_(cl, queue, &checked, steps, a, a_offset, b, b_offset, num_wait, wait_list, event);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_cl_stencil7_box(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                     const convk_stencil7_coefficients *coefficients, const int boundary[3],
                                     const size_t first[3], const size_t count[3], cl_mem a, size_t a_offset, cl_mem b,
                                     size_t b_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_stencil_job_ checked;
  convk_stencil7_shape shape;
  convk_box3 box;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !a || !b || !first || !count || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status && (!grid || !boundary)) status = CONVK_ERR_NULL;
  if (!status) shape.grid = *grid;
  if (!status) memcpy(shape.boundary, boundary, sizeof shape.boundary);
  if (!status) memcpy(box.first, first, sizeof box.first);
  if (!status) memcpy(box.count, count, sizeof box.count);
  if (!status) status = convk_stencil7_box_check_(cl->message, &shape, coefficients, &box, &checked);
  return status ? status
                : convk_cl_stencil_buffers_(cl, queue, &checked, 1, a, a_offset, b, b_offset, num_wait, wait_list, event);
}

/* For host arrays: the job's grid is that of the buffers. */
CONVK_LOCAL_ int convk_stencil_there_(convk_cl_host_ *host, const convk_stencil_job_ *job, size_t steps, cl_mem a, cl_mem b) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  const size_t depth = host->hw->tuning.stencil_steps ? host->hw->tuning.stencil_steps : host->cl.stencil_steps;
  const convk_cl_array state[2] = {{a, 0}, {b, 0}};
  return convk_cl_chain_end_(&chain, convk_cl_stencil_run_(&chain, job, state, depth, steps), NULL);
}
#endif
