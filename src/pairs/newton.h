/* ---- linear algebra of the minimiser ---- */

/* Solves matrix x = f by Cholesky's method, for a symmetric matrix given as its lower triangle by rows; x replaces f, and the
   matrix is overwritten.  Returns 0 if the matrix is not positive definite. */
CONVK_RARE_ int convk_solve_(double *matrix, double *f, int n) {
  int i, j, k;
  for (i = 0; i < n; i++) {
    double *row = matrix + i * (i + 1) / 2;
    for (j = 0; j <= i; j++) {
      const double *other = matrix + j * (j + 1) / 2;
      double sum = row[j];
      for (k = 0; k < j; k++) sum -= row[k] * other[k];
      if (j < i) row[j] = sum / other[j];
      else if (!(sum > 0)) return 0;
      else row[j] = convk_sqrt_(sum);
    }
  }
  for (i = 0; i < n; i++) {
    for (k = 0; k < i; k++) f[i] -= matrix[i * (i + 1) / 2 + k] * f[k];
    f[i] /= matrix[i * (i + 1) / 2 + i];
  }
  for (i = n - 1; i >= 0; i--) {
    for (k = i + 1; k < n; k++) f[i] -= matrix[k * (k + 1) / 2 + i] * f[k];
    f[i] /= matrix[i * (i + 1) / 2 + i];
  }
  return 1;
}

/* Entry i, j of a symmetric matrix that is stored as its lower triangle, by rows. */
CONVK_LOCAL_ double convk_entry_(const double *m, int i, int j) {
  return i > j ? m[i * (i + 1) / 2 + j] : m[j * (j + 1) / 2 + i];
}

/* Finds the step that makes gradient^T step + step^T matrix step / 2 smallest within bounds about 0.  Each parameter is free or
   at a bound; all combinations are tried.  Returns 0 if the matrix is not positive definite. */
CONVK_RARE_ int convk_solve_within_(const double *matrix, const double *gradient, int n, double bound[4][2], double step[4]) {
  static const int ways[5] = {1, 3, 9, 27, 81};
  double least = 0;
  int way, i, j;
  for (i = 0; i < 4; i++) step[i] = 0;
  for (way = 0; way < ways[n]; way++) {
    double part[10], f[4], x[4] = {0, 0, 0, 0}, value = 0;
    int index[4], count = 0, within = 1;
    for (i = 0; i < n; i++) {
      const int at = way / ways[i] % 3;
      if (!at) index[count++] = i;
      else x[i] = bound[i][at - 1];
      within = within && x[i] > -1e299 && x[i] < 1e299;
    }
    if (!within) continue;
    for (i = 0; i < count; i++) {
      f[i] = -gradient[index[i]];
      for (j = 0; j < n; j++) f[i] -= convk_entry_(matrix, index[i], j) * x[j]; /* x is still 0 where it is free */
      for (j = 0; j <= i; j++) part[i * (i + 1) / 2 + j] = convk_entry_(matrix, index[i], index[j]);
    }
    if (!convk_solve_(part, f, count)) return 0;
    for (i = 0; i < count; i++) {
      x[index[i]] = f[i];
      within = within && f[i] >= bound[index[i]][0] && f[i] <= bound[index[i]][1];
    }
    for (i = 0; i < n; i++) {
      value += gradient[i] * x[i];
      for (j = 0; j < n; j++) value += 0.5 * x[i] * x[j] * convk_entry_(matrix, i, j);
    }
    if (!within || value > least) continue;
    least = value;
    for (i = 0; i < n; i++) step[i] = x[i];
    if (!way) break; /* the minimum without bounds lies within them */
  }
  return 1;
}

/* Solves (second + mu overlap) step = -gradient within bounds, with the smallest mu >= least for which step^T overlap step <=
   max_length^2.  Returns 0 if overlap is not positive definite. */
CONVK_RARE_ int convk_newton_(const double *overlap, const double *second, const double *gradient, int n, double bound[4][2],
                              double least, double max_length, double step[4]) {
  double matrix[10], high = 0, low = least;
  int i, j, turn, good = 0;
  memcpy(matrix, overlap, sizeof matrix);
  memcpy(step, gradient, 4 * sizeof *step);
  if (!convk_solve_(matrix, step, n)) return 0;
  for (i = 0; i < n; i++) high += step[i] * gradient[i];
  high = least + (high > 0 ? 2.1 * convk_sqrt_(high) / max_length : 0); /* over twice the mu that is enough if `second` is 0 */
  for (turn = 0; turn < 40 && !(good && turn == 1); turn++) {           /* `least` first, then bisection, then its result */
    const double mu = !turn ? least : turn == 39 ? high : 0.5 * (low + high);
    double length = 0;
    for (i = 0; i < 10; i++) matrix[i] = second[i] + mu * overlap[i];
    good = convk_solve_within_(matrix, gradient, n, bound, step);
    for (i = 0; i < n && good; i++)
      for (j = 0; j < n; j++) length += step[i] * step[j] * convk_entry_(overlap, i, j);
    good = good && length <= max_length * max_length;
    if (good) high = mu;
    else low = mu;
  }
  return good;
}
