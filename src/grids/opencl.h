/* OpenCL C 1.2.  Build options: GRIDS_SUMS and so on choose the kernel; see convk_cl_grids_program_. */
CONVK_LOCAL_ const char *const *convk_cl_grids_source_(void) {
  static const char *const lines[] = {
#include "quoted/grids/kernel.cl"
      NULL};
  return lines;
}

/* Rows of results for which a group of items looks for its tables once: at most 16, and so many that there are 2048 groups for
   `groups` places, if there are so many rows: some for each multiprocessor. */
CONVK_LOCAL_ size_t convk_cl_grids_lot_(size_t rows, size_t groups) {
  const size_t busy = 2048, limit = 16;
  size_t lot = (rows > busy ? busy : rows) * convk_least_(groups, busy) / busy + 1;
  if (lot > limit) lot = limit;
  return convk_least_(lot, rows);
}

/* Kernels sum along z themselves. */
CONVK_LOCAL_ size_t convk_cl_grids_room_of_(size_t plane_bytes, size_t planes) {
  (void)plane_bytes;
  (void)planes;
  return 0;
}

/* Kernels of grids, in their order; items of a group along x and in all, points and rows of an item, tables at a time. */
enum {
  CONVK_CL_GRIDS_TABLES_,
  CONVK_CL_GRIDS_MAXIMA_,
  CONVK_CL_GRIDS_LISTS_,
  CONVK_CL_GRIDS_SUMS_,
  CONVK_CL_GRIDS_CELL_ /* of a general cell, whose rows are orbitals */
};
typedef struct convk_cl_grids_shape_ {
  size_t across, items, points, rows, queue;
} convk_cl_grids_shape_;

/* How a group of the sums makes a tile of so many points along x.  Processors have one item, whose loop along x becomes
   vectors; others 16 along x, so that two lines of them share what they read; few shapes, for each is a program. */
CONVK_LOCAL_ convk_cl_grids_shape_ convk_cl_grids_shape_of_(const convk_cl *cl, size_t width, int density) {
  convk_cl_grids_shape_ shape;
  const size_t limit = density > 1 ? 3 : 6;
  size_t points;
  convk_cl_block_(cl, 1, &shape.items, &points);
  shape.across = shape.items < 16 ? shape.items : 16;
  points = (width + shape.across - 1) / shape.across;
  shape.points = cl->cpu ? density > 1 || points <= 8 ? 8 : 32 : points > limit ? limit : points < 2 ? 2 : points;
  shape.rows = density > 1 ? 2 : density ? 4 : cl->cpu ? 4 : 6;
  shape.queue = 16;
  return shape;
}

/* One of the kernels of grids.  kinds: of tables, 1 or 3, or 2 of Bloch sums; density: 2 with what derivatives give. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_grids_program_(convk_cl *cl, size_t element, int which, size_t kinds, int density,
                                                    convk_cl_grids_shape_ *shape) {
  static const char *const name[5] = {"grids_tables", "grids_maxima", "grids_lists", "grids_sums", "grids_cell"};
  static const char *const define[5] = {"GRIDS_TABLES", "GRIDS_MAXIMA", "GRIDS_LISTS", "GRIDS_SUMS", "GRIDS_CELL"};
  const int sums = which == CONVK_CL_GRIDS_SUMS_, cell = which == CONVK_CL_GRIDS_CELL_;
  convk_cl_program_ *p;
  const uint32_t values[9] = {(uint32_t)element,       (uint32_t)which,         (uint32_t)kinds,
                              (uint32_t)density,       (uint32_t)shape->across, (uint32_t)shape->items,
                              (uint32_t)shape->points, (uint32_t)shape->rows,   (uint32_t)shape->queue};
  const uint64_t number = convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_GRIDS_, values, 9);
  size_t group[2];
  char options[CONVK_CL_KEY_];
  int status;
  p = convk_cl_known_(cl, number);
  if (p) {
    shape->items = p->choice[0];
    shape->across = p->choice[1];
    return convk_cl_args_of_(CONVK_OK, p);
  }
  do {
    if (shape->across > shape->items) shape->across = shape->items;
    if (cell && shape->items > 1 && shape->queue * (68 + 2 * element) > cl->local_bytes)
      return convk_cl_args_of_(convk_cl_little_(cl), p);
    if (sums && shape->items > 1) { /* less local memory, or fewer items, for less of it */
      const size_t lines = shape->items / shape->across * shape->rows, width = shape->across * shape->points;
      if (shape->queue * ((lines + width + 1) * element + 128) > cl->local_bytes)
        return convk_cl_args_of_(convk_cl_little_(cl), p);
    }
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -D%s -DCOMPENSATED=1 -DKINDS=%d -DDENSITY=%d -DITEMS=%d -DLX=%d -DLY=%d -DVX=%d "
                   "-D%s=%d -DQUEUE=%d -DMAX_L=%d",
                   convk_cl_type_(element), element == sizeof(cl_double), define[which], (int)kinds, density, (int)shape->items,
                   (int)shape->across, (int)(shape->items / shape->across), (int)shape->points, cell ? "WIDE" : "RY",
                   (int)shape->rows, (int)shape->queue, CONVK_SHELL_MAX_L);
    status = convk_cl_kernel_(cl, convk_cl_grids_source_(), name[which], options, NULL, &p);
  } while (!status && which >= CONVK_CL_GRIDS_LISTS_ && convk_cl_fewer_(p, &shape->items));
  group[0] = shape->items;
  group[1] = shape->across;
  if (!status) convk_cl_remember_(cl, number, p, group, 2);
  return convk_cl_args_of_(status, p);
}
