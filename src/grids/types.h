/* A regular grid in space: point (i, j, k) lies at origin + i step_x + j step_y + k step_z.
   origin                  the first point; finite
   step_x, step_y, step_z  from a point to the next one of each axis of the grid: any three vectors that do not lie in a plane.
                           Where they lie along x, along y and along z, of any sign, calls are fastest
   grid                    how many points, and how they lie in arrays: convk_grid3
   period                  length of the cell along each of the three steps, at least that of the step: Gaussians repeat at
                           this distance.  0: not periodic along it */
typedef struct convk_gaussian_box {
  double origin[3];
  double step_x[3], step_y[3], step_z[3];
  convk_grid3 grid;
  double period[3];
} convk_gaussian_box;
