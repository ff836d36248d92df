/* The program for a tile, whose items become fewer where the device cannot run so many. */
CONVK_LOCAL_ int convk_cl_stencil_program_(convk_cl *cl, int isotropic, convk_cl_stencil_group_ *tile, convk_cl_program_ **p) {
  const uint32_t v[9] = {
      sizeof(CONVK_T),         (uint32_t)isotropic,     (uint32_t)tile->depth,
      (uint32_t)tile->x,       (uint32_t)tile->y,       (uint32_t)tile->buffers,
      (uint32_t)tile->items_x, (uint32_t)tile->items_y, (uint32_t)(cl->group_items < 0x10000 ? cl->group_items : 0x10000)};
  const uint64_t number = convk_cl_number_(CONVK_CL_STENCIL_, v, 9);
  size_t limit = cl->group_items, items[2];
  char options[CONVK_CL_KEY_];
  int status;
  *p = convk_cl_known_(cl, number);
  if (*p) {
    tile->items_x = (*p)->choice[0];
    tile->items_y = (*p)->choice[1];
    return CONVK_OK;
  }
  do {
    while (tile->items_y > 1 && tile->items_x * tile->items_y > limit) tile->items_y /= 2;
    while (tile->items_x > 1 && tile->items_x > limit) tile->items_x /= 2;
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DISOTROPIC=%d -DDEPTH=%d -DITEMS_X=%d -DITEMS_Y=%d -DCOLUMNS=%d -DROWS=%d -DBUFFERS=%d",
                   convk_cl_type_(sizeof(CONVK_T)), sizeof(CONVK_T) == sizeof(cl_double), isotropic, (int)tile->depth,
                   (int)tile->items_x, (int)tile->items_y, (int)(tile->x / tile->items_x), (int)(tile->y / tile->items_y),
                   (int)tile->buffers);
    status = convk_cl_kernel_(cl, convk_cl_stencil_source_(), "stencil7", options, NULL, p);
    if (status) return status;
    limit = (*p)->items;
  } while (tile->items_x * tile->items_y > limit && tile->items_x * tile->items_y > 1);
  items[0] = tile->items_x;
  items[1] = tile->items_y;
  convk_cl_remember_(cl, number, *p, items, 2);
  return CONVK_OK;
}

/* `depth` steps at once, from state[from] to the other. */
CONVK_LOCAL_ int convk_cl_stencil_pass_(convk_cl_call_ *call, const convk_stencil_job_ *job,
                                        CONVK_ARGUMENTS_(stencil) * arguments, const convk_cl_array state[2], size_t depth,
                                        size_t from, const long *choice) {
  size_t tiles_x, tiles_y, chunk = job->count[2];
  convk_cl_program_ *p = NULL;
  convk_cl_stencil_group_ tile;
  convk_cl_args_ args;
  int status = convk_cl_stencil_tile_(call->cl, sizeof(CONVK_T), depth, choice, &tile);
  if (!status) status = convk_cl_stencil_program_(call->cl, job->isotropic, &tile, &p);
  if (status) return status;
  tile.x -= 2 * (depth - 1);
  tile.y -= 2 * (depth - 1);
  tiles_x = convk_ceil_(job->count[0], tile.x);
  tiles_y = convk_ceil_(job->count[1], tile.y);
  if (tiles_x > CONVK_CL_STENCIL_TILES_ / tiles_y)
    return convk_refuse_(call->message, CONVK_ERR_OVERFLOW, "shape->grid has more than 2^30 tiles in a plane");
  if (choice[CONVK_TUNE_CHUNK] && (size_t)choice[CONVK_TUNE_CHUNK] < chunk) chunk = (size_t)choice[CONVK_TUNE_CHUNK];
  while (!choice[CONVK_TUNE_CHUNK] && chunk > 8 * depth &&
         tiles_x * tiles_y * (job->count[2] / chunk) < 8 * call->cl->compute_units)
    chunk -= chunk / 2;
  if (job->count[2] / chunk >= CONVK_CL_GROUPS_Y_) chunk = job->count[2] / CONVK_CL_GROUPS_Y_ + 1;
  arguments->in_at = state[from].offset;
  arguments->out_at = state[1 - from].offset;
  arguments->tiles_x = (uint32_t)tiles_x;
  arguments->planes = (int64_t)chunk;
  args = convk_cl_args_of_(CONVK_OK, p);
  convk_cl_put_(&args, sizeof *arguments, arguments);
  convk_cl_put_mem_(&args, state[from].mem);
  convk_cl_put_mem_(&args, state[1 - from].mem);
  return convk_cl_launch_(call, &args, tiles_x * tiles_y, tile.items_x, convk_ceil_(job->count[2], chunk), tile.items_y);
}

/* On a processor two steps in one pass are worth 1.5 past the cache, three no more. */
CONVK_LOCAL_ int convk_stencil_launch_(convk_cl_call_ *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       convk_cl_array a, convk_cl_array b) {
  const convk_cl_array state[2] = {a, b};
  CONVK_ARGUMENTS_(stencil) arguments;
  convk_cl_stencil_group_ tile;
  size_t passes, p;
  long choice[CONVK_TUNE_COUNT];
  int status;
  if (!steps || !job->count[0] || !job->count[1] || !job->count[2]) return CONVK_OK;
  convk_stencil_choice_(call->hw, job, call->planes, steps, choice);
  if (!together) together = call->cl->stencil_steps;
  if (!together) together = (size_t)choice[CONVK_TUNE_STEPS];
  if (!together) together = !call->cl->cpu && sizeof(CONVK_T) == sizeof(cl_float) ? 3 : 2;
  if (together > CONVK_CL_STENCIL_DEPTH_) together = CONVK_CL_STENCIL_DEPTH_;
  status = convk_cl_stencil_tile_(call->cl, sizeof(CONVK_T), together, choice, &tile);
  memset(&arguments, 0, sizeof arguments);
  convk_stencil_arguments_of_(job, &arguments);
  passes = convk_stencil_passes_(steps, tile.depth);
  for (p = 0; p < passes && !status; p++)
    status = convk_cl_stencil_pass_(call, job, &arguments, state, convk_stencil_pass_(steps, passes, p), p % 2, choice);
  return status;
}

/* Starts a copy of a box, of one point at least.  `arguments` are for one start: offsets of the arrays are added to them. */
CONVK_LOCAL_ int convk_box_launch_(convk_cl_call_ *call, CONVK_ARGUMENTS_(box) * arguments, convk_cl_array in,
                                   convk_cl_array out) {
  const uint32_t element = sizeof(CONVK_T);
  const uint64_t number = convk_cl_number_(CONVK_CL_STENCIL_ + 1, &element, 1);
  convk_cl_args_ args = convk_cl_program_of_(call->cl, number, convk_cl_box_source_(), "box_copy", "-DT=%s -DF64=%d",
                                             convk_cl_type_(element), element == sizeof(cl_double));
  arguments->in_at += in.offset;
  arguments->out_at += out.offset;
  if (call->cl->cpu) arguments->each = CONVK_CL_BOX_EACH_;
  convk_cl_put_(&args, sizeof *arguments, arguments);
  convk_cl_put_mem_(&args, in.mem);
  convk_cl_put_mem_(&args, out.mem);
  return convk_cl_launch_row_(call, &args, (size_t)((arguments->points - 1) / arguments->each + 1),
                              call->cl->cpu ? 1 : CONVK_CL_BOX_ITEMS_);
}
