/* SPDX-License-Identifier: MIT
   Tests of Gaussians on grids of any three steps.  Included by test_gaussian.c, after those of axes along x, y and z. */

enum { CELL_TRICLINIC, CELL_HEXAGONAL, CELL_ROTATED, CELL_PERMUTED, CELL_MONOCLINIC, CELL_FLAT, CELL_FACES, CELL_SHEAR, CELLS };
static const char *const cell_names[CELLS] = {"triclinic",  "hexagonal", "rotated",       "permuted",
                                              "monoclinic", "flat",      "face-centered", "a normal to b and c"};

/* Processors alone take such cells, and points k. */
static int cell_offers_f32(convk *hw, int operation) { return ongrid_offers_f32(hw, operation) && !hw->ours.inside.device; }
static int cell_offers_f64(convk *hw, int operation) { return ongrid_offers_f64(hw, operation) && !hw->ours.inside.device; }

/* Steps of a cell, of lengths of about `size` each, some negative; left: of the other handedness. */
static void cell_steps(convk_gaussian_box *box, int cell, const double size[3], int left, uint64_t *rng) {
  static const double directions[CELLS][3][3] = {{{0.9, 0.2, -0.1}, {0.3, 1, 0.2}, {-0.2, 0.25, 0.95}},
                                                 {{1, 0, 0}, {-0.5, 0.86602540378443865, 0}, {0, 0, 1}},
                                                 {{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}},
                                                 {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                                 {{1, 0, 0}, {0, 1, 0}, {0.3, 0, 0.9}},
                                                 {{1, 0, 0}, {0.9, 0.1, 0}, {0, 0.5, 0.5}},
                                                 {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}},
                                                 {{1, 0, 0}, {0, 1, 0}, {0, 0.4, 0.8}}};
  const double angle = cell == CELL_ROTATED ? 3 * random_unit(rng) : 0, c = cos(angle), s = sin(angle);
  int d, k;
  for (d = 0; d < 3; d++) {
    double *const step = ongrid_step(box, d);
    const double sign = random_below(rng, 4) ? 1 : -1;
    for (k = 0; k < 3; k++) step[k] = sign * size[d] * directions[cell][d][k];
    if (angle != 0) { /* about z, then about x */
      const double x = c * step[0] - s * step[1], y = s * step[0] + c * step[1];
      step[0] = x;
      step[1] = c * y - s * step[2];
      step[2] = s * y + c * step[2];
    }
    for (k = 0; k < 3 && left; k++) step[k] = k == 1 ? -step[k] : step[k];
  }
}

/* A box of n points around the origin, `width` wide along each axis of the cell. */
static void cell_box(ongrid_problem *p, int cell, const size_t n[3], double width, uint64_t *rng) {
  double size[3];
  int d;
  memset(&p->box, 0, sizeof p->box);
  p->cell = 1;
  for (d = 0; d < 3; d++) size[d] = width / (double)n[d] * (1 + 0.1 * random_unit(rng));
  cell_steps(&p->box, cell, size, (int)random_below(rng, 2), rng);
  for (d = 0; d < 3; d++)
    p->box.origin[d] =
        -0.5 * ((double)n[0] * p->box.step_x[d] + (double)n[1] * p->box.step_y[d] + (double)n[2] * p->box.step_z[d]) +
        0.1 * random_unit(rng);
  p->box.grid.nx = n[0];
  p->box.grid.ny = n[1];
  p->box.grid.nz = n[2];
  p->points = n[0] * n[1] * n[2];
}

/* step_y less whole steps along the rows, at most half of one to a side: four rows are made at once. */
static void cell_reduce(convk_gaussian_box *box) {
  double along = 0, size = 0;
  int d;
  for (d = 0; d < 3; d++) along += box->step_x[d] * box->step_y[d], size += box->step_x[d] * box->step_x[d];
  along = floor(along / size + 0.5);
  for (d = 0; d < 3; d++) box->step_y[d] -= along * box->step_x[d];
}

/* A cell whose images along step_z are all alike along the rows, and those along step_y are not; wide functions. */
static void cell_leaning(ongrid_problem *p) {
  static const double steps[3][3] = {{0.6, 0, 0}, {0.5, 1, 0}, {0, 2, 2}};
  size_t i, q;
  int d;
  for (d = 0; d < 3; d++) {
    memcpy(ongrid_step(&p->box, d), steps[d], sizeof steps[d]);
    p->box.period[d] = d ? 4 : 0;
  }
  for (i = 0; i < p->nshells; i++)
    for (q = 0; q < p->shells[i].primitives; q++) ((double *)(uintptr_t)p->shells[i].exponents)[q] = 0.3 + 0.1 * (double)q;
}

/* One shell of each degree, all cells and results. */
static void cell_each(int type) {
  static const size_t n[3] = {11, 7, 5};
  uint64_t rng = random_seed("cell_each");
  int l, cell, operation;
  for (l = 0; l <= CONVK_SHELL_MAX_L; l++)
    for (cell = 0; cell < CELLS; cell++)
      for (operation = 1; operation < ONGRID_KINDS; operation++) {
        ongrid_problem p;
        if ((l + cell + operation) % (suite.quick ? 5 : 2)) continue;
        memset(&p, 0, sizeof p);
        p.type = type;
        p.operation = operation;
        cell_box(&p, cell, n, 5, &rng);
        p.nshells = 1;
        p.shells = (convk_shell *)need(sizeof *p.shells);
        memset(p.shells, 0, sizeof *p.shells);
        orbital_shell(type, p.shells, l, (int)random_below(&rng, ORDERS), 2, 0.7, &rng);
        ongrid_finish(&p, -1, &rng);
        ongrid_run(&p, &rng);
        ongrid_free(&p);
      }
}

/* Boxes of all shapes, some longer than tiles; steps so short, and exponents so small or huge, that rows are made in all ways;
   more orbitals than a block, of which those of the first have no parts of the last shells. */
static void cell_shapes(int type) {
  static const size_t some[][3] = {{1, 1, 1},  {1, 5, 1},  {3, 1, 4},  {7, 1, 1},   {8, 9, 2},   {16, 6, 1}, {31, 4, 1},
                                   {33, 5, 2}, {64, 2, 2}, {80, 3, 1}, {97, 2, 1},  {130, 1, 2}, {2, 49, 1}, {2, 3, 17},
                                   {5, 20, 9}, {96, 1, 1}, {1, 1, 33}, {200, 2, 1}, {20, 20, 3}, {300, 1, 1}};
  uint64_t rng = random_seed("cell_shapes");
  size_t i, f;
  int operation;
  for (i = 0; i < COUNT_OF(some); i++)
    for (operation = 0; operation < ONGRID_KINDS; operation++) {
      ongrid_problem p;
      if (suite.quick && (i + (size_t)operation) % 4) continue;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      p.cutoff = i % 3 == 2 ? 1e-4 : 0;
      cell_box(&p, (int)random_below(&rng, CELLS), some[i], i % 4 == 1 ? 40 : i % 4 == 2 ? 0.7 : 6, &rng);
      ongrid_shells(&p, (i == 12 ? 2 : 1) + random_below(&rng, 6), i % 5 == 4 ? 1 + !type : 0, &rng);
      ongrid_finish(&p, i % 3 == 1 ? -1 : i == 12 ? 50 : (int)random_below(&rng, 6), &rng);
      for (f = 0; i == 12 && f < 48 * p.functions; f++)
        if (f % p.functions >= p.functions / 2) p.c[f] = 0;
      ongrid_run(&p, &rng);
      ongrid_free(&p);
    }
}

/* Periods along some steps, down to one and up to far more than the box: so many images that there are several batches. */
static void cell_periods(int type) {
  static const size_t n[3] = {9, 5, 2};
  uint64_t rng = random_seed("cell_periods");
  int turn, operation, d;
  for (turn = 1; turn < 16; turn++)
    for (operation = 0; operation < ONGRID_KINDS; operation++) {
      ongrid_problem p;
      if (suite.quick ? (turn + operation) % 6 || turn > 9 : (turn + operation) % 2) continue;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      p.cutoff = turn == 4 ? 1e-3 : 0;
      cell_box(&p, turn < 8 ? (int)random_below(&rng, CELLS) : turn % CELLS, n, 6, &rng);
      ongrid_shells(&p, 1 + random_below(&rng, 2), 0, &rng);
      ongrid_finish(&p, turn % 2 ? 2 : -1, &rng);
      for (d = 0; d < 3; d++)
        if (turn >> d & 1 || turn >= 8) p.box.period[d] = random_below(&rng, 4) ? 5 + 3 * fabs(random_unit(&rng)) : 30;
      if (turn == 8) cell_leaning(&p);
      ongrid_run(&p, &rng);
      ongrid_free(&p);
    }
}

/* The same numbers by lists of points, whose text shares nothing with this one. */
static void cell_lists(int type) {
  static const size_t n[3] = {40, 9, 6};
  uint64_t rng = random_seed("cell_lists");
  int cell;
  if (!type) return;
  for (cell = 0; cell < CELLS; cell++) {
    size_t number = 0, i, points;
    ongrid_problem p;
    variant *v;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.operation = ONGRID_ORBITALS;
    cell_box(&p, cell, n, 6, &rng);
    ongrid_shells(&p, 4, 0, &rng);
    ongrid_finish(&p, 2, &rng);
    points = p.points;
    while ((v = next_offering(&number, 0, ongrid_offers_f64, 0)) != NULL) {
      double *const xyz = reals(3 * points), *const want = reals(2 * points), *const got = reals(2 * points), most = 0;
      convk_points_f64 list;
      convk_orbital_set_f64 set;
      double largest = most, worst = 0;
      int d;
      memset(&list, 0, sizeof list);
      memset(&set, 0, sizeof set);
      for (i = 0; i < points; i++)
        for (d = 0; d < 3; d++)
          xyz[(size_t)d * points + i] = p.box.origin[d] + (double)(i % n[0]) * p.box.step_x[d] +
                                        (double)(i / n[0] % n[1]) * p.box.step_y[d] +
                                        (double)(i / n[0] / n[1]) * p.box.step_z[d];
      list.n = points;
      list.x = xyz;
      list.y = xyz + points;
      list.z = xyz + 2 * points;
      set.nshells = p.nshells;
      set.shells = p.shells;
      set.norbitals = 2;
      set.coefficients = p.c;
      suite.operation = "orbitals_grid";
      suite.type = "f64";
      ongrid_describe(&p);
      describe_more(", %s", cell_names[cell]);
      begin_case();
      want_status(convk_orbitals_f64(&v->hw, &list, &set, NULL, want, 0, NULL, 0), CONVK_OK);
      want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, got, 0, NULL, 0), CONVK_OK);
      for (i = 0; i < 2 * points; i++) {
        if (fabs(want[i]) > largest) largest = fabs(want[i]);
        if (fabs(want[i] - got[i]) > worst) worst = fabs(want[i] - got[i]);
      }
      if (!(worst <= 1e-14 * largest + 16 * 3.4e-21)) /* what the cutoff leaves out, far from all centers */
        fail("lists differ by %g of the largest, %g", worst, largest);
      end_case();
      free(xyz);
      free(want);
      free(got);
    }
    ongrid_free(&p);
  }
}

/* More primitives than a batch of a tile has, in one batch after another, of one orbital and of two: sums of halves of them. */
static void cell_crowd(int type) {
  enum { SHELLS_HERE = 64, EXPONENTS = 9, POINTS = 9 * 5 * 6 };
  static const size_t n[3] = {9, 5, 6};
  uint64_t rng = random_seed("cell_crowd");
  double exponents[EXPONENTS], ones[EXPONENTS], c[2 * SHELLS_HERE];
  convk_shell shells[SHELLS_HERE];
  ongrid_problem p;
  size_t number = 0, i, d, count;
  variant *v;
  if (!type) return;
  memset(&p, 0, sizeof p);
  memset(shells, 0, sizeof shells);
  cell_box(&p, CELL_TRICLINIC, n, 3, &rng);
  cell_reduce(&p.box);
  for (i = 0; i < EXPONENTS; i++) exponents[i] = 0.2 + 0.1 * (double)i, ones[i] = 1;
  for (i = 0; i < 2 * SHELLS_HERE; i++) c[i] = 1 + 0.5 * random_unit(&rng);
  for (i = 0; i < SHELLS_HERE; i++) {
    for (d = 0; d < 3; d++) shells[i].center[d] = random_unit(&rng);
    shells[i].functions = CONVK_SHELL_CARTESIAN;
    shells[i].primitives = EXPONENTS;
    shells[i].exponents = exponents;
    shells[i].coefficients = ones;
  }
  while ((v = next_offering(&number, 0, cell_offers_f64, 0)) != NULL)
    for (count = 1; count <= 2; count++) {
      double whole[2 * POINTS], half[2 * POINTS], other[2 * POINTS];
      convk_orbital_set_f64 set;
      memset(&set, 0, sizeof set);
      set.nshells = SHELLS_HERE;
      set.shells = shells;
      set.norbitals = count;
      set.coefficients = c;
      set.ldc = SHELLS_HERE;
      suite.operation = "orbitals_grid";
      suite.type = "f64";
      describe("%lu orbitals of %d primitives", (unsigned long)count, SHELLS_HERE * EXPONENTS);
      begin_case();
      want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, whole, 0, NULL, 0), CONVK_OK);
      set.nshells = SHELLS_HERE / 2;
      want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, half, 0, NULL, 0), CONVK_OK);
      set.shells += SHELLS_HERE / 2;
      set.coefficients += SHELLS_HERE / 2;
      want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, other, 0, NULL, 0), CONVK_OK);
      for (i = 0; i < count * POINTS; i++)
        if (!(fabs(whole[i] - half[i] - other[i]) <= 1e-13 * fabs(whole[i])))
          fail("%g, not %g + %g", whole[i], half[i], other[i]);
      end_case();
    }
}

/* Whole steps of an exact cell: a box that begins three steps further along each has the numbers from there on, and one that is
   cut out of another one in y and z has its bits. */
static void cell_moves(int type) {
  static const size_t n[3] = {21, 11, 9};
  uint64_t rng = random_seed("cell_moves");
  size_t number = 0;
  variant *v;
  while (type && (v = next_offering(&number, 0, cell_offers_f64, 0)) != NULL) {
    ongrid_problem p;
    convk_orbital_set_f64 set;
    double *const whole = reals(21 * 11 * 9), *const part = reals(18 * 8 * 6), worst = 0;
    double most = worst;
    size_t x, y, z;
    int d;
    memset(&p, 0, sizeof p);
    memset(&set, 0, sizeof set);
    p.type = type;
    p.operation = ONGRID_ORBITALS;
    cell_box(&p, CELL_TRICLINIC, n, 5, &rng);
    for (d = 0; d < 3; d++) { /* few digits, whose sums are exact */
      p.box.origin[d] = floor(p.box.origin[d] * 1024) / 1024;
      p.box.step_x[d] = floor(p.box.step_x[d] * 1024) / 1024;
      p.box.step_y[d] = floor(p.box.step_y[d] * 1024) / 1024;
      p.box.step_z[d] = floor(p.box.step_z[d] * 1024) / 1024;
    }
    ongrid_shells(&p, 3, 0, &rng);
    ongrid_finish(&p, 1, &rng);
    set.nshells = p.nshells;
    set.shells = p.shells;
    set.norbitals = 1;
    set.coefficients = p.c;
    suite.operation = "orbitals_grid";
    suite.type = "f64";
    ongrid_describe(&p);
    describe_more(", moved by three steps");
    begin_case();
    want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, whole, 0, NULL, 0), CONVK_OK);
    for (d = 0; d < 3; d++) p.box.origin[d] += 3 * (p.box.step_x[d] + p.box.step_y[d] + p.box.step_z[d]);
    p.box.grid.nx -= 3;
    p.box.grid.ny -= 3;
    p.box.grid.nz -= 3;
    want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, part, 0, NULL, 0), CONVK_OK);
    for (z = 0; z < 6; z++)
      for (y = 0; y < 8; y++)
        for (x = 0; x < 18; x++) {
          const double want = whole[((z + 3) * 11 + y + 3) * 21 + x + 3], off = fabs(part[(z * 8 + y) * 18 + x] - want);
          if (fabs(want) > most) most = fabs(want);
          if (!(off <= 4e-15 * most + 1e-15))
            fail("%g, not %g, at %lu %lu %lu", part[(z * 8 + y) * 18 + x], want, (unsigned long)x, (unsigned long)y,
                 (unsigned long)z);
        }
    end_case();
    free(whole);
    free(part);
    ongrid_free(&p);
  }
}

/* One s function whose center is a point of the grid, in all rows of a tile and at many places along them, from flat to so steep
   that it counts in that point alone: rows that share exponentials must not lose it. */
#define CELL_POINTS(TYPE, T) \
  static void cell_points_##TYPE(convk *hw, const convk_gaussian_box *box, convk_shell *shell, double limit) { \
    const size_t nx = box->grid.nx, points = nx * box->grid.ny * box->grid.nz; \
    T *const got = (T *)need(points * sizeof(T)); \
    convk_orbital_set_##TYPE set; \
    size_t i; \
    int d; \
    memset(&set, 0, sizeof set); \
    set.nshells = 1; \
    set.shells = shell; \
    want_status(convk_orbitals_grid_##TYPE(hw, box, &set, NULL, got, 0, NULL, 0), CONVK_OK); \
    for (i = 0; i < points; i++) { \
      long double r2 = 0, want; \
      for (d = 0; d < 3; d++) { \
        const long double r = (long double)box->origin[d] + (long double)(i % nx) * box->step_x[d] + \
                              (long double)(i / nx % box->grid.ny) * box->step_y[d] + \
                              (long double)(i / nx / box->grid.ny) * box->step_z[d] - shell->center[d]; \
        r2 += r * r; \
      } \
      want = expl(-(long double)shell->exponents[0] * r2); \
      if (!(fabsl((long double)got[i] - want) <= limit)) \
        fail("%g, not %g, in point %lu", (double)got[i], (double)want, (unsigned long)i); \
    } \
    free(got); \
  }
CELL_POINTS(f32, float)
CELL_POINTS(f64, double)

static void cell_points(int type) {
  static const double steep[] = {0.3, 1, 3, 10, 40, 200, 2000, 9000};
  static const double coefficient[1] = {1};
  size_t number = 0, i, k, d;
  variant *v;
  while ((v = next_offering(&number, 0, type ? cell_offers_f64 : cell_offers_f32, 0)) != NULL)
    for (k = 0; k < COUNT_OF(steep); k++) {
      convk_gaussian_box box;
      convk_shell shell;
      memset(&box, 0, sizeof box);
      memset(&shell, 0, sizeof shell);
      box.grid.nx = 40;
      box.grid.ny = box.grid.nz = 8; /* tiles of four */
      box.step_x[0] = 0.25;          /* few digits: all points are exact */
      box.step_y[0] = 0.109375;
      box.step_y[1] = 0.25;
      box.step_z[0] = k % 2 ? -0.09375 : 0.84375; /* in steps along a row: 0.375 to one side, or three and 0.375 */
      box.step_z[1] = 0.0625;
      box.step_z[2] = 0.25;
      shell.functions = CONVK_SHELL_CARTESIAN;
      shell.primitives = 1;
      shell.exponents = steep + k;
      shell.coefficients = coefficient;
      suite.operation = "orbitals_grid";
      suite.type = types[type].name;
      describe("exponent %g, centers on points", steep[k]);
      begin_case();
      for (i = 0; i < (suite.quick ? 16 : 48); i++) { /* each row of a tile, and 16 elements */
        const size_t at[3] = {i + i / 16 * 7, i % 4, i / 4 % 4};
        for (d = 0; d < 3; d++)
          shell.center[d] = (double)at[0] * box.step_x[d] + (double)at[1] * box.step_y[d] + (double)at[2] * box.step_z[d];
        if (type) cell_points_f64(&v->hw, &box, &shell, 2e-15);
        else cell_points_f32(&v->hw, &box, &shell, 1e-6);
      }
      end_case();
    }
}

/* Steps whose squares are below all numbers: they have directions nevertheless, and points where such steps lead to. */
static void cell_short(int type) {
  static const char *const names[4] = {"step_x", "step_y", "step_z", "all steps"};
  static const double exponent[1] = {0.7}, coefficient[1] = {1};
  uint64_t rng = random_seed("cell_short");
  size_t number = 0;
  variant *v;
  while ((v = next_offering(&number, 0, type ? cell_offers_f64 : cell_offers_f32, 0)) != NULL) {
    int which, d;
    for (which = 0; which < 4; which++) {
      convk_gaussian_box box;
      convk_shell shell;
      double size[3];
      memset(&box, 0, sizeof box);
      memset(&shell, 0, sizeof shell);
      box.grid.nx = 7;
      box.grid.ny = 3;
      box.grid.nz = 2;
      for (d = 0; d < 3; d++) size[d] = which == 3 || which == d ? 1e-295 : 0.25;
      cell_steps(&box, CELL_TRICLINIC, size, 0, &rng);
      for (d = 0; d < 3; d++) shell.center[d] = 0.5 - 0.25 * d;
      shell.functions = CONVK_SHELL_CARTESIAN;
      shell.primitives = 1;
      shell.exponents = exponent;
      shell.coefficients = coefficient;
      suite.operation = "orbitals_grid";
      suite.type = types[type].name;
      describe("%s of 1e-295", names[which]);
      begin_case();
      if (type) cell_points_f64(&v->hw, &box, &shell, 4e-15);
      else cell_points_f32(&v->hw, &box, &shell, 1e-6);
      end_case();
    }
  }
}

/* An orbital alone has the bits that it has among others, whose rows go through panels: of s and p shells, which need none, and of
   shells of all degrees. */
#define CELL_ALONE(TYPE, T) \
  static void cell_alone_##TYPE(convk *hw, const ongrid_problem *p) { \
    const size_t points = p->points; \
    T *const all = (T *)need(3 * points * sizeof(T)), *const one = (T *)need(points * sizeof(T)); \
    T *const c = (T *)need(3 * p->functions * sizeof(T)); \
    convk_orbital_set_##TYPE set; \
    size_t o; \
    memset(&set, 0, sizeof set); \
    for (o = 0; o < 3 * p->functions; o++) /* none is 0: what no orbital has is left out, and others come together */ \
      c[o] = (T)(p->c[o] < 0 ? p->c[o] - 0.125 : p->c[o] + 0.125); \
    set.nshells = p->nshells; \
    set.shells = p->shells; \
    set.norbitals = 3; \
    set.coefficients = c; \
    want_status(convk_orbitals_grid_##TYPE(hw, &p->box, &set, NULL, all, 0, NULL, 0), CONVK_OK); \
    set.norbitals = 1; \
    for (o = 0; o < 3; o++, set.coefficients += p->functions) { \
      memset(one, 0xff, points * sizeof(T)); \
      want_status(convk_orbitals_grid_##TYPE(hw, &p->box, &set, NULL, one, 0, NULL, 0), CONVK_OK); \
      if (memcmp(one, all + o * points, points * sizeof(T)) != 0) fail("orbital %lu differs", (unsigned long)o); \
    } \
    free(all); \
    free(one); \
    free(c); \
  }
CELL_ALONE(f32, float)
CELL_ALONE(f64, double)

static void cell_alone(int type) {
  static const size_t some[][3] = {{40, 9, 6}, {81, 3, 5}, {17, 1, 7}, {130, 6, 2}};
  uint64_t rng = random_seed("cell_alone");
  int cell;
  size_t i;
  for (cell = 0; cell < CELLS; cell++)
    for (i = 0; i < COUNT_OF(some); i++) {
      size_t number = 0, shell;
      ongrid_problem p;
      variant *v;
      if (suite.quick && (i + (size_t)cell) % 2) continue;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = ONGRID_ORBITALS;
      cell_box(&p, cell, some[i], i == 3 ? 40 : 6, &rng);
      cell_reduce(&p.box);
      p.nshells = 5;
      p.shells = (convk_shell *)need(p.nshells * sizeof *p.shells);
      memset(p.shells, 0, p.nshells * sizeof *p.shells);
      for (shell = 0; shell < p.nshells; shell++)
        orbital_shell(type, p.shells + shell, i == 2 ? (int)shell : (int)shell % 2, 0, 3, 0.7, &rng);
      if (i == 1) p.box.period[1] = p.box.period[2] = 2.5; /* so many images that there are several batches */
      ongrid_finish(&p, 3, &rng);
      while ((v = next_offering(&number, 0, type ? cell_offers_f64 : cell_offers_f32, 0)) != NULL) {
        suite.operation = "orbitals_grid";
        suite.type = types[type].name;
        ongrid_describe(&p);
        describe_more(", %s, each alone", cell_names[cell]);
        begin_case();
        if (type) cell_alone_f64(&v->hw, &p);
        else cell_alone_f32(&v->hw, &p);
        end_case();
      }
      ongrid_free(&p);
    }
}

/* ------------------------------------------------------------------------------------------------------------ points k -- */

typedef struct bloch_call {
  convk *hw;
  const ongrid_problem *p;
  convk_gaussian_box box;
  double k[3];
  const void *c, *imaginary, *occupations;
  void *value, *work;
  size_t ldc, ld, work_size;
  int density, add, missing; /* missing: 1: no bloch, 2: no set */
} bloch_call;

#define BLOCH_CALL(TYPE, T) \
  static int bloch_call_##TYPE(const bloch_call *b, size_t *bytes) { \
    convk_orbital_set_##TYPE set; \
    convk_bloch_##TYPE bloch; \
    convk_gaussian_options options; \
    memset(&set, 0, sizeof set); \
    memset(&options, 0, sizeof options); \
    options.cutoff = b->p->cutoff; \
    set.nshells = b->p->nshells; \
    set.shells = b->p->shells; \
    set.norbitals = b->p->norbitals; \
    set.coefficients = (const T *)b->c; \
    set.ldc = b->ldc; \
    set.occupations = (const T *)b->occupations; \
    memcpy(bloch.k, b->k, sizeof bloch.k); \
    bloch.imag = (const T *)b->imaginary; \
    if (bytes) return convk_orbitals_grid_k_work_size_##TYPE(b->hw, &b->box, b->missing == 2 ? NULL : &set, bytes); \
    if (b->density) \
      return convk_density_grid_k_##TYPE(b->hw, &b->box, b->missing == 2 ? NULL : &set, b->missing == 1 ? NULL : &bloch, \
                                         &options, (T *)b->value, b->add, b->work, b->work_size); \
    return convk_orbitals_grid_k_##TYPE(b->hw, &b->box, b->missing == 2 ? NULL : &set, b->missing == 1 ? NULL : &bloch, \
                                        &options, (T *)b->value, b->ld, b->work, b->work_size); \
  }
BLOCH_CALL(f32, float)
BLOCH_CALL(f64, double)

static int bloch_do(int type, const bloch_call *b) { return type ? bloch_call_f64(b, NULL) : bloch_call_f32(b, NULL); }

/* What image sums with explicit phases have at a point, and what rounding may do to it: of each orbital, real and imaginary. */
static void bloch_reference(const ongrid_problem *p, const double k[3], const double *imaginary, size_t i,
                            long double (*value)[2], long double *bound) {
  const convk_gaussian_box *const b = &p->box;
  const size_t at[3] = {i % b->grid.nx, i / b->grid.nx % b->grid.ny, i / b->grid.nx / b->grid.ny};
  long double x[3], image[3][3];
  size_t s, f, o, q;
  int m[3], most[3], d, e;
  double least = 1e300;
  for (s = 0; s < p->nshells; s++)
    for (q = 0; q < p->shells[s].primitives; q++) least = p->shells[s].exponents[q] < least ? p->shells[s].exponents[q] : least;
  for (d = 0; d < 3; d++) {
    x[d] = (long double)b->origin[d] + (long double)at[0] * (long double)b->step_x[d] +
           (long double)at[1] * (long double)b->step_y[d] + (long double)at[2] * (long double)b->step_z[d];
    most[d] = b->period[d] > 0 ? (int)((sqrt(60 / least) + 20) / b->period[d] * ongrid_slant(b)) + 1 : 0;
  }
  for (d = 0; d < 3; d++) { /* along the step, whatever its sign */
    const double *const step = d == 0 ? b->step_x : d == 1 ? b->step_y : b->step_z;
    long double size = 0;
    for (e = 0; e < 3; e++) size += (long double)step[e] * step[e];
    for (e = 0; e < 3; e++) image[d][e] = step[e] / sqrtl(size) * b->period[d];
  }
  for (o = 0; o < p->norbitals; o++) value[o][0] = value[o][1] = bound[o] = 0;
  for (m[2] = -most[2]; m[2] <= most[2]; m[2]++)
    for (m[1] = -most[1]; m[1] <= most[1]; m[1]++)
      for (m[0] = -most[0]; m[0] <= most[0]; m[0]++) {
        long double angle = 0, c, sine;
        int reached = 0;
        for (s = 0; s < p->nshells; s++) { /* in double: most images are farther than any shell reaches */
          double r = 0;
          for (d = 0; d < 3; d++) {
            const double u =
                (double)(x[d] - m[0] * image[0][d] - m[1] * image[1][d] - m[2] * image[2][d]) - p->shells[s].center[d];
            r += u * u;
          }
          reached |= least * r < 121;
        }
        if (!reached) continue;
        for (d = 0; d < 3; d++) angle += (long double)k[d] * m[d] * (long double)b->period[d];
        c = cosl(angle);
        sine = sinl(angle);
        for (s = f = 0; s < p->nshells; s++) {
          const convk_shell *const shell = &p->shells[s];
          const int count = solid_count(shell->l, shell->functions);
          long double u[3], radial[3] = {0, 0, 0}, size[3] = {0, 0, 0}, r = 0, all[3];
          for (d = 0; d < 3; d++) {
            u[d] = x[d] - shell->center[d] - (m[0] * image[0][d] + m[1] * image[1][d] + m[2] * image[2][d]);
            r += u[d] * u[d];
          }
          all[0] = all[1] = all[2] = sqrtl(r);
          if (least * r > 120) {
            f += (size_t)count;
            continue;
          }
          for (q = 0; q < shell->primitives; q++)
            ongrid_primitive(p, shell->exponents[q], shell->coefficients[q], u, 24 + (double)(p->functions + shell->primitives),
                             radial, size);
          for (e = 0; e < count; e++, f++) {
            const solid polynomial = solid_of(shell->l, shell->functions, e);
            long double one[PARTS], allowed[PARTS], unused[PARTS];
            solid_at(&polynomial, u, radial, size, one, unused);
            solid_at(&polynomial, all, radial, size, unused, allowed);
            for (o = 0; o < p->norbitals; o++) {
              const long double re = p->identity ? f == o : p->c[o * p->functions + f];
              const long double im = imaginary ? imaginary[o * p->functions + f] : 0;
              value[o][0] += one[0] * (re * c - im * sine);
              value[o][1] += one[0] * (re * sine + im * c);
              bound[o] += allowed[0] * (fabsl(re) + fabsl(im));
            }
          }
        }
      }
}

/* Whether a box lies along x, y and z, where devices have the bits of processors. */
static int bloch_along(const convk_gaussian_box *b) {
  return b->step_x[1] == 0 && b->step_x[2] == 0 && b->step_y[0] == 0 && b->step_y[2] == 0 && b->step_z[0] == 0 &&
         b->step_z[1] == 0;
}

/* One problem on all variants: orbitals against phases, densities against orbitals, once stored and once added. */
static void bloch_run(ongrid_problem *p, const double k[3], const double *imaginary, uint64_t *rng) {
  const size_t n = p->points, all = 2 * p->norbitals * n, size = types[p->type].size, m = p->functions;
  const size_t dims[3] = {p->box.grid.nx, p->box.grid.ny, p->box.grid.nz};
  const double eps = 2 * types[p->type].unit, tiny = p->type ? DBL_MIN : (double)FLT_MIN;
  class_results results, there;
  size_t number = 0, i, o, y, z, x;
  variant *v;
  memset(&results, 0, sizeof results);
  memset(&there, 0, sizeof there);
  suite.type = types[p->type].name;
  while ((v = next_offering(&number, 0, p->type ? ongrid_offers_f64 : ongrid_offers_f32, 0)) != NULL) {
    static const int hooks[] = {HOOK_NONE, HOOK_REVERSED, HOOK_SHUFFLED, HOOK_THREADS};
    const int kind = hooks[random_below(rng, 4)];
    hook h = hook_new(kind, 1 + (int)random_below(rng, 5), random64(rng));
    double *const got = reals(all + n);
    const long live = heap.live;
    convk copy = v->hw;
    bloch_call b;
    array layout;
    guard c, im, occupations, value, density, work;
    size_t span, ld, bytes = 0;
    suite.operation = "orbitals_grid_k";
    memset(&b, 0, sizeof b);
    any_layout(&layout, dims, rng);
    if (kind != HOOK_NONE) {
      copy.parallel.threads = h.threads;
      copy.parallel.run = hook_run;
      copy.parallel.ctx = &h;
    }
    b.hw = &copy;
    b.p = p;
    b.box = p->box;
    b.box.grid = layout.given;
    memcpy(b.k, k, sizeof b.k);
    b.ldc = random_below(rng, 2) ? 0 : m + random_below(rng, 5);
    c = gauss_array(p->type, p->c, p->identity ? 0 : p->norbitals, m, b.ldc, rng);
    im = gauss_array(p->type, imaginary, imaginary ? p->norbitals : 0, m, b.ldc, rng);
    occupations = gauss_array(p->type, p->occupations, 1, p->norbitals, 0, rng);
    b.c = p->identity ? NULL : c.data;
    b.imaginary = imaginary ? im.data : NULL;
    b.occupations = occupations.data;
    span = (dims[2] - 1) * layout.full.pitch_z + (dims[1] - 1) * layout.full.pitch_y + dims[0];
    b.ld = random_below(rng, 2) ? 0 : span + random_below(rng, 40);
    ld = b.ld ? b.ld : dims[2] * layout.full.pitch_z;
    value = guard_new(2 * ((p->norbitals - 1) * ld + span) * size, random_below(rng, 2) ? AT_END : AT_START,
                      random_below(rng, 2) ? 0 : size * random_below(rng, 16));
    density = guard_new(span * size, AT_END, 0);
    ongrid_describe(p);
    describe_more("; k %g %g %g%s, pitches %lu %lu, ld %lu, %s", k[0], k[1], k[2], imaginary ? ", complex coefficients" : "",
                  (unsigned long)layout.given.pitch_y, (unsigned long)layout.given.pitch_z, (unsigned long)b.ld,
                  hook_names[kind]);
    begin_case();
    if (p->type ? bloch_call_f64(&b, &bytes) : bloch_call_f32(&b, &bytes)) fail("work_size failed: %s", copy.message);
    work = guard_new(random_below(rng, 2) ? bytes : 0, AT_END, 0);
    if (work.bytes) b.work = work.data, b.work_size = bytes;
    b.value = value.data;
    if (!want_status(bloch_do(p->type, &b), CONVK_OK)) fail("%s", copy.message);
    b.density = 1;
    b.value = density.data;
    for (z = 0; z < dims[2]; z++)
      for (y = 0; y < dims[1]; y++)
        for (x = 0; x < dims[0]; x++) put(p->type, density.data, z * layout.full.pitch_z + y * layout.full.pitch_y + x, 0.5);
    for (b.add = 0; b.add < 2; b.add++) /* the second time to what the first one left */
      if (!want_status(bloch_do(p->type, &b), CONVK_OK)) fail("%s", copy.message);
    want_returned(live);
    if (!guard_intact(&value) || !guard_intact(&density) || !guard_intact(&work)) fail("memory around arrays was written");
    {
      const unsigned char *before = value.data;
      for (o = 0; o < p->norbitals; o++)
        for (z = 0; z < dims[2]; z++)
          for (y = 0; y < dims[1]; y++) {
            const unsigned char *const row =
                value.data + 2 * (o * ld + z * layout.full.pitch_z + y * layout.full.pitch_y) * size;
            if (!all_fill(before, row)) fail("something was written before row %lu", (unsigned long)y);
            for (x = 0; x < 2 * dims[0]; x++) got[2 * (o * n + (z * dims[1] + y) * dims[0]) + x] = get(p->type, row, x);
            before = row + 2 * dims[0] * size;
          }
    }
    for (i = 0; i < n; i++) {
      long double sum = 0, allowed = 0;
      got[all + i] =
          get(p->type, density.data,
              i / dims[0] / dims[1] * layout.full.pitch_z + i / dims[0] % dims[1] * layout.full.pitch_y + i % dims[0]);
      for (o = 0; o < p->norbitals; o++)
        for (x = 0; x < 2; x++) {
          const long double one = got[2 * (o * n + i) + x], term = 2 * (long double)p->occupations[o] * one * one;
          sum += term;
          allowed +=
              fabsl(term) * (2 * (double)p->norbitals + 6) * eps + 4 * p->occupations[o] * gauss_least_square[p->type] / 1;
        }
      if (!(fabsl(got[all + i] - sum) <= allowed + tiny))
        fail("the density of point %lu is %g, not %g", (unsigned long)i, got[all + i], (double)sum);
    }
    end_case();
    begin_case();
    if (!same_as_class(v->device && !bloch_along(&p->box) ? &there : &results, v, got, (all + n) * sizeof *got)) {
      long double(*want)[2] = (long double(*)[2])need(p->norbitals * sizeof *want);
      long double *bound = (long double *)need(p->norbitals * sizeof *bound);
      double worst = 0;
      for (i = 0; i < n; i++) {
        bloch_reference(p, k, imaginary, i, want, bound);
        for (o = 0; o < p->norbitals; o++)
          for (x = 0; x < 2; x++) {
            const long double off = fabsl(got[2 * (o * n + i) + x] - want[o][x]);
            const long double allowed = eps * slack() * bound[o] + (double)(m + 1) * tiny;
            if (!(off <= allowed) && !suite.bad)
              fail("part %lu: point %lu of orbital %lu is %.17g, not %.17g; allowed %g", (unsigned long)x, (unsigned long)i,
                   (unsigned long)o, got[2 * (o * n + i) + x], (double)want[o][x], (double)allowed);
            if (off / allowed > (long double)worst) worst = (double)(off / allowed);
          }
      }
      error_note("of the bound", worst, 1, 0, 0, 0, all);
      free(want);
      free(bound);
    }
    end_case();
    gauss_array_end(&c, "the coefficients");
    gauss_array_end(&im, "the imaginary parts");
    gauss_array_end(&occupations, "the occupations");
    guard_free(&value);
    guard_free(&density);
    guard_free(&work);
    free(got);
  }
  class_results_end(&results);
  class_results_end(&there);
}

/* Cells of all kinds and axes along x, y and z, periodic along some or all, any k. */
static void bloch_sums(int type) {
  static const size_t n[3] = {9, 5, 2};
  uint64_t rng = random_seed("bloch_sums");
  int turn, d;
  for (turn = 0; turn < 2 * (CELLS + 1); turn++) {
    ongrid_problem p;
    double k[3], *imaginary;
    size_t i;
    if (suite.quick && turn != 1 && turn != 6 && turn != 8) continue; /* of coefficients: real, none, complex */
    memset(&p, 0, sizeof p);
    p.type = type;
    p.operation = ONGRID_ORBITALS;
    if (turn / 2 == CELLS) ongrid_box(&p, n, 6, &rng);
    else cell_box(&p, turn / 2, n, 6, &rng);
    ongrid_shells(&p, 2, 0, &rng);
    ongrid_finish(&p, turn % 3 ? 3 : -1, &rng);
    for (d = 0; d < 3; d++) {
      k[d] = 2 * random_unit(&rng);
      if (turn % 2 == 0 || random_below(&rng, 2)) p.box.period[d] = 5 + 3 * fabs(random_unit(&rng));
    }
    imaginary = reals(p.norbitals * p.functions);
    for (i = 0; i < p.norbitals * p.functions; i++) {
      imaginary[i] = rounded_to(type, random_unit(&rng));
      if (turn % 6 == 2) p.c[i] = 0; /* what has no real parts counts, too */
    }
    bloch_run(&p, k, p.identity || turn % 3 == 1 ? NULL : imaginary, &rng);
    free(imaginary);
    ongrid_free(&p);
  }
}

/* Along x, y and z: k along each axis alone and along all, far outside the first zone, periods that many images fit in, several
   tiles, and coefficients of all kinds. */
static void bloch_axes(int type) {
  static const struct {
    size_t n[3];
    double width, period[3], k[3];
    int form; /* of coefficients: real ones, complex ones, functions */
  } cases[] = {{{9, 5, 3}, 6, {7, 0, 0}, {0.7, 3, 4}, 0},          {{9, 5, 3}, 6, {0, 7, 0}, {5, 0.7, 4}, 0},
               {{5, 9, 3}, 6, {0, 0, 8}, {5, 3, -0.7}, 0},         {{9, 5, 3}, 6, {7, 8, 6.5}, {0.7, 0, 0}, 1},
               {{9, 5, 3}, 6, {7, 8, 6.5}, {0, 0, 0}, 1},          {{3, 9, 5}, 6, {7, 8, 6.5}, {20.7, -33.1, 12.9}, 0},
               {{7, 2, 1}, 0.7, {0.75, 6, 9}, {2.2, 0.4, 0}, 0},   {{2, 17, 1}, 1.1, {9, 1.25, 6}, {0, 9.4, 0.3}, 1},
               {{1, 4, 5}, 0.9, {8, 6, 1}, {1, 0, -4.1}, 2},       {{101, 26, 1}, 30, {34, 31, 34}, {0.3, -0.1, 0.2}, 0},
               {{31, 5, 10}, 24, {0, 28, 30}, {0.3, -0.1, 0.2}, 1}};
  uint64_t rng = random_seed("bloch_axes");
  size_t turn, i;
  for (turn = 0; turn < COUNT_OF(cases); turn++) {
    ongrid_problem p;
    double *imaginary;
    if (suite.quick && turn % 3 != 1) continue;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.operation = ONGRID_ORBITALS;
    ongrid_box(&p, cases[turn].n, cases[turn].width, &rng);
    p.box.step_x[0] = cases[turn].width / (double)cases[turn].n[0]; /* shorter than its period */
    p.box.step_y[1] = -cases[turn].width / (double)cases[turn].n[1];
    p.box.step_z[2] = cases[turn].width / (double)cases[turn].n[2] * (turn % 2 ? 1 : -1);
    p.box.origin[0] = -0.5 * cases[turn].width;
    p.box.origin[1] = 0.5 * cases[turn].width;
    p.box.origin[2] = 0.5 * cases[turn].width * (turn % 2 ? -1 : 1);
    memcpy(p.box.period, cases[turn].period, sizeof p.box.period);
    ongrid_shells(&p, 3, 0, &rng);
    ongrid_finish(&p, cases[turn].form == 2 ? -1 : turn % 2 ? 3 : 1, &rng);
    imaginary = reals(p.norbitals * p.functions);
    for (i = 0; i < p.norbitals * p.functions; i++) imaginary[i] = rounded_to(type, random_unit(&rng));
    bloch_run(&p, cases[turn].k, cases[turn].form == 1 ? imaginary : NULL, &rng);
    free(imaginary);
    ongrid_free(&p);
  }
}

/* k = 0 has the bits of orbitals_grid; a period on, the phase has turned by k times it. */
static void bloch_turns_of(int type, int along) {
  const double eps = 2 * types[type].unit;
  static const size_t n[3] = {24, 3, 2};
  uint64_t rng = random_seed("bloch_turns");
  size_t number = 0, i, x;
  variant *v;
  while (type && (v = next_offering(&number, 0, ongrid_offers_f64, 0)) != NULL) {
    ongrid_problem p;
    convk_orbital_set_f64 set;
    bloch_call b;
    double *const real = reals(24 * 3 * 2), *const value = reals(2 * 24 * 3 * 2), most = 0;
    double largest = most, c, s;
    memset(&p, 0, sizeof p);
    memset(&b, 0, sizeof b);
    memset(&set, 0, sizeof set);
    p.type = type;
    p.operation = ONGRID_ORBITALS;
    if (along) ongrid_box(&p, n, 8, &rng);
    else cell_box(&p, CELL_TRICLINIC, n, 8, &rng);
    p.box.step_x[0] = 0.3125, p.box.step_x[1] = 0, p.box.step_x[2] = 0; /* so that twelve steps are a period */
    p.box.period[0] = 3.75;
    p.box.period[1] = 9;
    ongrid_shells(&p, 3, 0, &rng);
    ongrid_finish(&p, 1, &rng);
    set.nshells = p.nshells;
    set.shells = p.shells;
    set.norbitals = 1;
    set.coefficients = p.c;
    b.hw = &v->hw;
    b.p = &p;
    b.box = p.box;
    b.c = p.c;
    b.value = value;
    suite.operation = "orbitals_grid_k";
    suite.type = "f64";
    ongrid_describe(&p);
    describe_more(", k = 0, and turns");
    begin_case();
    want_status(convk_orbitals_grid_f64(&v->hw, &p.box, &set, NULL, real, 0, NULL, 0), CONVK_OK);
    want_status(bloch_do(type, &b), CONVK_OK);
    for (i = 0; i < 24 * 3 * 2; i++)
      if (value[2 * i] != real[i] || value[2 * i + 1] != 0)
        fail("k = 0: %.17g and %g at point %lu, not %.17g", value[2 * i], value[2 * i + 1], (unsigned long)i, real[i]);
    b.k[0] = 0.7;
    b.k[1] = -1.3;
    want_status(bloch_do(type, &b), CONVK_OK);
    c = cos(0.7 * 3.75);
    s = sin(0.7 * 3.75);
    for (i = 0; i < 2 * 24 * 3 * 2; i++) largest = fabs(value[i]) > largest ? fabs(value[i]) : largest;
    for (i = 0; i < 3 * 2; i++)
      for (x = 0; x < 12; x++) {
        const double *const from = value + 2 * (24 * i + x), *const to = from + 24;
        const double off[2] = {to[0] - (c * from[0] - s * from[1]), to[1] - (s * from[0] + c * from[1])};
        long double unused[1][2], bound[2];
        if (fabs(off[0]) <= 2e-15 * largest && fabs(off[1]) <= 2e-15 * largest) continue;
        bloch_reference(&p, b.k, NULL, 24 * i + x, unused, &bound[0]);
        bloch_reference(&p, b.k, NULL, 24 * i + x + 12, unused, &bound[1]);
        bound[0] = (bound[0] + bound[1]) * eps * slack();
        if (!(fabsl((long double)off[0]) <= bound[0] && fabsl((long double)off[1]) <= bound[0]))
          fail("a period beyond point %lu is %g %g after %g %g; allowed %g", (unsigned long)x, to[0], to[1], from[0], from[1],
               (double)bound[0]);
      }
    end_case();
    free(real);
    free(value);
    ongrid_free(&p);
  }
}

static void bloch_turns(int type) {
  bloch_turns_of(type, 0);
  bloch_turns_of(type, 1);
}

/* What points k and their calls refuse; all else is checked by the text that the other calls have. */
static void bloch_errors(int type) {
  static const size_t n[3] = {3, 4, 5};
  uint64_t rng = random_seed("bloch_errors");
  size_t number = 0;
  variant *v;
  while ((v = next_offering(&number, 0, type ? cell_offers_f64 : cell_offers_f32, 0)) != NULL) {
    static const struct {
      int status;
      const char *names;
    } wanted[] = {{CONVK_ERR_NULL, "bloch is NULL"},
                  {CONVK_ERR_NULL, "set is NULL"},
                  {CONVK_ERR_NONFINITE, "bloch->k[1]"},
                  {CONVK_ERR_RANGE, "bloch->k[2]"},
                  {CONVK_ERR_NULL, "bloch->imag"},
                  {CONVK_ERR_NONFINITE, "bloch->imag[0 ldc + 1]"},
                  {CONVK_ERR_OPTION, "add is 2"},
                  {CONVK_ERR_OVERLAP, "bloch->imag"},
                  {CONVK_ERR_WORK, "work_size is 8"},
                  {CONVK_ERR_PITCH, "ld is 59"},
                  {CONVK_ERR_NULL, "value is NULL"},
                  {CONVK_ERR_NULL, "set->occupations"},
                  {CONVK_ERR_OPTION, "add is -1"},
                  {CONVK_ERR_RANGE, "bloch->k[2]"},
                  {CONVK_ERR_NULL, "bloch is NULL"},
                  {CONVK_ERR_OVERLAP, "bloch->imag"},
                  {CONVK_OK, ""}};
    const size_t size = types[type].size;
    ongrid_problem p;
    size_t turn;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.operation = ONGRID_ORBITALS;
    cell_box(&p, CELL_TRICLINIC, n, 4, &rng);
    p.box.period[2] = 6;
    ongrid_shells(&p, 2, 0, &rng);
    ongrid_finish(&p, 2, &rng);
    for (turn = 0; turn < COUNT_OF(wanted); turn++) {
      guard out = guard_new(2 * 2 * 60 * size, AT_END, 0), c = gauss_array(type, p.c, 2, p.functions, 0, &rng);
      guard im = gauss_array(type, p.c, 2, p.functions, 0, &rng), work = guard_new(64, AT_END, 0);
      const long live = heap.live, total = heap.total;
      convk copy = v->hw;
      bloch_call b;
      memset(&b, 0, sizeof b);
      b.hw = &copy;
      b.p = &p;
      b.box = p.box;
      b.c = c.data;
      b.imaginary = im.data;
      b.value = out.data;
      b.ld = turn == 9 ? 59 : 0;
      b.density = turn == 6 || turn == 11 || turn == 12 || turn == 14 || turn == 16;
      b.add = turn == 6 ? 2 : turn == 12 ? -1 : turn == 16;
      b.missing = turn == 0 || turn == 14 ? 1 : turn == 1 ? 2 : 0;
      if (turn == 2) b.k[1] = (double)INFINITY;
      if (turn == 3) b.k[2] = 1e30;
      if (turn == 4) b.c = NULL;
      if (turn == 4) p.norbitals = p.functions;
      if (turn == 5) put(type, im.data, 1, (double)NAN);
      if (turn == 7) b.imaginary = out.data;
      if (turn == 8) b.work = work.data, b.work_size = 8;
      if (turn == 10) b.value = NULL;
      if (turn == 13) b.k[2] = -1e30;
      if (turn == 16) p.norbitals = 0;                                       /* which adds nothing */
      if (turn == 15) b.imaginary = out.data - (2 * p.functions - 1) * size; /* by the last element */
      suite.operation = "orbitals_grid_k";
      suite.type = types[type].name;
      describe("%s", wanted[turn].names);
      begin_case();
      want_status(bloch_do(type, &b), wanted[turn].status);
      want_returned(live);
      want_checked_first(wanted[turn].status, total);
      want_said(copy.message, wanted[turn].status, wanted[turn].names);
      if (!all_fill(out.data, out.data + out.bytes)) fail("results were written");
      if (!all_fill(work.data, work.data + work.bytes)) fail("the work memory was written");
      end_case();
      p.norbitals = 2;
      guard_free(&out);
      guard_free(&c);
      guard_free(&im);
      guard_free(&work);
    }
    ongrid_free(&p);
  }
}
