/* ---- grids among threads ---- */

/* Cuts a box of `count` points into parts along y and z, at most `threads` in all, so that the largest part is small; asked: 0,
   or how many lie side by side along y.  more: planes or rows that a part has in common with the next. */
CONVK_RARE_ void convk_grid_parts_(size_t threads, size_t asked, const size_t count[3], size_t more, size_t *parts_y,
                                   size_t *parts_z) {
  size_t y, best = (size_t)-1;
  *parts_y = *parts_z = 1;
  if (threads <= 1) return;
  if (asked > threads) asked = threads;
  if (asked > count[1]) asked = count[1];
  for (y = 1; y <= threads && y <= count[1]; y++) {
    size_t z = threads / y, planes, rows;
    if (z > count[2]) z = count[2];
    planes = convk_ceil_(count[2], z) + (z > 1 ? more : 0);
    rows = convk_ceil_(count[1], y) + (y > 1 ? more : 0);
    if (asked ? y == asked : planes * rows < best) {
      best = planes * rows;
      *parts_y = y;
      *parts_z = z;
    }
  }
}

/* Where part i begins if n things are cut into parts whose sizes differ by at most one. */
CONVK_LOCAL_ size_t convk_part_(size_t n, size_t i, size_t parts) { return n / parts * i + (i < n % parts ? i : n % parts); }

#if CONVK_CORE_
typedef struct convk_touch_ {
  convk_grid3 grid;
  size_t element, parts_y, parts_z;
  char *array;
} convk_touch_;

CONVK_LOCAL_ void convk_touch_task_(void *arg, size_t index) {
  const convk_touch_ *job = (const convk_touch_ *)arg;
  const size_t iz = index / job->parts_y, iy = index % job->parts_y, end = convk_part_(job->grid.nz, iz + 1, job->parts_z);
  size_t y, z;
  for (z = convk_part_(job->grid.nz, iz, job->parts_z); z < end; z++)
    for (y = convk_part_(job->grid.ny, iy, job->parts_y); y < convk_part_(job->grid.ny, iy + 1, job->parts_y); y++)
      memset(job->array + (z * job->grid.pitch_z + y * job->grid.pitch_y) * job->element, 0, job->grid.nx * job->element);
}

CONVK_API_ int convk_first_touch(convk *hw, const convk_grid3 *grid, size_t element, void *array) {
  convk_touch_ job;
  size_t span, count[3];
  int status = convk_begin_call_(hw);
  if (status) return status;
  memset(&job, 0, sizeof job);
  if (!element) return convk_refuse_(hw->message, CONVK_ERR_SIZE, "element is 0");
  status = convk_grid_check_(hw->message, "grid", grid, element, &job.grid, &span);
  if (status) return status;
  if (!array) return convk_refuse_(hw->message, CONVK_ERR_NULL, "array is NULL");
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  convk_grid_parts_(convk_threads_(hw), hw->tuning.stencil_threads_y, count, 0, &job.parts_y, &job.parts_z);
  job.element = element;
  job.array = (char *)array;
  return convk_run_tasks_(hw, job.parts_y * job.parts_z, convk_touch_task_, &job);
}
#endif
