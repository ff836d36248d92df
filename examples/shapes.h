/* Bodies by name, as the particles of small-angle scattering: closed surfaces of vertices and triangles that face outward.
 *   box:AxBxC                    sides along x, y and z
 *   prism:NxSIDExHEIGHT          of N equal sides
 *   pyramid:SIDExHEIGHT[xTOP]    on a square; cut off where its square is still TOP wide
 *   tetrahedron:EDGE
 *   octahedron:EDGE[xCUT]        truncated: its corners are cut off, CUT along their edges; EDGE / 3 makes all edges equal
 *   cylinder:RADIUSxHEIGHT[xFACET]
 *   sphere:RADIUS[xFACET]        corners on the surface, edges up to FACET long; FACET is RADIUS / 6 unless it is given
 * The axis is z; the middle of the height is the origin. Flat faces have as few triangles as they can.
 *
 * Functions return 0, or -1 with a message. The caller releases a mesh with shape_free. Before this text comes convk.h. */
#ifndef SHAPES_H
#define SHAPES_H

#include "stl.h" /* decimal numbers */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More are refused; define it before the inclusion to have them. */
#ifndef SHAPE_MAX_TRIANGLES
#define SHAPE_MAX_TRIANGLES ((size_t)1 << 24)
#endif

enum { SHAPE_BOX, SHAPE_PRISM, SHAPE_PYRAMID, SHAPE_TETRAHEDRON, SHAPE_OCTAHEDRON, SHAPE_CYLINDER, SHAPE_SPHERE, SHAPE_KINDS };

static const struct {
  const char *name, *numbers;
  int least, most; /* of the numbers */
} shape_kinds[SHAPE_KINDS] = {{"box", "AxBxC", 3, 3},
                              {"prism", "NxSIDExHEIGHT", 3, 3},
                              {"pyramid", "SIDExHEIGHT[xTOP]", 2, 3},
                              {"tetrahedron", "EDGE", 1, 1},
                              {"octahedron", "EDGE[xCUT]", 1, 2},
                              {"cylinder", "RADIUSxHEIGHT[xFACET]", 2, 3},
                              {"sphere", "RADIUS[xFACET]", 1, 2}};

/* What a name says; a number that is left out is 0, but FACET. */
typedef struct shape {
  int kind;
  double number[3];
} shape;

#define SHAPE_PI_ 3.14159265358979323846

static inline int shape_fail_(char *message, size_t message_size, const char *what, const char *more) {
  if (message) {
    snprintf(message, message_size, "%s%s", what, more);
  }
  return -1;
}

/* ---- names ---- */

static inline int shape_parse(shape *s, const char *text, char *message, size_t message_size) {
  const size_t length = strcspn(text, ":");
  const char *at = text + length;
  int count = 0;
  memset(s, 0, sizeof *s);
  while (s->kind < SHAPE_KINDS &&
         (strlen(shape_kinds[s->kind].name) != length || strncmp(shape_kinds[s->kind].name, text, length) != 0)) {
    s->kind++;
  }
  if (s->kind == SHAPE_KINDS) {
    return shape_fail_(message, message_size,
                       "a box, prism, pyramid, tetrahedron, octahedron, cylinder or sphere is wanted, not ", text);
  }
  while (*at) {
    const size_t digits = strcspn(++at, "x");
    char word[32];
    if (count == shape_kinds[s->kind].most || digits >= sizeof word) {
      count = 0;
      break;
    }
    memcpy(word, at, digits);
    word[digits] = '\0';
    at += digits;
    /* smaller or larger ones leave no room for volumes, and for f32 */
    if (stl_decimal_(word, &s->number[count]) || !(s->number[count] <= 1e12) ||
        !(s->number[count] >= 1e-12 || (count == 1 && s->kind == SHAPE_OCTAHEDRON && s->number[1] >= 0) ||
          (count == 2 && s->kind == SHAPE_PYRAMID && s->number[2] >= 0))) {
      return shape_fail_(message, message_size, "a number from 1e-12 to 1e12 is wanted, not ", word);
    }
    count++;
  }
  if (count < shape_kinds[s->kind].least) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s:%s", shape_kinds[s->kind].name, shape_kinds[s->kind].numbers);
    return shape_fail_(message, message_size, wanted, " is wanted");
  }
  if (s->kind == SHAPE_PRISM && !(s->number[0] >= 3 && s->number[0] <= 10000 && floor(s->number[0]) >= s->number[0])) {
    return shape_fail_(message, message_size, "a prism has a whole number of sides, from 3 to 10000", "");
  }
  if (s->kind == SHAPE_PYRAMID && !(s->number[2] <= s->number[0])) {
    return shape_fail_(message, message_size, "the top of a pyramid is not wider than its base", "");
  }
  if (s->kind == SHAPE_OCTAHEDRON && !(s->number[1] <= s->number[0] / 2)) {
    return shape_fail_(message, message_size, "at most half of each edge of an octahedron can be cut off at a corner", "");
  }
  if ((s->kind == SHAPE_CYLINDER || s->kind == SHAPE_SPHERE) && count < shape_kinds[s->kind].most) {
    s->number[count] = s->number[0] / 6;
  }
  return 0;
}

/* ---- triangles ---- */

typedef struct shape_triangles_ {
  size_t n, room; /* no room: memory was short, or there are too many */
  double *corners;
  int failed;
} shape_triangles_;

static inline double shape_square_(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/* One of them; without area it is left out, as where a pyramid's top is a point. */
static inline void shape_triangle_(shape_triangles_ *t, const double a[3], const double b[3], const double c[3]) {
  const size_t size = 3 * sizeof *a;
  if (t->failed || !(shape_square_(a, b) > 0 && shape_square_(b, c) > 0 && shape_square_(c, a) > 0)) {
    return;
  }
  if (t->n == t->room) {
    const size_t room = 2 * t->room + 64;
    double *more = room <= 2 * SHAPE_MAX_TRIANGLES ? (double *)realloc(t->corners, room * 3 * size) : NULL;
    if (!more) {
      t->failed = 1;
      return;
    }
    t->corners = more;
    t->room = room;
  }
  memcpy(t->corners + 9 * t->n, a, size);
  memcpy(t->corners + 9 * t->n + 3, b, size);
  memcpy(t->corners + 9 * t->n + 6, c, size);
  t->n++;
}

static inline void shape_polygon_(shape_triangles_ *t, const double (*p)[3], size_t n, int reversed) {
  size_t i;
  for (i = 2; i < n; i++) {
    shape_triangle_(t, p[0], p[reversed ? i : i - 1], p[reversed ? i - 1 : i]);
  }
}

/* A polygon of n sides at z = -height / 2, and above it the same, `top` times as large. */
static inline void shape_frustum_(shape_triangles_ *t, const double (*base)[2], size_t n, double height, double top) {
  double(*p)[3] = (double(*)[3])malloc(2 * n * sizeof *p);
  size_t i;
  int d;
  if (!p) {
    t->failed = 1;
    return;
  }
  for (i = 0; i < n; i++) {
    for (d = 0; d < 2; d++) {
      p[i][d] = base[i][d];
      p[n + i][d] = top * base[i][d];
    }
    p[i][2] = -height / 2;
    p[n + i][2] = height / 2;
  }
  shape_polygon_(t, (const double(*)[3])p, n, 1);
  shape_polygon_(t, (const double(*)[3])(p + n), n, 0);
  for (i = 0; i < n; i++) {
    const size_t next = (i + 1) % n;
    shape_triangle_(t, p[i], p[next], p[n + next]);
    shape_triangle_(t, p[i], p[n + next], p[n + i]);
  }
  free(p);
}

/* The same of n equal sides with corners at a radius. */
static inline void shape_regular_(shape_triangles_ *t, size_t n, double radius, double height, double top) {
  double(*base)[2] = (double(*)[2])malloc(n * sizeof *base);
  size_t i;
  if (!base) {
    t->failed = 1;
    return;
  }
  for (i = 0; i < n; i++) {
    base[i][0] = radius * cos(2 * SHAPE_PI_ * (double)i / (double)n);
    base[i][1] = radius * sin(2 * SHAPE_PI_ * (double)i / (double)n);
  }
  shape_frustum_(t, (const double(*)[2])base, n, height, top);
  free(base);
}

/* |x| + |y| + |z| <= a where no coordinate is above a - c: a hexagon in each octant, a square at each corner. */
static inline void shape_octahedron_(shape_triangles_ *t, double a, double c) {
  static const int around[6][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
  const double at[3] = {0, c, a - c};
  int octant, axis, side, i, d;
  for (octant = 0; octant < 8; octant++) {
    double p[6][3];
    for (i = 0; i < 6; i++) {
      for (d = 0; d < 3; d++) {
        p[i][d] = (octant >> d & 1 ? -1 : 1) * at[around[i][d]];
      }
    }
    shape_polygon_(t, (const double(*)[3])p, 6, 0x96 >> octant & 1);
  }
  for (axis = 0; axis < 3; axis++) {
    for (side = 0; side < 2; side++) {
      double p[4][3];
      memset(p, 0, sizeof p);
      for (i = 0; i < 4; i++) {
        p[i][axis] = side ? c - a : a - c;
        p[i][(axis + 1 + i % 2) % 3] = i < 2 ? c : -c;
      }
      shape_polygon_(t, (const double(*)[3])p, 4, side);
    }
  }
}

/* Its corners are (0, +-1, +-g), (+-1, +-g, 0) and (+-g, 0, +-1), g the golden ratio; neighbours have a distance of 2. */
static inline void shape_icosahedron_(shape_triangles_ *t, double radius) {
  const double g = (1 + sqrt(5)) / 2, unit = radius / sqrt(1 + g * g);
  double p[12][3];
  int i, j, k;
  for (i = 0; i < 12; i++) {
    p[i][i % 3] = 0;
    p[i][(i + 1) % 3] = i & 1 ? unit : -unit;
    p[i][(i + 2) % 3] = i < 6 ? g * unit : -g * unit;
  }
  for (i = 0; i < 12; i++) {
    for (j = i + 1; j < 12; j++) {
      for (k = j + 1; k < 12; k++) {
        const double *a = p[i], *b = p[j], *c = p[k], longest = 5 * unit * unit;
        if (shape_square_(a, b) < longest && shape_square_(b, c) < longest && shape_square_(c, a) < longest) {
          const double outward =
              a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
          shape_triangle_(t, a, outward > 0 ? b : c, outward > 0 ? c : b);
        }
      }
    }
  }
}

/* Halves edges, of which the two triangles of each agree, until none is longer than `longest`; with a radius all of a turn are
 * halved, and the new corners put on the sphere. */
static inline void shape_refine_(shape_triangles_ *t, double longest, double radius) {
  int again = 1;
  while (again && !t->failed) {
    shape_triangles_ finer = {0, 0, NULL, 0};
    size_t i;
    int d, e;
    again = 0;
    for (i = 0; i < 3 * t->n; i++) {
      again |= shape_square_(t->corners + 3 * i, t->corners + 3 * (i % 3 == 2 ? i - 2 : i + 1)) > longest * longest;
    }
    for (i = 0; i < t->n && again; i++) {
      const double *v[3];
      double middle[3][3];
      int split[3], count = 0;
      for (e = 0; e < 3; e++) {
        v[e] = t->corners + 9 * i + 3 * e;
      }
      for (e = 0; e < 3; e++) { /* edge e lies opposite to corner e */
        const double *a = v[(e + 1) % 3], *b = v[(e + 2) % 3];
        double size = 0;
        count += split[e] = radius > 0 || shape_square_(a, b) > longest * longest;
        for (d = 0; d < 3; d++) {
          middle[e][d] = (a[d] + b[d]) / 2;
          size += middle[e][d] * middle[e][d];
        }
        for (d = 0; d < 3 && radius > 0; d++) {
          middle[e][d] *= radius / sqrt(size);
        }
      }
      if (count == 0) {
        shape_triangle_(&finer, v[0], v[1], v[2]);
      } else if (count == 3) {
        shape_triangle_(&finer, middle[0], middle[1], middle[2]);
        for (e = 0; e < 3; e++) {
          shape_triangle_(&finer, v[e], middle[(e + 2) % 3], middle[(e + 1) % 3]);
        }
      } else { /* the corner beside or between the edges that are split, and what is left of the triangle */
        const int c = count == 1 ? (split[0] ? 1 : split[1] ? 2 : 0) : !split[0] ? 0 : !split[1] ? 1 : 2;
        const double *a = v[(c + 1) % 3], *b = v[(c + 2) % 3];
        if (count == 1) { /* edge c - 1, from c to c + 1 */
          const double *m = middle[(c + 2) % 3];
          shape_triangle_(&finer, v[c], m, b);
          shape_triangle_(&finer, m, a, b);
        } else {
          const double *to_a = middle[(c + 2) % 3], *to_b = middle[(c + 1) % 3];
          const int by_a = shape_square_(a, to_b) < shape_square_(b, to_a);
          shape_triangle_(&finer, v[c], to_a, to_b);
          shape_triangle_(&finer, to_a, a, by_a ? to_b : b);
          shape_triangle_(&finer, by_a ? a : to_a, b, to_b);
        }
      }
    }
    if (again) {
      free(t->corners);
      *t = finer;
    }
  }
}

/* ---- meshes ---- */

static inline void shape_free(convk_indexed_mesh_f64 *mesh) {
  free(mesh->x);
  free(mesh->face);
  memset(mesh, 0, sizeof *mesh);
}

/* The surface of a shape; edges longer than `longest` are halved, where it is not 0. */
static inline int shape_mesh(const shape *s, double longest, convk_indexed_mesh_f64 *mesh, char *message, size_t message_size) {
  const double a = s->number[0], b = s->number[1], c = s->number[2];
  shape_triangles_ t = {0, 0, NULL, 0};
  int status = CONVK_ERR_MEMORY;
  memset(mesh, 0, sizeof *mesh);
  switch (s->kind) {
    case SHAPE_BOX:
    case SHAPE_PYRAMID: {
      const double x = a / 2, y = (s->kind == SHAPE_BOX ? b : a) / 2;
      const double base[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
      shape_frustum_(&t, base, 4, s->kind == SHAPE_BOX ? c : b, s->kind == SHAPE_BOX ? 1 : c / a);
      break;
    }
    case SHAPE_PRISM: shape_regular_(&t, (size_t)a, b / 2 / sin(SHAPE_PI_ / a), c, 1); break;
    case SHAPE_TETRAHEDRON: shape_regular_(&t, 3, a / sqrt(3), a * sqrt(2.0 / 3), 0); break;
    case SHAPE_OCTAHEDRON: shape_octahedron_(&t, a / sqrt(2), b / sqrt(2)); break;
    case SHAPE_CYLINDER: {
      const double n = c < 2 * a ? ceil(SHAPE_PI_ / asin(c / (2 * a))) : 3;
      t.failed = !(n < (double)SHAPE_MAX_TRIANGLES / 4);
      if (!t.failed) {
        shape_regular_(&t, n > 3 ? (size_t)n : 3, a, b, 1);
      }
      break;
    }
    default: shape_icosahedron_(&t, a); shape_refine_(&t, b, a);
  }
  if (longest > 0) {
    shape_refine_(&t, longest, 0);
  }
  if (!t.failed && t.n <= SHAPE_MAX_TRIANGLES) {
    mesh->faces = t.n;
    mesh->x = (double *)malloc(9 * t.n * sizeof *mesh->x);
    mesh->face = (uint32_t *)malloc(3 * t.n * sizeof *mesh->face);
    if (mesh->x && mesh->face) {
      mesh->y = mesh->x + 3 * t.n;
      mesh->z = mesh->y + 3 * t.n;
      status = convk_mesh_join_f64(t.corners, mesh, NULL, 0);
    }
  }
  free(t.corners);
  if (status) {
    shape_free(mesh);
    return shape_fail_(message, message_size, "too many triangles, or ", convk_strerror(status));
  }
  return 0;
}

#endif
