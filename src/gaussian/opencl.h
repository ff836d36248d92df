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
  CONVK_CL_GRIDPOT_GPU_ROWS_ = 32, /* and on other devices */
  CONVK_CL_SUMS_POINTS_ = 64,      /* points of sums, on processors, whose sums stay in L1 */
  CONVK_CL_SUMS_ROWS_ = 64,        /* exponents in local memory at a time */
  CONVK_CL_ORBITALS_POINTS_ = 32,  /* points of orbitals, on processors */
  CONVK_CL_ORBITALS_COLUMNS_ = 64, /* columns of coefficients in local memory */
  CONVK_CL_GAUSSIAN_MANY_ = 16     /* with so many groups for each compute unit, an item takes two points instead of one */
};

enum { CONVK_CL_GRIDPOT_, CONVK_CL_ORBITALS_, CONVK_CL_GRIDS_ /* of grids */ };

CONVK_LOCAL_ size_t convk_cl_sums_rows_(size_t n) { return n <= 1 ? 1 : n <= 2 ? 2 : n <= 4 ? 4 : 8; }

CONVK_LOCAL_ void convk_cl_put_points_(convk_cl_args_ *args, const convk_cl_points *points) {
  convk_cl_put_array_(args, &points->x);
  convk_cl_put_array_(args, &points->y);
  convk_cl_put_array_(args, &points->z);
  convk_cl_put_size_(args, points->stride ? points->stride : 1);
  convk_cl_put_size_(args, points->n);
}

/* A tuned shape of a group: items, and points of an item, up to `limit` on processors, whose arrays they are. */
CONVK_LOCAL_ void convk_cl_gaussian_shape_(const convk_cl *cl, const long *choice, size_t limit, size_t *items,
                                           size_t *points) {
  if (!cl->cpu) {
    *items = convk_tuned_power_(choice[CONVK_TUNE_GROUP_X], 32, 256, *items);
    while (*items > cl->group_items || *items > cl->group_x) *items /= 2;
  }
  *points = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], cl->cpu ? 8 : 1, cl->cpu ? limit : 4, *points);
}

/* The grid potential (sums 0) or its sums; group: items, points of an item, rows. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_gridpot_program_(convk_cl *cl, size_t element, size_t sums, int compensated, int exponents,
                                                      size_t columns, const long *choice) {
  uint32_t values[7] = {(uint32_t)element, (uint32_t)sums, (uint32_t)compensated, (uint32_t)exponents, 0, 0, 0};
  size_t group[3], i;
  convk_cl_block_(cl, sums ? CONVK_CL_SUMS_POINTS_ : CONVK_CL_GRIDPOT_POINTS_, &group[0], &group[1]);
  if (sums && !cl->cpu && columns > group[0] * cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) group[1] = 2;
  group[2] = sums ? CONVK_CL_SUMS_ROWS_ : cl->cpu ? CONVK_CL_GRIDPOT_ROWS_ : CONVK_CL_GRIDPOT_GPU_ROWS_;
  convk_cl_gaussian_shape_(cl, choice, sums ? 256 : 1024, &group[0], &group[1]);
  if (!sums) group[2] = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 128, group[2]);
  for (i = 0; i < 3; i++) values[4 + i] = (uint32_t)group[i];
  return convk_cl_program_in_groups_(
      cl, convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_GRIDPOT_, values, 7), convk_cl_gaussian_source_(),
      sums ? "gridpot_sum" : "gridpot", group, 3,
      "-DT=%s -DF64=%d -DGRIDPOT%s -DCOMPENSATED=%d -DEXPONENTS=%d -DPOINTS=%d -DROWS=%d -DSUMS=%d", convk_cl_type_(element),
      element == sizeof(cl_double), sums ? "_SUM" : "", compensated, exponents, (int)group[1], (int)group[2],
      (int)(sums ? sums : 1));
}

/* Orbitals: `rows` of them together, up to angular momentum max_l. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_orbitals_program_(convk_cl *cl, size_t element, size_t kinds, int density, int combined,
                                                       size_t max_l, size_t rows, size_t n, const long *choice) {
  uint32_t values[8] = {(uint32_t)element, (uint32_t)kinds, (uint32_t)density, (uint32_t)combined, (uint32_t)max_l, 0, 0,
                        (uint32_t)rows};
  size_t group[2], i;
  convk_cl_block_(cl, CONVK_CL_ORBITALS_POINTS_, &group[0], &group[1]);
  if (!cl->cpu && kinds == 1 && n > group[0] * cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) group[1] = 2;
  convk_cl_gaussian_shape_(cl, choice, 128, &group[0], &group[1]);
  if (group[0] > 1 && CONVK_CL_ORBITALS_COLUMNS_ * rows * element > cl->local_bytes)
    return convk_cl_args_of_(convk_cl_little_(cl), NULL);
  for (i = 0; i < 2; i++) values[5 + i] = (uint32_t)group[i];
  return convk_cl_program_in_groups_(cl, convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_ORBITALS_, values, 8),
                                     convk_cl_gaussian_source_(), "orbitals", group, 2,
                                     "-DT=%s -DF64=%d -DORBITALS -DCOMPENSATED=0 -DKINDS=%d -DDENSITY=%d -DGIVEN=%d -DMAX_L=%d "
                                     "-DPOINTS=%d -DROWS=%d -DSTAGE=%d",
                                     convk_cl_type_(element), element == sizeof(cl_double), (int)kinds, density, combined,
                                     (int)max_l, (int)group[1], (int)rows, (int)CONVK_CL_ORBITALS_COLUMNS_);
}
