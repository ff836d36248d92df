/* Assemblies of particles from a text file: a reader that refuses what it does not understand. Include convk.h before.
 *
 * A line for each particle; # begins a remark that ends with its line, lines without words are left out:
 *   NAME x y z [rotate A B C] [scale S] [weight RE [IM]]
 * NAME     a shape or a file, whatever the program makes of it; a word without blanks
 * x y z    where the origin of its coordinates lies
 * rotate   angles in degrees: by C about z, then by B about y, then by A about z, which are the Euler angles of most codes;
 *          R = Rz(A) Ry(B) Rz(C)
 * scale    a positive factor; weight: a complex factor, 1 without it
 * The words behind z come in any order, each once.
 *
 * Functions return 0, or -1 with a message that names the line. The caller releases what was read with assembly_free. Numbers
 * are read with a decimal point whatever the locale. */
#ifndef ASSEMBLY_H
#define ASSEMBLY_H

#include "stl.h" /* numbers of a text */

/* A larger file is refused; define it before the inclusion to read more. */
#ifndef ASSEMBLY_MAX_BYTES
#define ASSEMBLY_MAX_BYTES ((size_t)1 << 28)
#endif

#define ASSEMBLY_NAME_SIZE 256
#define ASSEMBLY_NAMES 256 /* different ones, at most */
#define ASSEMBLY_MAX_ 1e15

typedef struct assembly_file {
  size_t names, particles;          /* at least one */
  char (*name)[ASSEMBLY_NAME_SIZE]; /* in the order in which they first come */
  convk_placement *placement;       /* whose mesh is the number of its name */
} assembly_file;

static inline void assembly_free(assembly_file *a) {
  free(a->name);
  free(a->placement);
  memset(a, 0, sizeof *a);
}

/* The next word of this line, "" if there is none. */
static inline int assembly_word_(file_reader *r, char word[ASSEMBLY_NAME_SIZE]) {
  size_t length = 0;
  while (r->at < r->end && *r->at != '\n' && stl_is_space_(*r->at)) {
    r->at++;
  }
  while (r->at < r->end && !stl_is_space_(*r->at) && *r->at != '#') {
    if (length + 1 == ASSEMBLY_NAME_SIZE || !*r->at) {
      return file_fail(r, *r->at ? "a word is too long" : "a byte of 0 in a word");
    }
    word[length++] = *r->at++;
  }
  word[length] = '\0';
  return 0;
}

static inline int assembly_number_of_(const file_reader *r, const char *word, const char *what, double *value) {
  char lower[STL_TOKEN_SIZE];
  size_t k;
  for (k = 0; word[k]; k++) {
    if (k + 1 == sizeof lower) {
      return file_fail(r, "%s is not a number", what);
    }
    lower[k] = stl_lower_(word[k]);
  }
  lower[k] = '\0';
  if (!k) {
    return file_fail(r, "%s is missing", what);
  }
  if (stl_decimal_(lower, value)) {
    return file_fail(r, "%s is not a number", what);
  }
  return fabs(*value) <= ASSEMBLY_MAX_ ? 0 : file_fail(r, "%s is too large", what);
}

static inline int assembly_number_(file_reader *r, const char *what, double *value) {
  char word[ASSEMBLY_NAME_SIZE];
  return assembly_word_(r, word) ? -1 : assembly_number_of_(r, word, what, value);
}

/* R = Rz(a) Ry(b) Rz(c), in rows; quarter turns are exact. */
static inline void assembly_rotation(double a, double b, double c, double rotation[9]) {
  const double angle[3] = {a, b, c};
  double sine[3], cosine[3];
  int k;
  for (k = 0; k < 3; k++) {
    const double turn = fmod(angle[k], 360), quarter = floor(turn / 90 + 0.5);
    const double rest = (turn - 90 * quarter) * 0.017453292519943295, s = sin(rest), co = cos(rest);
    const int which = ((int)quarter % 4 + 4) % 4;
    sine[k] = which == 0 ? s : which == 1 ? co : which == 2 ? -s : -co;
    cosine[k] = which == 0 ? co : which == 1 ? -s : which == 2 ? -co : s;
  }
  rotation[0] = cosine[0] * cosine[1] * cosine[2] - sine[0] * sine[2];
  rotation[1] = -cosine[0] * cosine[1] * sine[2] - sine[0] * cosine[2];
  rotation[2] = cosine[0] * sine[1];
  rotation[3] = sine[0] * cosine[1] * cosine[2] + cosine[0] * sine[2];
  rotation[4] = -sine[0] * cosine[1] * sine[2] + cosine[0] * cosine[2];
  rotation[5] = sine[0] * sine[1];
  rotation[6] = -sine[1] * cosine[2];
  rotation[7] = sine[1] * sine[2];
  rotation[8] = cosine[1];
}

/* What comes behind the position. */
static inline int assembly_rest_(file_reader *r, convk_placement *p) {
  static const char *const words[3] = {"rotate", "scale", "weight"};
  int known[3] = {0, 0, 0}, k;
  char word[ASSEMBLY_NAME_SIZE];
  if (assembly_word_(r, word)) {
    return -1;
  }
  while (word[0]) {
    double value[3] = {0, 0, 0};
    for (k = 0; k < 3 && strcmp(word, words[k]) != 0; k++) {
    }
    if (k == 3) {
      return file_fail(r, "rotate, scale or weight is wanted");
    }
    if (known[k]++) {
      return file_fail(r, "%s comes twice", words[k]);
    }
    if (assembly_number_(r, k == 0 ? "an angle" : k == 1 ? "the scale" : "the weight", &value[0])) {
      return -1;
    }
    if (k == 0) {
      if (assembly_number_(r, "the second angle", &value[1]) || assembly_number_(r, "the third angle", &value[2])) {
        return -1;
      }
      assembly_rotation(value[0], value[1], value[2], p->rotation);
    } else if (k == 1) {
      if (!(value[0] > 0)) {
        return file_fail(r, "the scale is not positive");
      }
      p->scale = value[0];
    } else {
      p->weight[0] = value[0];
    }
    if (assembly_word_(r, word)) {
      return -1;
    }
    if (k == 2 && word[0] && (word[0] < 'a' || word[0] > 'z')) { /* its imaginary part */
      if (assembly_number_of_(r, word, "the imaginary part of the weight", &p->weight[1]) || assembly_word_(r, word)) {
        return -1;
      }
    }
  }
  return 0;
}

static inline int assembly_particle_(file_reader *r, assembly_file *a, const char *name, size_t *room) {
  static const char *const axes[3] = {"x", "y", "z"};
  convk_placement *p;
  int d;
  if (a->particles == *room) {
    const size_t more = *room ? 2 * *room : 64;
    convk_placement *grown =
        more <= (size_t)-1 / sizeof *grown ? (convk_placement *)realloc(a->placement, more * sizeof *grown) : NULL;
    if (!grown) {
      return file_fail(r, "not enough memory for %lu particles", (unsigned long)more);
    }
    a->placement = grown;
    *room = more;
  }
  p = &a->placement[a->particles++];
  memset(p, 0, sizeof *p);
  p->weight[0] = 1;
  while (p->mesh < a->names && strcmp(a->name[p->mesh], name) != 0) {
    p->mesh++;
  }
  if (p->mesh == a->names) {
    if (a->names == ASSEMBLY_NAMES) {
      return file_fail(r, "more than %d names", ASSEMBLY_NAMES);
    }
    strcpy(a->name[a->names++], name);
  }
  for (d = 0; d < 3; d++) {
    if (assembly_number_(r, axes[d], &p->position[d])) {
      return -1;
    }
  }
  return assembly_rest_(r, p);
}

static inline int assembly_parse_(file_reader *r, void *result) {
  assembly_file *const a = (assembly_file *)result;
  char word[ASSEMBLY_NAME_SIZE];
  size_t room = 0;
  a->name = (char(*)[ASSEMBLY_NAME_SIZE])malloc(ASSEMBLY_NAMES * sizeof *a->name);
  if (!a->name) {
    return file_fail(r, "not enough memory");
  }
  while (r->at < r->end) {
    if (assembly_word_(r, word) || (word[0] && assembly_particle_(r, a, word, &room))) {
      return -1;
    }
    stl_skip_line_(r); /* to the end of the line, behind a remark */
    if (r->at < r->end) {
      r->at++;
      r->line++;
    }
  }
  return a->particles ? 0 : file_fail(r, "no particles");
}

static inline void assembly_release_(void *a) { assembly_free((assembly_file *)a); }
static const file_format assembly_format_ = {sizeof(assembly_file), ASSEMBLY_MAX_BYTES - 1, 1, assembly_parse_,
                                             assembly_release_};

/* Reads an assembly from bytes[0..size-1]. message, which may be NULL, is written only on failure; *a is then empty. */
static inline int assembly_parse(assembly_file *a, const char *bytes, size_t size, char *message, size_t message_size) {
  return file_parse(&assembly_format_, a, bytes, size, message, message_size);
}

/* The same from a file. */
static inline int assembly_read(assembly_file *a, const char *path, char *message, size_t message_size) {
  return file_read(&assembly_format_, a, path, message, message_size);
}

#endif
