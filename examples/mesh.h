/* Meshes of vertices and faces from OFF, PLY and OBJ files: a reader that refuses what it does not understand.
 *
 * OFF, a text; # begins a remark that ends with its line:
 *   OFF                             or COFF, NOFF, STOFF and the like, and then for each vertex a line, of which x y z are read
 *   vertices faces edges            (the edges are not used, and may be missing)
 *   x y z                           for each vertex; a line that goes on with a colour or a normal has one vertex
 *   k  v1 ... vk                    for each face, from 0; what follows on the line, as colours, is left out
 * PLY, as a text or binary, either byte order: a header, which says what elements of which numbers follow, is ended by
 * end_header. Elements `vertex` with x, y and z, and `face` or `tristrips` with a list vertex_indices or vertex_index are wanted; other
 * elements and other numbers of theirs are left out. In a strip each corner makes a triangle with the two before it, every other one
 * turned round, and -1 begins another strip.
 * OBJ, a text of lines, of which two kinds are read; a backslash ends a line that goes on in the next one:
 *   v x y z                         vertices
 *   f v1 v2 v3 ...                  faces: vertices from 1, or from the last one back by negative numbers; v1/t1/n1 is v1
 *
 * Faces of more than three corners are cut into triangles from their first corner, which is right where they are flat and
 * convex. Corners run anticlockwise seen from outside, as convk_mesh_from_faces has them.
 *
 * Functions return 0, or -1 with a message that names the line, or in the numbers of a binary file the byte, from 0. The
 * caller releases what was read with mesh_file_free. Numbers are read with a decimal point whatever the locale. */
#ifndef MESH_FILE_H
#define MESH_FILE_H

#include "stl.h" /* words and numbers of a text */

#include <stdint.h>

/* A larger file is refused; define it before the inclusion to read more. */
#ifndef MESH_FILE_MAX_BYTES
#define MESH_FILE_MAX_BYTES ((size_t)1 << 31)
#endif

#define MESH_FILE_MAX_ 1e153 /* areas of larger coordinates overflow */
#define MESH_FILE_PROPERTIES_ 64
#define MESH_FILE_ELEMENTS_ 16

typedef struct mesh_file {
  const char *kind;       /* OFF, PLY, OBJ */
  size_t vertices, faces; /* at least one face */
  double *x, *y, *z;
  uint32_t *face; /* three vertices of each */
  size_t room_;   /* for faces */
} mesh_file;

static inline void mesh_file_free(mesh_file *m) {
  free(m->x);
  free(m->face);
  memset(m, 0, sizeof *m);
}

/* Vertices, of which each takes at least `least` bytes of the file. */
static inline int mesh_file_vertices_(const file_reader *r, mesh_file *m, unsigned long long n, size_t least) {
  const size_t most = (size_t)(r->end - r->at) / least + 1;
  if (n > most || n > 0xffffffffu) {
    return file_fail(r, "%llu vertices announced, the file is too short for them", n);
  }
  m->vertices = (size_t)n;
  m->x = (double *)malloc((3 * m->vertices + 1) * sizeof *m->x);
  if (!m->x) {
    return file_fail(r, "not enough memory for %llu vertices", n);
  }
  m->y = m->x + m->vertices;
  m->z = m->y + m->vertices;
  return 0;
}

/* A triangle more. */
static inline int mesh_file_face_(const file_reader *r, mesh_file *m, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *to;
  if (m->faces == m->room_) {
    const size_t room = m->room_ ? 2 * m->room_ : 64;
    uint32_t *more = room <= (size_t)-1 / 24 ? (uint32_t *)realloc(m->face, 3 * room * sizeof *more) : NULL;
    if (!more) {
      return file_fail(r, "not enough memory for %lu triangles", (unsigned long)room);
    }
    m->face = more;
    m->room_ = room;
  }
  to = m->face + 3 * m->faces++;
  to[0] = a;
  to[1] = b;
  to[2] = c;
  return 0;
}

/* The vertex that a file names by a number, from 0. */
static inline int mesh_file_vertex_(const file_reader *r, const mesh_file *m, double index, uint32_t *vertex) {
  if (!(index >= 0 && index < (double)m->vertices)) {
    return file_fail(r, "a face names a vertex that is not there");
  }
  *vertex = (uint32_t)index;
  if ((double)*vertex < index) {
    return file_fail(r, "a vertex of a face is not a whole number");
  }
  return 0;
}

/* Corner i of a face comes: a triangle of the first, the last and this one. */
static inline int mesh_file_corner_(const file_reader *r, mesh_file *m, unsigned long long i, double index,
                                    uint32_t corner[2]) {
  uint32_t now = 0;
  if (mesh_file_vertex_(r, m, index, &now) || (i >= 2 && mesh_file_face_(r, m, corner[0], corner[1], now))) {
    return -1;
  }
  corner[i > 0] = now;
  return 0;
}

/* Corner i of a strip comes: a triangle of the two before it and this one, every other one turned round. Strips name corners twice where
 * they go on elsewhere, and such triangles are none. */
static inline int mesh_file_strip_(const file_reader *r, mesh_file *m, unsigned long long i, double index, uint32_t corner[2]) {
  uint32_t now = 0;
  if (mesh_file_vertex_(r, m, index, &now)) {
    return -1;
  }
  if (i >= 2 && now != corner[0] && now != corner[1] && corner[0] != corner[1] &&
      mesh_file_face_(r, m, corner[i % 2], corner[1 - i % 2], now)) {
    return -1;
  }
  corner[0] = i > 0 ? corner[1] : now;
  corner[1] = now;
  return 0;
}

static inline int mesh_file_value_(const file_reader *r, double x) {
  return fabs(x) <= MESH_FILE_MAX_ ? 0 : file_fail(r, "a coordinate is not finite, or too large");
}

/* ---- text ---- */

static inline void mesh_file_skip_(file_reader *r, int remarks) {
  stl_skip_space_(r);
  while (remarks && r->at < r->end && *r->at == '#') {
    stl_skip_line_(r);
    stl_skip_space_(r);
  }
}

static inline int mesh_file_number_(file_reader *r, int remarks, const char *what, double *value) {
  char token[STL_TOKEN_SIZE];
  mesh_file_skip_(r, remarks);
  if (stl_token_(r, what, token)) {
    return -1;
  }
  return stl_decimal_(token, value) ? file_fail(r, "%s is not a number", what) : 0;
}

/* A whole number that counts something. */
static inline int mesh_file_count_(file_reader *r, int remarks, const char *what, unsigned long long *n) {
  double value;
  if (mesh_file_number_(r, remarks, what, &value)) {
    return -1;
  }
  if (!(value >= 0 && value <= 4e9) || floor(value) < value) {
    return file_fail(r, "%s: a whole number from 0 to 4e9 is wanted", what);
  }
  *n = (unsigned long long)value;
  return 0;
}

/* Numbers in what is left of a line, up to a remark. */
static inline size_t mesh_file_line_(const file_reader *r) {
  const char *at = r->at;
  size_t words = 0;
  while (at < r->end && *at != '\n' && *at != '#') {
    const int begins = !stl_is_space_(*at) && (at == r->at || stl_is_space_(at[-1]));
    words += (size_t)begins;
    at++;
  }
  return words;
}

/* All vertices and faces; by_lines: what follows three coordinates on a line is left out. */
static inline int mesh_file_off_body_(file_reader *r, mesh_file *m, unsigned long long faces, int by_lines) {
  unsigned long long i, k, corners = 0;
  size_t v;
  m->faces = 0;
  for (v = 0; v < m->vertices; v++) {
    double *const to[3] = {m->x + v, m->y + v, m->z + v};
    mesh_file_skip_(r, 1);
    if (by_lines && mesh_file_line_(r) < 3) {
      return file_fail(r, "three coordinates of a vertex are wanted on this line");
    }
    for (k = 0; k < 3; k++) {
      if (mesh_file_number_(r, 1, "a coordinate", to[k]) || mesh_file_value_(r, *to[k])) {
        return -1;
      }
    }
    if (by_lines) {
      stl_skip_line_(r);
    }
  }
  for (i = 0; i < faces; i++) {
    uint32_t corner[2] = {0, 0};
    if (mesh_file_count_(r, 1, "the number of corners of a face", &corners)) {
      return -1;
    }
    if (corners < 3) {
      return file_fail(r, "a face has less than three corners");
    }
    for (k = 0; k < corners; k++) {
      double index;
      if (mesh_file_number_(r, 1, "a vertex of a face", &index) || mesh_file_corner_(r, m, k, index, corner)) {
        return -1;
      }
    }
    stl_skip_line_(r);
  }
  mesh_file_skip_(r, 1);
  return r->at < r->end ? file_fail(r, "something follows the last face") : 0;
}

/* The word OFF with letters that say what else vertices have: [ST][C][N]OFF. Returns where it ends, or NULL. */
static inline const char *mesh_file_off_word_(const char *at, const char *end, int *more) {
  static const char *const before[] = {"st", "c", "n"};
  size_t i, k;
  *more = 0;
  for (i = 0; i < 4; i++) {
    const char *const word = i < 3 ? before[i] : "off";
    const size_t length = strlen(word);
    for (k = 0; k < length && at + k < end && stl_lower_(at[k]) == word[k]; k++) {
    }
    if (k == length) {
      at += length;
      *more |= i < 3;
    } else if (i == 3) {
      return NULL;
    }
  }
  return at;
}

/* Vertices may take several lines, or several of them one line: so plain OFF is read first. A colour or a normal behind the coordinates
 * then leaves lines over, and each line has one vertex. */
static inline int mesh_file_off_(file_reader *r, mesh_file *m) {
  unsigned long long vertices = 0, faces = 0, edges = 0;
  const char *end;
  file_reader first, silent;
  size_t words;
  int more;
  m->kind = "OFF";
  mesh_file_skip_(r, 1);
  end = mesh_file_off_word_(r->at, r->end, &more);
  if (!end) {
    return file_fail(r, "OFF is wanted, or COFF, NOFF, STOFF for vertices with colours, normals, textures");
  }
  r->at = end;
  mesh_file_skip_(r, 1);
  if (r->end - r->at >= 6 && memcmp(r->at, "BINARY", 6) == 0) {
    return file_fail(r, "a binary OFF file is not supported: one in text is wanted");
  }
  if (mesh_file_count_(r, 1, "the number of vertices", &vertices) || mesh_file_count_(r, 1, "the number of faces", &faces)) {
    return -1;
  }
  if (!mesh_file_line_(r)) {
    mesh_file_skip_(r, 1);
  }
  words = mesh_file_line_(r); /* a number alone, on this line or on the next one, is that of edges */
  if ((words == 1 && mesh_file_count_(r, 1, "the number of edges", &edges)) || mesh_file_vertices_(r, m, vertices, 6)) {
    return -1;
  }
  mesh_file_skip_(r, 1);
  silent = first = *r;
  silent.message = NULL;
  if (!more && !mesh_file_off_body_(&silent, m, faces, 0)) {
    *r = silent;
    r->message = first.message;
    return 0;
  }
  return mesh_file_off_body_(r, m, faces, more || mesh_file_line_(&first) > 3);
}

/* ---- PLY ---- */

enum { PLY_TEXT_, PLY_LITTLE_, PLY_BIG_ };
enum { PLY_NONE_, PLY_I8_, PLY_U8_, PLY_I16_, PLY_U16_, PLY_I32_, PLY_U32_, PLY_F32_, PLY_F64_ };
enum { PLY_OTHER_, PLY_X_, PLY_Y_, PLY_Z_, PLY_CORNERS_, PLY_STRIP_ };

typedef struct ply_property_ {
  int type, count; /* count: the type of a list's length, or none */
  int means;
} ply_property_;

typedef struct ply_element_ {
  char name[STL_TOKEN_SIZE];
  unsigned long long n;
  size_t first, properties;
} ply_element_;

typedef struct ply_header_ {
  int format;
  size_t elements, properties;
  ply_element_ element[MESH_FILE_ELEMENTS_];
  ply_property_ property[MESH_FILE_PROPERTIES_];
} ply_header_;

static inline int ply_type_(const char *name) {
  static const char *const names[] = {"char", "int8",  "uchar", "uint8",  "short", "int16",   "ushort", "uint16",
                                      "int",  "int32", "uint",  "uint32", "float", "float32", "double", "float64"};
  int i;
  for (i = 0; i < 16; i++) {
    if (strcmp(name, names[i]) == 0) {
      return PLY_I8_ + i / 2;
    }
  }
  return PLY_NONE_;
}

static inline size_t ply_bytes_(int type) {
  static const size_t bytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return bytes[type];
}

/* IEEE numbers from their bits, whatever this machine has. */
static inline double ply_real_(uint64_t bits, int fraction_bits, int exponent_bits) {
  const uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
  const int top = (1 << exponent_bits) - 1, exponent = (int)(bits >> fraction_bits) & top, bias = top / 2;
  const double size = exponent == top ? HUGE_VAL
                      : exponent ? ldexp((double)(fraction | (uint64_t)1 << fraction_bits), exponent - bias - fraction_bits)
                                 : ldexp((double)fraction, 1 - bias - fraction_bits);
  return bits >> (fraction_bits + exponent_bits) & 1 ? -size : size; /* not a number reads as infinity */
}

static inline int ply_number_(file_reader *r, const ply_header_ *h, int type, double *value) {
  const size_t bytes = ply_bytes_(type);
  uint64_t bits = 0;
  size_t k;
  if (h->format == PLY_TEXT_) {
    return mesh_file_number_(r, 0, "a number", value);
  }
  if ((size_t)(r->end - r->at) < bytes) {
    r->at = r->end;
    return file_fail(r, "the file ends before a number");
  }
  for (k = 0; k < bytes; k++) {
    bits |= (uint64_t)(unsigned char)r->at[h->format == PLY_LITTLE_ ? k : bytes - 1 - k] << 8 * k;
  }
  r->at += bytes;
  if (type == PLY_F32_) {
    *value = ply_real_(bits, 23, 8);
  } else if (type == PLY_F64_) {
    *value = ply_real_(bits, 52, 11);
  } else {
    *value = (double)bits;
    if ((type == PLY_I8_ || type == PLY_I16_ || type == PLY_I32_) && bits >> (8 * bytes - 1)) {
      *value -= ldexp(1, (int)(8 * bytes));
    }
  }
  return 0;
}

/* The words of a line of the header, in lower case; how many, or -1. */
static inline int ply_line_(file_reader *r, char word[5][STL_TOKEN_SIZE]) {
  int words = 0;
  for (;;) {
    size_t length = 0;
    while (r->at < r->end && *r->at != '\n' && stl_is_space_(*r->at)) {
      r->at++;
    }
    if (r->at == r->end) {
      return file_fail(r, "the file ends in its header");
    }
    if (*r->at == '\n') {
      r->at++;
      return words;
    }
    while (r->at < r->end && !stl_is_space_(*r->at)) {
      if (length + 1 == STL_TOKEN_SIZE || !*r->at) {
        return file_fail(r, "a word of the header is none");
      }
      if (words < 5) {
        word[words][length++] = stl_lower_(*r->at);
      }
      r->at++;
    }
    if (words < 5) {
      word[words++][length] = '\0';
    }
    if (words == 1 && (strcmp(word[0], "comment") == 0 || strcmp(word[0], "obj_info") == 0)) {
      stl_skip_line_(r);
    }
  }
}

static inline int ply_property_of_(const file_reader *r, ply_header_ *h, char word[5][STL_TOKEN_SIZE], int words) {
  ply_element_ *e = h->elements ? &h->element[h->elements - 1] : NULL;
  const int list = words == 5 && strcmp(word[1], "list") == 0;
  const char *name = word[list ? 4 : 2];
  ply_property_ p = {PLY_NONE_, PLY_NONE_, PLY_OTHER_};
  if (!e || (!list && words != 3)) {
    return file_fail(r, "a property of an element is wanted");
  }
  if (h->properties == MESH_FILE_PROPERTIES_) {
    return file_fail(r, "more than %d properties", MESH_FILE_PROPERTIES_);
  }
  p.type = ply_type_(word[list ? 3 : 1]);
  p.count = list ? ply_type_(word[2]) : PLY_NONE_;
  if (!p.type || (list && (!p.count || p.count >= PLY_F32_))) {
    return file_fail(r, "a property of an unknown type");
  }
  if (strcmp(e->name, "vertex") == 0 && !list && name[0] >= 'x' && name[0] <= 'z' && !name[1]) {
    p.means = PLY_X_ + (name[0] - 'x');
  }
  if (list && (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0)) {
    p.means = strcmp(e->name, "face") == 0 ? PLY_CORNERS_ : strcmp(e->name, "tristrips") == 0 ? PLY_STRIP_ : PLY_OTHER_;
  }
  h->property[h->properties++] = p;
  e->properties++;
  return 0;
}

static inline int ply_header_read_(file_reader *r, ply_header_ *h) {
  char word[5][STL_TOKEN_SIZE];
  int words, formats = 0;
  memset(h, 0, sizeof *h);
  words = ply_line_(r, word);
  if (words < 0) {
    return -1;
  }
  if (words != 1 || strcmp(word[0], "ply") != 0) {
    return file_fail(r, "ply is wanted");
  }
  for (;;) {
    r->line++;
    words = ply_line_(r, word);
    if (words < 0) {
      return -1;
    }
    if (words == 0 || strcmp(word[0], "comment") == 0 || strcmp(word[0], "obj_info") == 0) {
      continue;
    }
    if (strcmp(word[0], "end_header") == 0 && words == 1) {
      break;
    }
    if (strcmp(word[0], "format") == 0 && words == 3 && !h->elements && !formats) {
      formats = 1;
      h->format = strcmp(word[1], "ascii") == 0                  ? PLY_TEXT_
                  : strcmp(word[1], "binary_little_endian") == 0 ? PLY_LITTLE_
                  : strcmp(word[1], "binary_big_endian") == 0    ? PLY_BIG_
                                                                 : -1;
      if (h->format < 0 || strcmp(word[2], "1.0") != 0) {
        return file_fail(r, "an unknown format");
      }
    } else if (strcmp(word[0], "element") == 0 && words == 3) {
      ply_element_ *e = &h->element[h->elements];
      double n;
      if (h->elements == MESH_FILE_ELEMENTS_) {
        return file_fail(r, "more than %d elements", MESH_FILE_ELEMENTS_);
      }
      if (stl_decimal_(word[2], &n) || !(n >= 0 && n <= 4e9) || floor(n) < n) {
        return file_fail(r, "the number of elements is none");
      }
      memcpy(e->name, word[1], sizeof e->name);
      e->n = (unsigned long long)n;
      e->first = h->properties;
      h->elements++;
    } else if (strcmp(word[0], "property") != 0 || ply_property_of_(r, h, word, words)) {
      return strcmp(word[0], "property") == 0 ? -1 : file_fail(r, "a line of the header is not understood");
    }
  }
  return formats ? 0 : file_fail(r, "the header names no format");
}

/* One element: its numbers go where they belong. */
static inline int ply_element_read_(file_reader *r, const ply_header_ *h, const ply_element_ *e, mesh_file *m, size_t i) {
  size_t k;
  for (k = e->first; k < e->first + e->properties; k++) {
    const ply_property_ *p = &h->property[k];
    uint32_t corner[2] = {0, 0};
    double value, count = 1;
    unsigned long long c, strip = 0; /* corners of a strip so far */
    if (p->count) {
      if (ply_number_(r, h, p->count, &count)) {
        return -1;
      }
      if (!(count >= 0 && count <= 4e9) || floor(count) < count || (p->means == PLY_CORNERS_ && count < 3)) {
        return file_fail(r, p->means == PLY_CORNERS_ ? "a face has less than three corners" : "the length of a list is none");
      }
    }
    for (c = 0; (double)c < count; c++) {
      if (ply_number_(r, h, p->type, &value)) {
        return -1;
      }
      if (p->means == PLY_CORNERS_) {
        if (mesh_file_corner_(r, m, c, value, corner)) {
          return -1;
        }
      } else if (p->means == PLY_STRIP_) {
        if (value < 0 && value >= -1) {
          strip = 0;
        } else if (mesh_file_strip_(r, m, strip++, value, corner)) {
          return -1;
        }
      } else if (p->means != PLY_OTHER_) {
        double *const to[3] = {m->x, m->y, m->z};
        to[p->means - PLY_X_][i] = value;
        if (mesh_file_value_(r, value)) {
          return -1;
        }
      }
    }
  }
  return 0;
}

static inline int mesh_file_ply_(file_reader *r, mesh_file *m) {
  ply_header_ h;
  size_t e, k, i;
  m->kind = "PLY";
  if (ply_header_read_(r, &h)) {
    return -1;
  }
  r->line = h.format == PLY_TEXT_ ? r->line + 1 : 0;
  for (e = 0; e < h.elements; e++) {
    const ply_element_ *element = &h.element[e];
    const int vertex = strcmp(element->name, "vertex") == 0;
    size_t least = 0, known = 0;
    for (k = element->first; k < element->first + element->properties; k++) {
      const int type = h.property[k].count ? h.property[k].count : h.property[k].type;
      least += h.format == PLY_TEXT_ ? 2 : ply_bytes_(type);
      known |= (size_t)1 << h.property[k].means;
    }
    if (vertex && (m->x || (known & 14) != 14)) {
      return file_fail(r, "vertices come once, and have x, y and z");
    }
    if (vertex && mesh_file_vertices_(r, m, element->n, least)) {
      return -1;
    }
    if (!least && element->n) {
      return file_fail(r, "an element without properties");
    }
    for (i = 0; i < element->n; i++) {
      if (ply_element_read_(r, &h, element, m, i)) {
        return -1;
      }
    }
  }
  if (h.format == PLY_TEXT_) {
    stl_skip_space_(r);
  }
  return r->at < r->end ? file_fail(r, "something follows the last element") : 0;
}

/* ---- OBJ ---- */

/* Behind blanks, and behind a backslash at the end of a line; whether something is left of the line. */
static inline int obj_more_(file_reader *r) {
  for (;;) {
    const char *at;
    while (r->at < r->end && *r->at != '\n' && stl_is_space_(*r->at)) {
      r->at++;
    }
    at = r->at;
    if (at == r->end || *at != '\\') {
      return at < r->end && *at != '\n' && *at != '#';
    }
    for (at++; at < r->end && *at == '\r'; at++) {
    }
    if (at < r->end && *at != '\n') {
      return 1;
    }
    r->at = at < r->end ? at + 1 : at;
    r->line += at < r->end;
  }
}

static inline int obj_vertex_(file_reader *r, mesh_file *m, size_t *room) {
  double *const to[3] = {m->x, m->y, m->z};
  double value;
  int k;
  if (m->vertices == *room) {
    const size_t more = *room ? 2 * *room : 64;
    double *grown = more <= (size_t)-1 / 24 && more <= 0xffffffffu ? (double *)malloc((3 * more + 1) * sizeof *grown) : NULL;
    if (!grown) {
      return file_fail(r, "not enough memory for %lu vertices", (unsigned long)more);
    }
    for (k = 0; k < 3 && m->vertices; k++) {
      memcpy(grown + (size_t)k * more, to[k], m->vertices * sizeof *grown);
    }
    free(m->x);
    m->x = grown;
    m->y = grown + more;
    m->z = grown + 2 * more;
    *room = more;
    return obj_vertex_(r, m, room);
  }
  for (k = 0; k < 3; k++) {
    if (!obj_more_(r)) {
      return file_fail(r, "three coordinates of a vertex are wanted");
    }
    if (mesh_file_number_(r, 0, "a coordinate", &value) || mesh_file_value_(r, value)) {
      return -1;
    }
    to[k][m->vertices] = value;
  }
  m->vertices++;
  return 0;
}

/* v, v/t, v//n or v/t/n: the first number counts from 1, or back from the last vertex. */
static inline int obj_face_(file_reader *r, mesh_file *m) {
  uint32_t corner[2] = {0, 0};
  unsigned long long corners = 0;
  while (obj_more_(r)) {
    char token[STL_TOKEN_SIZE], *slash;
    double index;
    if (stl_token_(r, "a vertex of a face", token)) {
      return -1;
    }
    slash = strchr(token, '/');
    if (slash) {
      *slash = '\0';
    }
    if (stl_decimal_(token, &index)) {
      return file_fail(r, "a vertex of a face is not a number");
    }
    if (mesh_file_corner_(r, m, corners++, index < 0 ? (double)m->vertices + index : index - 1, corner)) {
      return -1;
    }
  }
  return corners < 3 ? file_fail(r, "a face has less than three corners") : 0;
}

static inline int mesh_file_obj_(file_reader *r, mesh_file *m) {
  size_t room = 0;
  m->kind = "OBJ";
  for (mesh_file_skip_(r, 1); r->at < r->end; mesh_file_skip_(r, 1)) {
    char token[STL_TOKEN_SIZE];
    const char *end = r->at;
    while (end < r->end && !stl_is_space_(*end)) {
      end++;
    }
    if (end - r->at == 1 && (*r->at == 'v' || *r->at == 'f')) {
      const int face = *r->at == 'f';
      if (stl_token_(r, "v or f", token) || (face ? obj_face_(r, m) : obj_vertex_(r, m, &room))) {
        return -1;
      }
    }
    while (obj_more_(r)) { /* colours and weights of vertices, and lines of other kinds */
      for (; r->at < r->end && !stl_is_space_(*r->at); r->at++) {
      }
    }
    stl_skip_line_(r);
  }
  return 0;
}

/* Whether the first word of a text is one that begins a line of OBJ. */
static inline int obj_begins_(const file_reader *r) {
  static const char *const words[] = {"v", "vt", "vn", "vp", "f", "o", "g", "s", "l", "p", "mtllib", "usemtl"};
  file_reader at = *r;
  size_t i, length;
  mesh_file_skip_(&at, 1);
  for (i = 0; i < sizeof words / sizeof *words; i++) {
    length = strlen(words[i]);
    if ((size_t)(at.end - at.at) > length && memcmp(at.at, words[i], length) == 0 && stl_is_space_(at.at[length])) {
      return 1;
    }
  }
  return 0;
}

/* ---- all ---- */

static inline int ply_begins_(const file_reader *r) {
  return r->end - r->at >= 4 && memcmp(r->at, "ply", 3) == 0 && stl_is_space_(r->at[3]);
}

static inline int mesh_file_parse_(file_reader *r, void *result) {
  mesh_file *const m = (mesh_file *)result;
  int status;
  file_skip_mark(r);
  status = ply_begins_(r) ? mesh_file_ply_(r, m) : obj_begins_(r) ? mesh_file_obj_(r, m) : mesh_file_off_(r, m);
  return !status && !m->faces ? file_fail(r, "no faces") : status;
}

static inline void mesh_file_release_(void *m) { mesh_file_free((mesh_file *)m); }
static const file_format mesh_file_format_ = {sizeof(mesh_file), MESH_FILE_MAX_BYTES - 1, 1, mesh_file_parse_,
                                              mesh_file_release_};

/* Whether a file begins as one that is read here does; else it may be an STL file. */
static inline int mesh_file_knows(const char *bytes, size_t size) {
  file_reader r = file_reader_of(bytes, size, 1, NULL, 0);
  int more;
  file_skip_mark(&r);
  if (ply_begins_(&r) || obj_begins_(&r)) {
    return 1;
  }
  mesh_file_skip_(&r, 1);
  return mesh_file_off_word_(r.at, r.end, &more) != NULL;
}

/* Reads a mesh from bytes[0..size-1]. message, which may be NULL, is written only on failure; *m is then empty. */
static inline int mesh_file_parse(mesh_file *m, const char *bytes, size_t size, char *message, size_t message_size) {
  return file_parse(&mesh_file_format_, m, bytes, size, message, message_size);
}

/* The same from a file. */
static inline int mesh_file_read(mesh_file *m, const char *path, char *message, size_t message_size) {
  return file_read(&mesh_file_format_, m, path, message, message_size);
}

#endif
