/* SPDX-License-Identifier: MIT
   Tests of Gaussians on grids of any three steps.  Included by test_gaussian.c, after those of axes along x, y and z. */

enum { CELL_TRICLINIC, CELL_HEXAGONAL, CELL_ROTATED, CELL_PERMUTED, CELL_MONOCLINIC, CELL_FLAT, CELL_FACES, CELL_SHEAR, CELLS };
static const char *const cell_names[CELLS] = {"triclinic",  "hexagonal", "rotated",       "permuted",
                                              "monoclinic", "flat",      "face-centered", "a normal to b and c"};

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
   more orbitals than a block. */
static void cell_shapes(int type) {
  static const size_t some[][3] = {{1, 1, 1},  {1, 5, 1},  {3, 1, 4},  {7, 1, 1},   {8, 9, 2},   {16, 6, 1}, {31, 4, 1},
                                   {33, 5, 2}, {64, 2, 2}, {80, 3, 1}, {97, 2, 1},  {130, 1, 2}, {2, 49, 1}, {2, 3, 17},
                                   {5, 20, 9}, {96, 1, 1}, {1, 1, 33}, {200, 2, 1}, {20, 20, 3}, {300, 1, 1}};
  uint64_t rng = random_seed("cell_shapes");
  size_t i;
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
      ongrid_shells(&p, 1 + random_below(&rng, 6), i % 5 == 4 ? 1 + !type : 0, &rng);
      ongrid_finish(&p, i % 3 == 1 ? -1 : i == 12 ? 50 : (int)random_below(&rng, 6), &rng);
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
      if ((turn + operation) % (suite.quick ? 6 : 2)) continue;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      p.cutoff = turn == 4 ? 1e-3 : 0;
      cell_box(&p, turn < 8 ? (int)random_below(&rng, CELLS) : turn % CELLS, n, 6, &rng);
      ongrid_shells(&p, 1 + random_below(&rng, 2), 0, &rng);
      ongrid_finish(&p, turn % 2 ? 2 : -1, &rng);
      for (d = 0; d < 3; d++)
        if (turn >> d & 1 || turn >= 8) p.box.period[d] = random_below(&rng, 4) ? 5 + 3 * fabs(random_unit(&rng)) : 30;
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
      if (!(worst <= 1e-14 * largest)) fail("lists differ by %g of the largest, %g", worst, largest);
      end_case();
      free(xyz);
      free(want);
      free(got);
    }
    ongrid_free(&p);
  }
}

/* Whole steps of an exact cell: a box that begins three steps further along each has the numbers from there on, and one that is
   cut out of another one in y and z has its bits. */
static void cell_moves(int type) {
  static const size_t n[3] = {21, 11, 9};
  uint64_t rng = random_seed("cell_moves");
  size_t number = 0;
  variant *v;
  while (type && (v = next_offering(&number, 0, ongrid_offers_f64, 0)) != NULL) {
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
