/* ---- grids ---- */

/* What the host has made goes to the beginning of work memory, by way of a buffer of its own: nothing of the host is needed any
   more. */
CONVK_LOCAL_ int convk_grids_send_(convk_cl_call_ *call, convk_cl_array work, const void *data, size_t bytes) {
  cl_int error = CL_SUCCESS;
  cl_event next = NULL;
  cl_mem buffer =
      clCreateBuffer(call->cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)(uintptr_t)data, &error);
  if (error) return convk_cl_status_(call->cl, "clCreateBuffer", error);
  error = clEnqueueCopyBuffer(call->queue, buffer, work.mem, 0, work.offset, bytes, call->last ? 1 : call->num_wait,
                              call->last ? &call->last : call->wait, &next);
  (void)clReleaseMemObject(buffer);
  if (error) return convk_cl_status_(call->cl, "clEnqueueCopyBuffer", error);
  if (call->last) (void)clReleaseEvent(call->last);
  call->last = next;
  return CONVK_OK;
}

/* One of the kernels that make tables: `lines` of `count` items, or of groups of them. */
CONVK_LOCAL_ int convk_grids_make_(convk_cl_call_ *call, const CONVK_ARGUMENTS_(grids) * a, int which, cl_mem work,
                                   size_t count, size_t lines) {
  convk_cl_grids_shape_ shape = {1, 64, 1, 1, 1};
  convk_cl_args_ args;
  size_t local[2];
  if (call->cl->cpu && which == CONVK_CL_GRIDS_LISTS_) shape.items = 1;
  while (shape.items > call->cl->group_items || shape.items > call->cl->group_x) shape.items /= 2;
  args = convk_cl_grids_program_(call->cl, sizeof(CONVK_T), which, a->wave ? 2 : a->kinds > 1 ? 3 : 1, 0, &shape);
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, work);
  if (which == CONVK_CL_GRIDS_LISTS_) return convk_cl_launch_lines_(call, &args, count, shape.items, lines);
  convk_cl_group_(call->cl, args.p, 64, 1, local);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(count, local[0]), local[0], lines);
}

/* Of a general cell there are no tables. */
CONVK_LOCAL_ int convk_cells_start_(convk_cl_call_ *call, CONVK_ARGUMENTS_(grids) * a, int density, cl_mem work,
                                    const convk_cl_array *out) {
  convk_cl_grids_shape_ shape = {16, 128, 1, 1, 128};
  convk_cl_args_ args;
  size_t k, blocks;
  if (call->cl->cpu) shape.items = 1, shape.points = 8, shape.queue = 16;
  while (shape.items > call->cl->group_items || shape.items > call->cl->group_x) shape.items /= 2;
  while (shape.queue > 16 && shape.queue * (68 + 2 * sizeof(CONVK_T)) > call->cl->local_bytes) shape.queue /= 2;
  if (shape.across > shape.items) shape.across = shape.items;
  shape.rows = a->wide;
  args = convk_cl_grids_program_(call->cl, sizeof(CONVK_T), CONVK_CL_GRIDS_CELL_, a->kinds, density != 0, &shape);
  a->strips_x = convk_ceil_((size_t)a->n[0], shape.across * shape.points);
  a->strips_y = convk_ceil_((size_t)a->n[1], shape.items / shape.across);
  blocks = density ? 1 : convk_ceil_((size_t)a->norbitals, a->wide);
  for (k = 0; k < 5; k++) a->out[k] = out[k].mem ? out[k].offset : 0;
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, work);
  for (k = 0; k < 5; k++) convk_cl_put_mem_(&args, out[k].mem ? out[k].mem : work); /* what is not there is not used */
  return convk_cl_launch_lines_(call, &args, (size_t)a->strips_x * blocks, shape.items, (size_t)(a->strips_y * a->planes));
}

/* Makes tables, where `points` is not 0 but the most points of any, and then results; given->kinds: of tables; lot: most rows
   of results that go together; density: 2 with what derivatives give. */
CONVK_LOCAL_ int convk_grids_start_(convk_cl_call_ *call, const CONVK_ARGUMENTS_(grids) * arguments, size_t points, size_t lot,
                                    int density, convk_cl_array work, const convk_cl_array *out) {
  CONVK_ARGUMENTS_(grids) a = *arguments;
  convk_cl_grids_shape_ shape = convk_cl_grids_shape_of_(call->cl, (size_t)a.tile[0], density);
  const size_t tiles_y = (size_t)(a.tiles[1] * a.tiles[2]), kinds = a.kinds == 1 || density ? 1 : a.wave ? 2 : 5;
  convk_cl_args_ args;
  size_t parts = 1, k;
  int status = CONVK_OK;
  (void)lot;
  a.axes += work.offset;
  a.tables += work.offset;
  a.lots += work.offset;
  a.terms += work.offset;
  a.weights += work.offset;
  a.values += work.offset;
  a.lists += work.offset;
  a.counts += work.offset;
  a.cell += work.offset;
  a.used += work.offset;
  if (a.wide) return convk_cells_start_(call, &a, density, work.mem, out);
  if (points && a.groups) {
    status = convk_grids_make_(call, &a, CONVK_CL_GRIDS_TABLES_, work.mem, points, 3 * (size_t)a.groups);
    k = (size_t)(a.tiles[0] > a.tiles[1] ? a.tiles[0] : a.tiles[1]);
    if (k < a.tiles[2]) k = (size_t)a.tiles[2];
    if (!status) status = convk_grids_make_(call, &a, CONVK_CL_GRIDS_MAXIMA_, work.mem, k, 3 * (size_t)a.groups);
  }
  if (!status && points && a.listed)
    status = convk_grids_make_(call, &a, CONVK_CL_GRIDS_LISTS_, work.mem, (size_t)a.tiles[0], tiles_y);
  if (status) return status;
  args = convk_cl_grids_program_(call->cl, sizeof(CONVK_T), CONVK_CL_GRIDS_SUMS_, a.wave ? 2 : 1, density, &shape);
  if (density) parts = convk_ceil_((size_t)a.tile[1], shape.items / shape.across * shape.rows);
  a.strips_x = a.tiles[0] * convk_ceil_((size_t)a.tile[0], shape.across * shape.points);
  a.rows_y = convk_ceil_((size_t)a.tile[1], parts);
  a.strips_y = a.tiles[1] * parts;
  a.kinds = (uint32_t)kinds;
  for (k = 0; k < 5; k++) a.out[k] = out[k].mem ? out[k].offset : 0;
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_mem_(&args, work.mem);
  for (k = 0; k < 5; k++) convk_cl_put_mem_(&args, out[k].mem ? out[k].mem : work.mem); /* what is not there is not used */
  return convk_cl_launch_lines_(call, &args, (size_t)(a.strips_x * kinds * a.nlots), shape.items,
                                (size_t)(a.strips_y * a.planes));
}
