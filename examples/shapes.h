/* The ready meshes of the library (convk_mesh_box_f64 and others) by name, as the particles of small-angle scattering.
 *   box:AxBxC                    sides along x, y and z
 *   prism:NxSIDExHEIGHT          of N equal sides
 *   pyramid:SIDExHEIGHT[xTOP]    on a square; cut off where its square is still TOP wide
 *   tetrahedron:EDGE             on one of its faces
 *   octahedron:EDGE[xCUT]        truncated: its corners are cut off, CUT along their edges; EDGE / 3 makes all edges equal
 *   cube:EDGE[xCUT]  dodecahedron:EDGE[xCUT]  icosahedron:EDGE[xCUT]     the same
 *   cone:RADIUSxHEIGHT[xFACET]  cylinder:RADIUSxHEIGHT[xFACET]
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

enum {
  SHAPE_BOX,
  SHAPE_PRISM,
  SHAPE_PYRAMID,
  SHAPE_TETRAHEDRON,
  SHAPE_OCTAHEDRON,
  SHAPE_CUBE,
  SHAPE_DODECAHEDRON,
  SHAPE_ICOSAHEDRON,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  SHAPE_KINDS
};

static const struct {
  const char *name, *numbers;
  int least, most; /* of the numbers */
} shape_kinds[SHAPE_KINDS] = {{"box", "AxBxC", 3, 3},
                              {"prism", "NxSIDExHEIGHT", 3, 3},
                              {"pyramid", "SIDExHEIGHT[xTOP]", 2, 3},
                              {"tetrahedron", "EDGE", 1, 1},
                              {"octahedron", "EDGE[xCUT]", 1, 2},
                              {"cube", "EDGE[xCUT]", 1, 2},
                              {"dodecahedron", "EDGE[xCUT]", 1, 2},
                              {"icosahedron", "EDGE[xCUT]", 1, 2},
                              {"cone", "RADIUSxHEIGHT[xFACET]", 2, 3},
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

static inline int shape_is_polyhedron_(int kind) { return kind >= SHAPE_OCTAHEDRON && kind <= SHAPE_ICOSAHEDRON; }
static inline int shape_is_round_(int kind) { return kind >= SHAPE_CONE; }

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
                       "a box, prism, pyramid, tetrahedron, octahedron, cube, dodecahedron, icosahedron, cone, cylinder or "
                       "sphere is wanted, not ",
                       text);
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
        !(s->number[count] >= 1e-12 || (count == 1 && shape_is_polyhedron_(s->kind) && s->number[1] >= 0) ||
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
  if (shape_is_polyhedron_(s->kind) && !(s->number[1] <= s->number[0] / 2)) {
    return shape_fail_(message, message_size, "at most half of each edge of a polyhedron can be cut off at a corner", "");
  }
  if (shape_is_round_(s->kind) && count < shape_kinds[s->kind].most) {
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

/* Halves edges, of which the two triangles of each agree, until none is longer than `longest`. */
static inline void shape_refine_(shape_triangles_ *t, double longest) {
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
        count += split[e] = shape_square_(a, b) > longest * longest;
        for (d = 0; d < 3; d++) {
          middle[e][d] = (a[d] + b[d]) / 2;
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

/* Room for a mesh of so many vertices and faces, or -1. */
static inline int shape_room_(convk_indexed_mesh_f64 *mesh, size_t vertices, size_t faces) {
  memset(mesh, 0, sizeof *mesh);
  mesh->vertices = vertices;
  mesh->faces = faces;
  mesh->x = (double *)malloc((3 * vertices + 1) * sizeof *mesh->x);
  mesh->face = (uint32_t *)malloc((3 * faces + 1) * sizeof *mesh->face);
  if (!mesh->x || !mesh->face) {
    shape_free(mesh);
    return -1;
  }
  mesh->y = mesh->x + vertices;
  mesh->z = mesh->y + vertices;
  return 0;
}

/* The library's mesh of a shape, into arrays that are there, or only its size: see mesh_box. */
static inline int shape_call_(const shape *s, convk_indexed_mesh_f64 *mesh) {
  static const int polyhedra[] = {CONVK_MESH_OCTAHEDRON, CONVK_MESH_CUBE, CONVK_MESH_DODECAHEDRON, CONVK_MESH_ICOSAHEDRON};
  const double a = s->number[0], b = s->number[1], c = s->number[2];
  const double around = c < 2 * a ? ceil(SHAPE_PI_ / asin(c / (2 * a))) : 3, parts = ceil(1.31 * a / b);
  switch (s->kind) {
    case SHAPE_BOX: return convk_mesh_box_f64(NULL, a, b, c, mesh);
    case SHAPE_PRISM: return convk_mesh_prism_f64(NULL, (size_t)a, b, c, mesh);
    case SHAPE_PYRAMID: return convk_mesh_pyramid_f64(NULL, a, a, b, c / a, mesh);
    case SHAPE_TETRAHEDRON: return convk_mesh_cylinder_f64(NULL, a / sqrt(3), a * sqrt(2.0 / 3), 0, 3, mesh);
    case SHAPE_CONE:
    case SHAPE_CYLINDER:
      return around > (double)SHAPE_MAX_TRIANGLES
                 ? CONVK_ERR_OVERFLOW
                 : convk_mesh_cylinder_f64(NULL, a, b, s->kind == SHAPE_CONE ? 0 : a, around > 3 ? (size_t)around : 3, mesh);
    case SHAPE_SPHERE:
      return parts > (double)SHAPE_MAX_TRIANGLES ? CONVK_ERR_OVERFLOW
                                                 : convk_mesh_sphere_f64(NULL, a, parts > 1 ? (size_t)parts : 1, mesh);
    default: return convk_mesh_polyhedron_f64(NULL, polyhedra[s->kind - SHAPE_OCTAHEDRON], a, b, mesh);
  }
}

/* The same mesh in triangles whose edges are not longer than `longest`. */
static inline int shape_split_(convk_indexed_mesh_f64 *mesh, double longest) {
  shape_triangles_ t = {mesh->faces, mesh->faces, NULL, 0};
  int status;
  t.corners = (double *)malloc(9 * mesh->faces * sizeof *t.corners);
  status = t.corners ? convk_mesh_corners_f64(NULL, mesh, t.corners) : CONVK_ERR_MEMORY;
  shape_free(mesh);
  if (!status) {
    shape_refine_(&t, longest);
    status = t.failed || t.n > SHAPE_MAX_TRIANGLES || shape_room_(mesh, 3 * t.n, t.n)
                 ? CONVK_ERR_MEMORY
                 : convk_mesh_join_f64(NULL, t.corners, mesh, NULL, 0);
  }
  free(t.corners);
  return status;
}

/* The surface of a shape; edges longer than `longest` are halved, where it is not 0. */
static inline int shape_mesh(const shape *s, double longest, convk_indexed_mesh_f64 *mesh, char *message, size_t message_size) {
  int status;
  memset(mesh, 0, sizeof *mesh);
  status = shape_call_(s, mesh); /* how large it is */
  if (!status && mesh->faces > SHAPE_MAX_TRIANGLES) {
    status = CONVK_ERR_OVERFLOW;
  }
  if (!status) {
    status = shape_room_(mesh, mesh->vertices, mesh->faces) ? CONVK_ERR_MEMORY : shape_call_(s, mesh);
  }
  if (!status && longest > 0) {
    status = shape_split_(mesh, longest);
  }
  if (status) {
    shape_free(mesh);
    return shape_fail_(message, message_size, "too many triangles, or ", convk_strerror(status));
  }
  return 0;
}

#endif
