/* ---- surfaces of solids, of either precision: their vertices and faces by number ---- */

enum { CONVK_SOLID_BOX_, CONVK_SOLID_ROUND_, CONVK_SOLID_POLYHEDRON_, CONVK_SOLID_SPHERE_ };
#define CONVK_SOLID_PLAIN_ 20   /* corners of a dodecahedron, the most */
#define CONVK_SOLID_CORNERS_ 60 /* of what is left when they are cut off */
#define CONVK_SOLID_FACES_ 116  /* triangles of that: 2 corners - 4 */
#define CONVK_GOLDEN_ 1.6180339887498949
#define CONVK_ICOSAHEDRON_ARC_ 1.1071487177940905 /* atan 2: what an edge of the icosahedron spans, seen from its middle */

/* What is known of a box or pyramid, prism or cylinder, polyhedron, sphere. */
typedef struct convk_solid_ {
  int kind;
  size_t n; /* corners of the base; parts of an edge of the icosahedron that becomes a sphere */
  size_t vertices, faces;
  double size[3], height, top; /* half sides, or radii; the upper end is `top` times as large as the base */
  double corner[CONVK_SOLID_CORNERS_][3];
  unsigned char face[CONVK_SOLID_FACES_][3];
  unsigned char edge[30][2], number[12][12]; /* of a sphere: edges of the icosahedron, and which they are */
} convk_solid_;

/* What is wrong with sizes: each is positive and at most `limit`. */
CONVK_RARE_ int convk_solid_sizes_(char *message, const double *size, const char *const *name, int n, double limit) {
  int i;
  for (i = 0; i < n; i++)
    if (!convk_finite_f64_(size[i])) return convk_refuse_names_(message, CONVK_ERR_NONFINITE, "$ is not finite", name[i], NULL);
  for (i = 0; i < n; i++)
    if (!(size[i] > 0)) return convk_refuse_names_(message, CONVK_ERR_SIZE, "$ is not positive", name[i], NULL);
  for (i = 0; i < n; i++)
    if (size[i] > limit) return convk_refuse_names_(message, CONVK_ERR_RANGE, "$ is too large", name[i], NULL);
  return CONVK_OK;
}

/* ---- boxes, pyramids, prisms, cylinders ---- */

/* A base of n corners, and the same above it, or with top 0 a point. */
CONVK_RARE_ int convk_solid_prism_(char *message, convk_solid_ *s, size_t n, double height, double top) {
  if (n < 3) return convk_refuse_at_(message, CONVK_ERR_SIZE, "n is %, less than 3", (int64_t)n, 0, 0);
  if (n > CONVK_FACES_MAX_ / 4) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "n is too large");
  s->n = n;
  s->height = height;
  s->top = top;
  s->vertices = top > 0 ? 2 * n : n + 1;
  s->faces = top > 0 ? 4 * n - 4 : 2 * n - 2;
  return CONVK_OK;
}

CONVK_RARE_ void convk_prism_vertex_(const convk_solid_ *s, size_t i, double v[3]) {
  const double scale = i < s->n ? 1 : s->top;
  const size_t k = i % s->n;
  if (s->kind == CONVK_SOLID_BOX_) {
    v[0] = k == 1 || k == 2 ? s->size[0] : -s->size[0];
    v[1] = k >= 2 ? s->size[1] : -s->size[1];
  } else {
    convk_turn_(k, s->n, &v[0], &v[1]);
    v[0] *= s->size[0];
    v[1] *= s->size[1];
  }
  v[0] *= scale;
  v[1] *= scale;
  v[2] = (i < s->n ? -1 : 1) * s->height / 2;
}

/* The base, the top, two triangles of each side; or only one. */
CONVK_RARE_ void convk_prism_face_(const convk_solid_ *s, size_t i, size_t f[3]) {
  const size_t n = s->n, caps = s->top > 0 ? 2 * (n - 2) : n - 2;
  if (i < caps) {
    const size_t from = i < n - 2 ? 0 : n, k = i % (n - 2);
    f[0] = from;
    f[1] = from + k + (from ? 1 : 2);
    f[2] = from + k + (from ? 2 : 1);
  } else {
    const size_t side = s->top > 0 ? (i - caps) / 2 : i - caps, next = (side + 1) % n, second = s->top > 0 && (i - caps) % 2;
    f[0] = side;
    f[1] = second ? n + next : next;
    f[2] = s->top <= 0 ? n : second ? n + side : n + next;
  }
}

/* ---- regular polyhedra, and what is left of them when corners are cut off ---- */

CONVK_LOCAL_ double convk_solid_square_(const double *a, const double *b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/* Corners of unit size about the origin; returns how many, 0: there is no such polyhedron. */
CONVK_RARE_ int convk_polyhedron_corners_(int kind, double corner[CONVK_SOLID_PLAIN_][3]) {
  const double g = CONVK_GOLDEN_;
  int n = 0, i, d;
  memset(corner, 0, CONVK_SOLID_PLAIN_ * sizeof *corner);
  for (i = 0; i < 8; i++) /* of a cube; those with an even number of minus signs are a tetrahedron's */
    if (kind == CONVK_MESH_CUBE || kind == CONVK_MESH_DODECAHEDRON || (kind == CONVK_MESH_TETRAHEDRON && !(0x96 >> i & 1))) {
      for (d = 0; d < 3; d++) corner[n][d] = i >> d & 1 ? -1 : 1;
      n++;
    }
  for (i = 0; i < 6 && kind == CONVK_MESH_OCTAHEDRON; i++) corner[n++][i / 2] = i % 2 ? -1 : 1;
  for (i = 0; i < 12 && (kind == CONVK_MESH_ICOSAHEDRON || kind == CONVK_MESH_DODECAHEDRON);
       i++) { /* (0, +-a, +-b), turned about */
    corner[n][(i + 1) % 3] = (i & 1 ? 1 : -1) * (kind == CONVK_MESH_ICOSAHEDRON ? 1 : g - 1);
    corner[n++][(i + 2) % 3] = (i < 6 ? 1 : -1) * g;
  }
  return n;
}

/* The corner after w of the face to the left of the edge from v to w: all others lie below their plane. */
CONVK_RARE_ int convk_polyhedron_next_(double corner[CONVK_SOLID_PLAIN_][3], int n, double square, int v, int w) {
  int x, u, d;
  for (x = 0; x < n; x++) {
    double a[3], b[3], normal[3];
    int below = x != v && x != w && convk_solid_square_(corner[w], corner[x]) < 1.01 * square;
    for (d = 0; d < 3; d++) {
      a[d] = corner[w][d] - corner[v][d];
      b[d] = corner[x][d] - corner[w][d];
    }
    for (d = 0; d < 3; d++) normal[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
    for (u = 0; u < n && below; u++) {
      double up = 0;
      for (d = 0; d < 3; d++) up += normal[d] * (corner[u][d] - corner[w][d]);
      below = up < 0.01 * square;
    }
    if (below) return x;
  }
  return v;
}

/* A polygon as triangles from its first corner; corners that come again at once are one. */
CONVK_RARE_ void convk_polyhedron_polygon_(convk_solid_ *s, const unsigned char *loop, int n) {
  unsigned char once[CONVK_SOLID_PLAIN_];
  int count = 0, i;
  for (i = 0; i < n; i++)
    if (loop[i] != loop[i ? i - 1 : n - 1]) once[count++] = loop[i];
  for (i = 2; i < count; i++, s->faces++) {
    s->face[s->faces][0] = once[0];
    s->face[s->faces][1] = once[i - 1];
    s->face[s->faces][2] = once[i];
  }
}

/* Of an edge length; cut: how much of each edge is cut off at either end. */
CONVK_RARE_ int convk_solid_polyhedron_(char *message, convk_solid_ *s, int kind, double edge, double cut) {
  double corner[CONVK_SOLID_PLAIN_][3], square = 9;                                      /* of an edge */
  unsigned char point[CONVK_SOLID_PLAIN_][CONVK_SOLID_PLAIN_], loop[CONVK_SOLID_PLAIN_]; /* point: beside v on the way to w */
  char done[CONVK_SOLID_PLAIN_][CONVK_SOLID_PLAIN_];
  const int n = convk_polyhedron_corners_(kind, corner), whole = !(cut > 0), middle = cut >= edge / 2;
  int v, w, d;
  if (!n) return convk_refuse_at_(message, CONVK_ERR_OPTION, "kind is %, none of CONVK_MESH_TETRAHEDRON ...", kind, 0, 0);
  if (!(cut >= 0 && cut <= edge / 2)) return convk_refuse_(message, CONVK_ERR_SIZE, "cut is not within 0 .. edge / 2");
  for (v = 1; v < n; v++)
    if (convk_solid_square_(corner[0], corner[v]) < square) square = convk_solid_square_(corner[0], corner[v]);
  s->kind = CONVK_SOLID_POLYHEDRON_;
  s->vertices = s->faces = 0;
  memset(done, 1, sizeof done);
  for (v = 0; v < n; v++)
    for (w = 0; w < n; w++) {
      const double share = whole ? 0 : middle ? 0.5 : cut / edge;
      if (v == w || convk_solid_square_(corner[v], corner[w]) > 1.01 * square) continue;
      done[v][w] = 0;
      point[v][w] = (unsigned char)(whole ? (size_t)v : middle && w < v ? point[w][v] : s->vertices);
      if (point[v][w] < s->vertices) continue;
      for (d = 0; d < 3; d++)
        s->corner[point[v][w]][d] = (corner[v][d] + share * (corner[w][d] - corner[v][d])) * (edge / convk_sqrt_(square));
      s->vertices = point[v][w] + (size_t)1;
    }
  for (v = 0; v < n; v++)
    for (w = 0; w < n; w++) {
      int a = v, b = w, x, count = 0;
      while (!done[a][b]) { /* along a face */
        done[a][b] = 1;
        loop[count++] = point[a][b];
        loop[count++] = point[b][a];
        x = convk_polyhedron_next_(corner, n, square, a, b);
        a = b;
        b = x;
      }
      convk_polyhedron_polygon_(s, loop, count);
    }
  for (v = 0; v < n && !whole; v++) { /* and about a corner, which goes the other way */
    int first = 0, count = CONVK_SOLID_PLAIN_;
    while (!done[v][first] || first == v || convk_solid_square_(corner[v], corner[first]) > 1.01 * square) first++;
    w = first;
    do {
      loop[--count] = point[v][w];
      w = convk_polyhedron_next_(corner, n, square, w, v);
    } while (w != first);
    convk_polyhedron_polygon_(s, loop + count, CONVK_SOLID_PLAIN_ - count);
  }
  return CONVK_OK;
}

/* ---- spheres: an icosahedron whose edges have n parts ----
   A face of it has rows 0 .. n of points, 1 in the first, at its corner A, up to n + 1 between B and C:
       A = (0, 0)
       (1, 0) (1, 1)
   B = (2, 0) (2, 1) (2, 2) = C
   Corners have the first numbers, then come points within the edges, then those within the faces. */

CONVK_RARE_ int convk_solid_sphere_(char *message, convk_solid_ *s, size_t n) {
  int i, k, e = 0;
  if (!n) return convk_refuse_(message, CONVK_ERR_SIZE, "n is 0");
  if (n > 7327) /* 20 n^2 is above 2^30 */
    return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "n is %, more than 7327", (int64_t)n, 0, 0);
  (void)convk_solid_polyhedron_(NULL, s, CONVK_MESH_ICOSAHEDRON, 1, 0);
  for (i = 0; i < 60; i++) {
    const unsigned char a = s->face[i / 3][i % 3], b = s->face[i / 3][(i + 1) % 3];
    if (a > b) continue;
    s->edge[e][0] = a;
    s->edge[e][1] = b;
    s->number[a][b] = s->number[b][a] = (unsigned char)e++;
  }
  for (i = 0; i < 12; i++) {
    const double origin[3] = {0, 0, 0}, r = convk_sqrt_(convk_solid_square_(s->corner[i], origin));
    for (k = 0; k < 3; k++) s->corner[i][k] /= r;
  }
  s->kind = CONVK_SOLID_SPHERE_;
  s->n = n;
  s->vertices = 10 * n * n + 2;
  s->faces = 20 * n * n;
  return CONVK_OK;
}

/* The whole part of the root of k. */
CONVK_LOCAL_ size_t convk_sphere_root_(size_t k) {
  size_t r = (size_t)convk_sqrt_((double)k);
  while (r * r > k) r--;
  while ((r + 1) * (r + 1) <= k) r++;
  return r;
}

/* Point `at` of n from corner a to b. */
CONVK_LOCAL_ size_t convk_sphere_on_edge_(const convk_solid_ *s, size_t a, size_t b, size_t at) {
  return 12 + s->number[a][b] * (s->n - 1) + (a < b ? at : s->n - at) - 1;
}

/* The number of a point of a face. */
CONVK_RARE_ size_t convk_sphere_point_(const convk_solid_ *s, size_t face, size_t row, size_t k) {
  const size_t n = s->n, a = s->face[face][0], b = s->face[face][1], c = s->face[face][2];
  if (row == 0) return a;
  if (row == n && k == 0) return b;
  if (row == n && k == n) return c;
  if (k == 0) return convk_sphere_on_edge_(s, a, b, row);
  if (k == row) return convk_sphere_on_edge_(s, a, c, row);
  if (row == n) return convk_sphere_on_edge_(s, b, c, k);
  return 12 + 30 * (n - 1) + face * ((n - 1) * (n - 2) / 2) + (row - 2) * (row - 1) / 2 + k - 1;
}

/* Row r of a face has r triangles that point down and r + 1 that point up, in turn. */
CONVK_RARE_ void convk_sphere_face_(const convk_solid_ *s, size_t i, size_t f[3]) {
  const size_t face = i / (s->n * s->n), t = i % (s->n * s->n), row = convk_sphere_root_(t), k = (t - row * row) / 2;
  const int up = (t - row * row) % 2 == 0;
  f[0] = convk_sphere_point_(s, face, row, k);
  f[1] = convk_sphere_point_(s, face, row + 1, up ? k : k + 1);
  f[2] = up ? convk_sphere_point_(s, face, row + 1, k + 1) : convk_sphere_point_(s, face, row, k + 1);
}

/* sin(part/n of the icosahedron's arc), to rounding. */
CONVK_LOCAL_ double convk_sphere_share_(size_t part, size_t n) {
  const double x = CONVK_ICOSAHEDRON_ARC_ * (double)part / (double)n, z = x * x;
  double s = 1;
  int k;
  for (k = 19; k > 1; k -= 2) s = 1 - z / (k * (k - 1)) * s;
  return x * s;
}

/* Shares of the corners, so that points of an edge are equally far from each other, then onto the sphere. */
CONVK_RARE_ void convk_sphere_vertex_(const convk_solid_ *s, size_t i, double v[3]) {
  const double origin[3] = {0, 0, 0};
  const size_t n = s->n;
  size_t corner[3] = {0, 0, 0}, part[3] = {0, 0, 0}, k;
  double r;
  int d;
  if (i < 12) {
    corner[0] = i;
    part[0] = n;
  } else if (i < 12 + 30 * (n - 1)) {
    const unsigned char *edge = s->edge[(i - 12) / (n - 1)];
    corner[0] = edge[0];
    corner[1] = edge[1];
    part[1] = (i - 12) % (n - 1) + 1;
    part[0] = n - part[1];
  } else {
    const size_t within = (n - 1) * (n - 2) / 2, j = i - 12 - 30 * (n - 1), t = j % within;
    const size_t row = (convk_sphere_root_(8 * t + 1) - 1) / 2;
    for (d = 0; d < 3; d++) corner[d] = s->face[j / within][d];
    part[2] = t - row * (row + 1) / 2 + 1;
    part[1] = row + 2 - part[2];
    part[0] = n - row - 2;
  }
  for (d = 0; d < 3; d++)
    for (v[d] = 0, k = 0; k < 3; k++) v[d] += convk_sphere_share_(part[k], n) * s->corner[corner[k]][d];
  r = convk_sqrt_(convk_solid_square_(v, origin));
  for (d = 0; d < 3; d++) v[d] *= s->size[d] / r;
}

/* ---- all of them ---- */

CONVK_LOCAL_ void convk_solid_vertex_(const convk_solid_ *s, size_t i, double v[3]) {
  if (s->kind == CONVK_SOLID_SPHERE_) convk_sphere_vertex_(s, i, v);
  else if (s->kind == CONVK_SOLID_POLYHEDRON_) memcpy(v, s->corner[i], 3 * sizeof *v);
  else convk_prism_vertex_(s, i, v);
}

CONVK_LOCAL_ void convk_solid_face_(const convk_solid_ *s, size_t i, size_t f[3]) {
  int d;
  if (s->kind == CONVK_SOLID_SPHERE_) convk_sphere_face_(s, i, f);
  else if (s->kind != CONVK_SOLID_POLYHEDRON_) convk_prism_face_(s, i, f);
  else
    for (d = 0; d < 3; d++) f[d] = s->face[i][d];
}
