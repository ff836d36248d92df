
/* OpenCL C 1.2.  Build options: ISOTROPIC, DEPTH, the work-group's shape (ITEMS_X, ITEMS_Y), the points of a work-item (COLUMNS,
   ROWS), and BUFFERS, the sets of planes in local memory: with 2 a plane in z needs one barrier, with 1 two.  `periodic` has a
   bit for each axis; end_x and so on are where the results end. */
CONVK_LOCAL_ const char *const *convk_cl_stencil_source_(size_t *count) {
  static const char *const lines[] = {
#include "quoted/stencil/kernel.cl"
  };
  *count = sizeof lines / sizeof *lines;
  return lines;
}

enum { CONVK_CL_STENCIL_DEPTH_ = 4 }; /* most steps in one pass over memory */

/* One checked call: from state[0] to state[1]. */
typedef struct convk_cl_stencil_ {
  size_t element, depth; /* most steps in one pass, 0: chosen here */
  double c[7];
  int isotropic, periodic; /* an axis, a bit */
  convk_grid3 grid;
  size_t first[3], count[3];
  convk_cl_array state[2];
} convk_cl_stencil_;

/* The tile of a work-group, and its items; powers of two. */
typedef struct convk_cl_stencil_group_ {
  size_t depth, x, y, items_x, items_y, buffers;
} convk_cl_stencil_group_;

/* The tile for at most `depth` steps that local memory holds.  On processors a work-item is a whole tile: its rows become
   vectors, and barriers cost nothing. */
CONVK_LOCAL_ int convk_cl_stencil_tile_(convk_cl *cl, size_t element, size_t depth, convk_cl_stencil_group_ *tile) {
  const size_t least = depth > 1 ? 4 * depth : 1;
  tile->depth = depth;
  tile->x = cl->cpu ? 64 : 32;
  tile->y = cl->cpu ? 16 : 32;
  tile->buffers = cl->cpu ? 1 : 2;
  while (tile->buffers * depth * (tile->x + 2) * (tile->y + 2) * element > cl->local_bytes) {
    if (tile->buffers > 1) tile->buffers = 1;
    else if (tile->y >= tile->x && tile->y >= 2 * least) tile->y /= 2;
    else if (tile->x >= 2 * least) tile->x /= 2;
    else if (depth > 1) return convk_cl_stencil_tile_(cl, element, depth - 1, tile);
    else return convk_cl_little_(cl);
  }
  tile->items_x = cl->cpu ? 1 : tile->x;
  tile->items_y = cl->cpu ? 1 : tile->y < 8 ? tile->y : 8;
  while (tile->items_x > cl->group_x && tile->items_x > 1) tile->items_x /= 2;
  while (tile->items_y > cl->group_y && tile->items_y > 1) tile->items_y /= 2;
  return CONVK_OK;
}

/* The program for a tile, whose items become fewer where the device cannot run so many. */
CONVK_LOCAL_ int convk_cl_stencil_program_(convk_cl *cl, const convk_cl_stencil_ *job, convk_cl_stencil_group_ *tile,
                                         convk_cl_program_ **p) {
  size_t lines, most = cl->group_items;
  const char *const *source = convk_cl_stencil_source_(&lines);
  char options[256];
  int status;
  do {
    while (tile->items_y > 1 && tile->items_x * tile->items_y > most) tile->items_y /= 2;
    while (tile->items_x > 1 && tile->items_x > most) tile->items_x /= 2;
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DISOTROPIC=%d -DDEPTH=%d -DITEMS_X=%d -DITEMS_Y=%d -DCOLUMNS=%d -DROWS=%d -DBUFFERS=%d",
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), job->isotropic, (int)tile->depth,
                   (int)tile->items_x, (int)tile->items_y, (int)(tile->x / tile->items_x), (int)(tile->y / tile->items_y),
                   (int)tile->buffers);
    status = convk_cl_kernel_(cl, source, lines, "stencil7", options, NULL, p);
    if (status) return status;
    most = (*p)->items;
  } while (tile->items_x * tile->items_y > most && tile->items_x * tile->items_y > 1);
  return CONVK_OK;
}

/* `depth` steps at once, from state[from] to the other. */
CONVK_LOCAL_ int convk_cl_stencil_pass_(convk_cl_chain_ *chain, const convk_cl_stencil_ *job, size_t depth, size_t from) {
  const size_t most = 32768; /* of work-groups along an axis, for any device */
  size_t tiles_x, tiles_y, chunk = job->count[2], local[2], global[2], d;
  convk_cl_program_ *p = NULL;
  convk_cl_stencil_group_ tile;
  convk_cl_args_ args;
  int status = convk_cl_stencil_tile_(chain->cl, job->element, depth, &tile);
  if (!status) status = convk_cl_stencil_program_(chain->cl, job, &tile, &p);
  if (status) return status;
  tile.x -= 2 * (depth - 1);
  tile.y -= 2 * (depth - 1);
  tiles_x = convk_ceil_(job->count[0], tile.x);
  tiles_y = convk_ceil_(job->count[1], tile.y);
  while (chunk > 8 * depth && tiles_x * tiles_y * (job->count[2] / chunk) < 8 * chain->cl->compute_units) chunk -= chunk / 2;
  if (job->count[2] / chunk >= most) chunk = job->count[2] / most + 1;
  local[0] = tile.items_x;
  local[1] = tile.items_y;
  global[0] = tiles_x * tiles_y * local[0];
  global[1] = convk_ceil_(job->count[2], chunk) * local[1];
  args = convk_cl_args_of_(p);
  convk_cl_put_array_(&args, &job->state[from]);
  convk_cl_put_array_(&args, &job->state[1 - from]);
  for (d = 0; d < 7; d++) convk_cl_put_real_(&args, job->element, job->c[d]);
  convk_cl_put_grid_(&args, &job->grid);
  convk_cl_put_int_(&args, (size_t)job->periodic);
  convk_cl_put_sizes_(&args, job->first, 3);
  for (d = 0; d < 3; d++) convk_cl_put_size_(&args, job->first[d] + job->count[d]);
  convk_cl_put_size_(&args, tiles_x);
  convk_cl_put_size_(&args, chunk);
  return convk_cl_launch_(chain, &args, global, local);
}

CONVK_LOCAL_ int convk_cl_stencil_empty_(const convk_cl_stencil_ *job, size_t steps) {
  return !steps || !job->count[0] || !job->count[1] || !job->count[2];
}

/* `steps` steps; one step alone may have any box.  On a processor two steps in one pass are worth 1.5 past the cache, three no
   more. */
CONVK_LOCAL_ int convk_cl_stencil_run_(convk_cl_chain_ *chain, const convk_cl_stencil_ *job, size_t steps) {
  size_t depth = job->depth ? job->depth : !chain->cl->cpu && job->element == sizeof(cl_float) ? 3 : 2, passes, p;
  convk_cl_stencil_group_ tile;
  int status;
  if (convk_cl_stencil_empty_(job, steps)) return CONVK_OK;
  if (depth > CONVK_CL_STENCIL_DEPTH_) depth = CONVK_CL_STENCIL_DEPTH_;
  status = convk_cl_stencil_tile_(chain->cl, job->element, depth, &tile);
  passes = convk_stencil_passes_(steps, tile.depth);
  for (p = 0; p < passes && !status; p++)
    status = convk_cl_stencil_pass_(chain, job, convk_stencil_pass_(steps, passes, p), p % 2);
  return status;
}
