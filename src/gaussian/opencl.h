#if CONVK_HAS_GAUSSIAN_
/* OpenCL C 1.2.  Build options: GRIDPOT and so on choose the kernel; COMPENSATED, EXPONENTS: the options of gridpot; KINDS: 1,
   or 5 with derivatives; GIVEN: orbitals, or else functions; ITEMS and POINTS, the shape of a group, ROWS in the other
   direction; STAGE: columns of coefficients that its items share. */
CONVK_LOCAL_ const char *const *convk_cl_gaussian_source_(void) {
  static const char *const lines[] = {
#include "quoted/gaussian/kernel.cl"
      NULL};
  return lines;
}

/* Shapes of groups: choices that were not tuned. */
enum {
  CONVK_CL_GRIDPOT_POINTS_ = 512,  /* elements of a row, on processors: their loop becomes vectors */
  CONVK_CL_GRIDPOT_ROWS_ = 64,     /* rows of these */
  CONVK_CL_GRIDPOT_FEW_ = 32,      /* and on other devices */
  CONVK_CL_SUMS_POINTS_ = 64,       /* points of sums, on processors, whose sums stay in L1 */
  CONVK_CL_SUMS_ROWS_ = 64,         /* exponents in local memory at a time */
  CONVK_CL_ORBITALS_POINTS_ = 32,  /* points of orbitals, on processors */
  CONVK_CL_ORBITALS_COLUMNS_ = 64, /* columns of coefficients in local memory */
  CONVK_CL_GAUSSIAN_MANY_ = 16     /* with so many groups for each compute unit, an item takes two points instead of one */
};

enum { CONVK_CL_GRIDPOT_, CONVK_CL_ORBITALS_, CONVK_CL_ONGRID_ };

/* Rows of results for which a group of items looks for its tables once: at most 16, and so many that there are 2048 groups for
   `groups` places, if there are so many rows: some for each multiprocessor. */
CONVK_LOCAL_ size_t convk_cl_grids_lot_(size_t rows, size_t groups) {
  const size_t busy = 2048, most = 16;
  size_t lot = (rows > busy ? busy : rows) * convk_least_(groups, busy) / busy + 1;
  if (lot > most) lot = most;
  return convk_least_(lot, rows);
}

/* Kernels of grids, in their order; items of a group along x and in all, points and rows of an item, tables at a time. */
enum {
  CONVK_CL_GRIDS_TABLES_,
  CONVK_CL_GRIDS_MOST_,
  CONVK_CL_GRIDS_LISTS_,
  CONVK_CL_GRIDS_SUMS_,
  CONVK_CL_GRIDS_CELL_ /* of a general cell, whose rows are orbitals */
};
typedef struct convk_cl_grids_shape_ {
  size_t across, items, points, rows, queue;
} convk_cl_grids_shape_;

CONVK_LOCAL_ size_t convk_cl_sums_rows_(size_t n) { return n <= 1 ? 1 : n <= 2 ? 2 : n <= 4 ? 4 : 8; }

CONVK_LOCAL_ void convk_cl_put_points_(convk_cl_args_ *args, const convk_cl_points *points) {
  convk_cl_put_array_(args, &points->x);
  convk_cl_put_array_(args, &points->y);
  convk_cl_put_array_(args, &points->z);
  convk_cl_put_size_(args, points->stride ? points->stride : 1);
  convk_cl_put_size_(args, points->n);
}

/* A tuned shape of a group: items, and points of an item, up to `most` on processors, whose arrays they are. */
CONVK_LOCAL_ void convk_cl_gaussian_shape_(const convk_cl *cl, const long *choice, size_t most, size_t *items, size_t *points) {
  if (!cl->cpu) {
    *items = convk_tuned_power_(choice[CONVK_TUNE_GROUP_X], 32, 256, *items);
    while (*items > cl->group_items || *items > cl->group_x) *items /= 2;
  }
  *points = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], cl->cpu ? 8 : 1, cl->cpu ? most : 4, *points);
}

/* The program of the grid potential (sums 0) or of its sums; group: items, points of an item, rows. */
CONVK_LOCAL_ int convk_cl_gridpot_program_(convk_cl *cl, size_t element, size_t sums, int compensated, int exponents,
                                           size_t columns, const long *choice, convk_cl_program_ **p) {
  uint32_t values[7];
  uint64_t number;
  size_t group[3];
  char options[CONVK_CL_KEY_];
  int status;
  convk_cl_block_(cl, sums ? CONVK_CL_SUMS_POINTS_ : CONVK_CL_GRIDPOT_POINTS_, &group[0], &group[1]);
  if (sums && !cl->cpu && columns > group[0] * cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) group[1] = 2;
  group[2] = sums ? CONVK_CL_SUMS_ROWS_ : cl->cpu ? CONVK_CL_GRIDPOT_ROWS_ : CONVK_CL_GRIDPOT_FEW_;
  convk_cl_gaussian_shape_(cl, choice, sums ? 256 : 1024, &group[0], &group[1]);
  if (!sums) group[2] = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 128, group[2]);
  values[0] = (uint32_t)element;
  values[1] = (uint32_t)sums;
  values[2] = (uint32_t)compensated;
  values[3] = (uint32_t)exponents;
  values[4] = (uint32_t)group[0];
  values[5] = (uint32_t)group[1];
  values[6] = (uint32_t)group[2];
  number = convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_GRIDPOT_, values, 7);
  *p = convk_cl_known_(cl, number);
  if (*p) return CONVK_OK;
  do {
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DGRIDPOT%s -DCOMPENSATED=%d -DEXPONENTS=%d -DITEMS=%d -DPOINTS=%d -DROWS=%d -DSUMS=%d",
                   convk_cl_type_(element), element == sizeof(cl_double), sums ? "_SUM" : "", compensated, exponents,
                   (int)group[0], (int)group[1], (int)group[2], (int)(sums ? sums : 1));
    status = convk_cl_kernel_(cl, convk_cl_gaussian_source_(), sums ? "gridpot_sum" : "gridpot", options, NULL, p);
  } while (!status && convk_cl_fewer_(*p, &group[0]));
  if (!status) convk_cl_remember_(cl, number, *p, group, 3);
  return status;
}

/* That of orbitals: `rows` of them together, up to angular momentum most_l. */
CONVK_LOCAL_ int convk_cl_orbitals_program_(convk_cl *cl, size_t element, size_t kinds, int density, int given, size_t most_l,
                                            size_t rows, size_t n, const long *choice, convk_cl_program_ **p) {
  uint32_t values[8];
  uint64_t number;
  size_t group[2];
  char options[CONVK_CL_KEY_];
  int status;
  convk_cl_block_(cl, CONVK_CL_ORBITALS_POINTS_, &group[0], &group[1]);
  if (!cl->cpu && kinds == 1 && n > group[0] * cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) group[1] = 2;
  convk_cl_gaussian_shape_(cl, choice, 128, &group[0], &group[1]);
  if (group[0] > 1 && CONVK_CL_ORBITALS_COLUMNS_ * rows * element > cl->local_bytes) return convk_cl_little_(cl);
  values[0] = (uint32_t)element;
  values[1] = (uint32_t)kinds;
  values[2] = (uint32_t)density;
  values[3] = (uint32_t)given;
  values[4] = (uint32_t)most_l;
  values[5] = (uint32_t)group[0];
  values[6] = (uint32_t)group[1];
  values[7] = (uint32_t)rows;
  number = convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_ORBITALS_, values, 8);
  *p = convk_cl_known_(cl, number);
  if (*p) return CONVK_OK;
  do {
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DORBITALS -DCOMPENSATED=0 -DKINDS=%d -DDENSITY=%d -DGIVEN=%d -DMAX_L=%d -DITEMS=%d "
                   "-DPOINTS=%d -DROWS=%d -DSTAGE=%d",
                   convk_cl_type_(element), element == sizeof(cl_double), (int)kinds, density, given, (int)most_l,
                   (int)group[0], (int)group[1], (int)rows, (int)CONVK_CL_ORBITALS_COLUMNS_);
    status = convk_cl_kernel_(cl, convk_cl_gaussian_source_(), "orbitals", options, NULL, p);
  } while (!status && convk_cl_fewer_(*p, &group[0]));
  if (!status) convk_cl_remember_(cl, number, *p, group, 2);
  return status;
}

/* How a group of the sums makes a tile of so many points along x.  Processors have one item, whose loop along x becomes
   vectors; others 16 along x, so that two lines of them share what they read; few shapes, for each is a program. */
CONVK_LOCAL_ convk_cl_grids_shape_ convk_cl_grids_shape_of_(const convk_cl *cl, size_t width, int density) {
  convk_cl_grids_shape_ shape;
  const size_t most = density > 1 ? 3 : 6;
  size_t points;
  convk_cl_block_(cl, 1, &shape.items, &points);
  shape.across = shape.items < 16 ? shape.items : 16;
  points = (width + shape.across - 1) / shape.across;
  shape.points = cl->cpu ? density > 1 || points <= 8 ? 8 : 32 : points > most ? most : points < 2 ? 2 : points;
  shape.rows = density > 1 ? 2 : density ? 4 : cl->cpu ? 4 : 6;
  shape.queue = 16;
  return shape;
}

/* One of the kernels of grids.  kinds: of tables, 1 or 3, or 2 of Bloch sums; density: 2 with what derivatives give. */
CONVK_LOCAL_ int convk_cl_grids_program_(convk_cl *cl, size_t element, int which, size_t kinds, int density,
                                          convk_cl_grids_shape_ *shape, convk_cl_program_ **p) {
  static const char *const name[5] = {"ongrid_tables", "ongrid_most", "ongrid_lists", "ongrid", "oncell"};
  static const char *const define[5] = {"ONGRID_TABLES", "ONGRID_MOST", "ONGRID_LISTS", "ONGRID", "ONCELL"};
  const int sums = which == CONVK_CL_GRIDS_SUMS_, cell = which == CONVK_CL_GRIDS_CELL_;
  uint32_t values[9];
  uint64_t number;
  size_t group[4];
  char options[CONVK_CL_KEY_];
  int status;
  values[0] = (uint32_t)element;
  values[1] = (uint32_t)which;
  values[2] = (uint32_t)kinds;
  values[3] = (uint32_t)density;
  values[4] = (uint32_t)shape->across;
  values[5] = (uint32_t)shape->items;
  values[6] = (uint32_t)shape->points;
  values[7] = (uint32_t)shape->rows;
  values[8] = (uint32_t)shape->queue;
  number = convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_ONGRID_, values, 9);
  *p = convk_cl_known_(cl, number);
  if (*p) {
    shape->items = (*p)->choice[0];
    shape->across = (*p)->choice[1];
    return CONVK_OK;
  }
  do {
    if (shape->across > shape->items) shape->across = shape->items;
    if (cell && shape->items > 1 && shape->queue * (68 + 2 * element) > cl->local_bytes) return convk_cl_little_(cl);
    if (sums && shape->items > 1) { /* less local memory, or fewer items, for less of it */
      const size_t lines = shape->items / shape->across * shape->rows, width = shape->across * shape->points;
      if (shape->queue * ((lines + width + 1) * element + 128) > cl->local_bytes) return convk_cl_little_(cl);
    }
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DGRIDS -D%s -DCOMPENSATED=1 -DKINDS=%d -DDENSITY=%d -DITEMS=%d -DLX=%d -DLY=%d -DVX=%d "
                   "-D%s=%d -DQUEUE=%d -DMAX_L=%d",
                   convk_cl_type_(element), element == sizeof(cl_double), define[which], (int)kinds, density, (int)shape->items,
                   (int)shape->across, (int)(shape->items / shape->across), (int)shape->points, cell ? "WIDE" : "RY",
                   (int)shape->rows, (int)shape->queue, CONVK_SHELL_MAX_L);
    status = convk_cl_kernel_(cl, convk_cl_gaussian_source_(), name[which], options, NULL, p);
  } while (!status && which >= CONVK_CL_GRIDS_LISTS_ && convk_cl_fewer_(*p, &shape->items));
  group[0] = shape->items;
  group[1] = shape->across;
  if (!status) convk_cl_remember_(cl, number, *p, group, 2);
  return status;
}
#endif
