/* Molden files: a reader of molecules, Gaussian basis sets and orbitals that refuses what it does not understand.
 *
 *   [Molden Format]
 *   [Atoms] AU                              or Angs; positions are kept in bohr
 *   symbol  number  atomic-number  position[3]    or the charge that a pseudopotential leaves instead of the atomic number
 *   [GTO]
 *   atom 0                                  then its shells, and an empty line
 *   label  primitives  1.00                 s p d f g, or sp, which becomes an s and a p shell; the 1.00 has no meaning
 *   exponent  contraction coefficient       of normalised primitives; sp has a coefficient for s and one for p
 *   [5D]                                    spherical d and f; [5D7F], [5D10F], [6D7F], [7F], [9G] and the like for others
 *   [MO]
 *   Sym= label
 *   Ene= energy
 *   Spin= Alpha                             or Beta
 *   Occup= occupation
 *   function  coefficient                   functions count from 1; those that are not named have 0
 *   [core]                                  may be missing
 *   number : electrons                      of this atom that a pseudopotential has in their place
 * Sections may come in any order, and other sections are passed over. The functions of a shell stand in the order of the
 * file: x y z, xx yy zz xy xz yz, ... or, where spherical, m = 0, 1, -1, 2, -2, ...; each has the norm 1. Many programs do not keep
 * to that: molden_norms.h finds what their coefficients mean.
 *
 * A file that was cut is refused, but for a cut behind a digit of a coefficient: nothing says how many there should be, and the last
 * line may lack its end.
 * Functions return 0, or -1 with a message that names the line. The caller releases a molden_file with molden_free. */
#ifndef MOLDEN_H
#define MOLDEN_H

#include "cube.h"

/* Orbitals times functions; define it before the inclusion to read more. */
#ifndef MOLDEN_MAX_COEFFICIENTS
#define MOLDEN_MAX_COEFFICIENTS ((size_t)1 << 28)
#endif

#define MOLDEN_MAX_L 4
#define MOLDEN_SYMBOL_SIZE 8
#define MOLDEN_SYMMETRY_SIZE 16
#define MOLDEN_MEANING_SIZE 256

typedef struct molden_atom {
  char symbol[MOLDEN_SYMBOL_SIZE];
  int number;         /* of the element; 0: no nucleus */
  double charge;      /* of the nucleus, without electrons that a pseudopotential has in their place */
  double position[3]; /* bohr */
} molden_atom;

typedef struct molden_shell {
  size_t atom; /* from 0 */
  int l;
  int spherical;     /* 2 l + 1 functions; else (l + 1) (l + 2) / 2 */
  size_t primitives; /* at least 1 */
  size_t first;      /* its primitives in exponents and contraction of the file */
} molden_shell;

typedef struct molden_orbital {
  char symmetry[MOLDEN_SYMMETRY_SIZE]; /* cut to this length, empty when the file has none */
  double energy;
  double occupation;
  int beta;
} molden_orbital;

typedef struct molden_file {
  char title[CUBE_COMMENT_SIZE];
  size_t natoms, nshells, nprimitives, nfunctions, norbitals;
  molden_atom *atoms;
  molden_shell *shells;
  double *exponents; /* nprimitives of each */
  double *contraction;
  molden_orbital *orbitals;
  double *coefficients; /* norbitals rows of nfunctions */
  size_t line;          /* of [MO] */
  size_t named;         /* the highest number of a function that has a coefficient */
  double rounding;      /* the largest half of a unit of a coefficient's last digit, or the smallest coefficient that
                                      * is not 0 where orbitals leave some out: those may have been smaller */
  unsigned told;        /* a sum of 1 << l: the file says whether these functions are spherical */
  int rewritten;        /* whether molden_norms.h found another meaning of coefficients than the format's, */
  char meaning[MOLDEN_MEANING_SIZE]; /* or few digits, and which */
} molden_file;

static inline void molden_free(molden_file *molden) {
  free(molden->atoms);
  free(molden->shells);
  free(molden->exponents);
  free(molden->contraction);
  free(molden->orbitals);
  free(molden->coefficients);
  memset(molden, 0, sizeof *molden);
}

static inline size_t molden_shell_functions(const molden_shell *shell) {
  const size_t l = (size_t)shell->l;
  return shell->spherical ? 2 * l + 1 : (l + 1) * (l + 2) / 2;
}

/* ---- words ---- */

/* Memory for `count` elements, which doubles; NULL when it is short, and the old one stays valid. */
static inline void *molden_grow_(void *old, size_t count, size_t *room, size_t size) {
  size_t more = *room ? *room : 16;
  void *grown;
  if (count <= *room) {
    return old;
  }
  while (more < count) {
    if (more > (size_t)-1 / 2) {
      return NULL;
    }
    more *= 2;
  }
  grown = more > (size_t)-1 / size ? NULL : realloc(old, more * size);
  *room = grown ? more : *room;
  return grown;
}

static inline char molden_lower_(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

/* A word in lower case, behind blanks. */
static inline int molden_word_(file_reader *r, const char *what, char word[CUBE_TOKEN_SIZE]) {
  char *c;
  cube_skip_blanks_(r);
  if (cube_token_(r, what, word)) {
    return -1;
  }
  for (c = word; *c; c++) {
    *c = molden_lower_(*c);
  }
  return 0;
}

/* A whole number in lowest..highest, behind blanks. */
static inline int molden_count_(file_reader *r, const char *what, size_t lowest, size_t highest, size_t *value) {
  long number = 0;
  cube_skip_blanks_(r);
  if (cube_long_(r, what, &number)) {
    return -1;
  }
  if (number < 0 || (size_t)number < lowest || (size_t)number > highest) {
    return file_fail(r, "%s is %ld, which is not in %lu..%lu", what, number, (unsigned long)lowest, (unsigned long)highest);
  }
  *value = (size_t)number;
  return 0;
}

/* The first character of the next line that is not empty; '[' also where the file ends: the section is over. */
static inline char molden_next_line_(file_reader *r) {
  cube_skip_space_(r);
  return r->at < r->end ? *r->at : '[';
}

static inline void molden_skip_line_(file_reader *r) {
  while (r->at < r->end && *r->at != '\n') {
    r->at++;
  }
}

static inline int molden_memory_(const file_reader *r) { return file_fail(r, "not enough memory"); }

/* ---- sections ---- */

enum { MOLDEN_ATOMS_, MOLDEN_GTO_, MOLDEN_MO_, MOLDEN_CORE_, MOLDEN_SECTIONS_ };

/* Where sections begin, and which functions are spherical. */
typedef struct molden_outline_ {
  file_reader section[MOLDEN_SECTIONS_]; /* behind the name; at is NULL for a section that is not there */
  int spherical[MOLDEN_MAX_L + 1];       /* 1 spherical, -1 Cartesian, 0 nothing said */
} molden_outline_;

/* [5D10F] and its like: each figure and letter says how many functions the shells of one angular momentum have. Returns 1
 * for a name that is not of this kind. */
static inline int molden_tag_(const file_reader *r, const char *name, molden_outline_ *outline) {
  static const struct {
    const char *part;
    int l, spherical;
  } parts[] = {{"5d", 2, 1}, {"6d", 2, -1}, {"7f", 3, 1}, {"10f", 3, -1}, {"9g", 4, 1}, {"15g", 4, -1}};
  const char *at = name;
  size_t i;
  while (*at) {
    for (i = 0; i < sizeof parts / sizeof *parts && strncmp(at, parts[i].part, strlen(parts[i].part)) != 0; i++) {
    }
    if (i == sizeof parts / sizeof *parts) {
      return 1;
    }
    at += strlen(parts[i].part);
  }
  for (at = name; *at; at += strlen(parts[i].part)) {
    int *said;
    for (i = 0; strncmp(at, parts[i].part, strlen(parts[i].part)) != 0; i++) {
    }
    said = &outline->spherical[parts[i].l];
    if (*said == -parts[i].spherical) {
      return file_fail(r, "[%s] contradicts what the file says before", name);
    }
    *said = parts[i].spherical;
  }
  return 0;
}

/* The name between brackets, in lower case and without blanks; longer ones, which mean nothing here, are cut. */
static inline int molden_name_(file_reader *r, char name[CUBE_TOKEN_SIZE]) {
  size_t length = 0;
  for (r->at++; r->at < r->end && *r->at != ']' && *r->at != '\n'; r->at++) {
    if (!cube_is_space_(*r->at) && length + 1 < CUBE_TOKEN_SIZE) {
      name[length++] = molden_lower_(*r->at);
    }
  }
  name[length] = '\0';
  if (r->at == r->end || *r->at == '\n' || length == 0 || strlen(name) != length) {
    return file_fail(r, "a name between brackets is wanted");
  }
  r->at++;
  return 0;
}

/* Looks for the sections first, since tags may stand behind the basis set and sections in any order. */
static inline int molden_outline_parse_(file_reader *r, molden_file *molden, molden_outline_ *outline) {
  static const char *const names[MOLDEN_SECTIONS_] = {"atoms", "gto", "mo", "core"};
  char name[CUBE_TOKEN_SIZE];
  int i, begun = 0;
  memset(outline, 0, sizeof *outline);
  file_skip_mark(r);
  while (cube_skip_space_(r), r->at < r->end) {
    if (*r->at == '[') {
      if (molden_name_(r, name)) {
        return -1;
      }
      if (!begun && strcmp(name, "moldenformat") != 0) {
        break;
      }
      begun = 1;
      for (i = 0; i < MOLDEN_SECTIONS_ && strcmp(name, names[i]) != 0; i++) {
      }
      if (i < MOLDEN_SECTIONS_) {
        if (outline->section[i].at) {
          return file_fail(r, "a second section [%s]: the file holds several data sets, cut all but one of them out", name);
        }
        outline->section[i] = *r;
      } else if (strcmp(name, "sto") == 0) {
        return file_fail(r, "Slater functions are not supported");
      } else if (strcmp(name, "title") == 0) {
        molden_skip_line_(r);
        if (molden_next_line_(r) != '[' && cube_comment_(r, molden->title)) {
          return -1;
        }
        continue;
      } else if (molden_tag_(r, name, outline) < 0) {
        return -1;
      }
    } else if (!begun) {
      break;
    }
    molden_skip_line_(r);
  }
  if (!begun) {
    return file_fail(r, "the file does not begin with [Molden Format]");
  }
  for (i = 0; i < MOLDEN_CORE_; i++) {
    if (!outline->section[i].at) {
      return file_fail(r, "the file ends without a section [%s]", names[i]);
    }
  }
  /* [5D] alone means both, as [6D] does, which is the default */
  outline->spherical[3] = outline->spherical[3] ? outline->spherical[3] : outline->spherical[2];
  for (i = 2; i <= MOLDEN_MAX_L; i++) {
    molden->told |= outline->spherical[i] ? 1u << i : 0;
  }
  molden->line = outline->section[MOLDEN_MO_].line;
  return 0;
}

/* The number of the element with this symbol, of `length` letters, or 0. */
static inline int molden_symbol_(const char *symbol, size_t length) {
  static const char symbols[] =
      "H  He Li Be B  C  N  O  F  Ne Na Mg Al Si P  S  Cl Ar K  Ca Sc Ti V  Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y  Zr "
      "Nb Mo Tc Ru "
      "Rh Pd Ag Cd In Sn Sb Te I  Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W  Re Os Ir Pt Au Hg Tl Pb Bi Po "
      "At Rn "
      "Fr Ra Ac Th Pa U  Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og ";
  size_t i;
  for (i = 0; i + 3 < sizeof symbols; i += 3) {
    if (length > 0 && molden_lower_(symbol[0]) == molden_lower_(symbols[i]) &&
        (length > 1 ? molden_lower_(symbol[1]) : ' ') == symbols[i + 1]) {
      return (int)(i / 3) + 1;
    }
  }
  return 0;
}

/* The element of an atom: that of its symbol, which may go on with figures and further words, where the file gives a smaller charge for
 * the sake of a pseudopotential. Names like CA, which may be a carbon, are those whose number the file has. */
static inline int molden_element_(const char *symbol, int number) {
  size_t letters = 0;
  int element, first;
  while ((symbol[letters] >= 'a' && symbol[letters] <= 'z') || (symbol[letters] >= 'A' && symbol[letters] <= 'Z')) {
    letters++;
  }
  element = molden_symbol_(symbol, letters);
  first = molden_symbol_(symbol, letters > 0);
  if (letters > 2 || number <= 0 || (letters == 2 && first == number && symbol[1] <= 'Z')) {
    return number;
  }
  return element > number ? element : number;
}

/* Electrons that pseudopotentials have in their place: where the file has the number of an element, its charge is the rest. */
static inline int molden_core_(file_reader *r, molden_file *molden) {
  molden_skip_line_(r);
  while (molden_next_line_(r) != '[') {
    size_t atom = 0, electrons = 0;
    molden_atom *a;
    const char *end = r->at;
    for (; end < r->end && file_is_digit(*end); end++) {
    }
    if (end < r->end && *end == ':') { /* 1: 28, without a blank */
      file_reader number = *r;
      number.end = end;
      if (molden_count_(&number, "the number of an atom", 1, molden->natoms, &atom)) {
        return -1;
      }
      r->at = end;
    } else if (molden_count_(r, "the number of an atom", 1, molden->natoms, &atom)) {
      return -1;
    }
    cube_skip_blanks_(r);
    r->at += r->at < r->end && *r->at == ':';
    a = &molden->atoms[atom - 1];
    if (molden_count_(r, "the number of electrons of a core", 0, 999, &electrons) || cube_end_line_(r)) {
      return -1;
    }
    if (a->charge >= a->number) {
      a->charge -= (double)electrons;
    }
  }
  return 0;
}

static inline int molden_atoms_(file_reader *r, molden_file *molden) {
  char word[CUBE_TOKEN_SIZE];
  const char *unit = word;
  size_t room = 0, number;
  double scale;
  int d;
  if (molden_word_(r, "the unit of lengths, AU or Angs", word)) {
    return -1;
  }
  unit += *unit == '(';
  if (strncmp(unit, "au", 2) != 0 && strncmp(unit, "angs", 4) != 0) {
    return file_fail(r, "the unit of lengths must be AU or Angs");
  }
  scale = unit[1] == 'u' ? 1 : 1 / CUBE_BOHR;
  if (cube_end_line_(r)) {
    return -1;
  }
  while (molden_next_line_(r) != '[') {
    molden_atom *grown = (molden_atom *)molden_grow_(molden->atoms, molden->natoms + 1, &room, sizeof *grown);
    molden_atom *atom;
    if (!grown) {
      return molden_memory_(r);
    }
    molden->atoms = grown;
    atom = &grown[molden->natoms];
    if (cube_token_(r, "the symbol of an atom", word)) {
      return -1;
    }
    if (strlen(word) >= MOLDEN_SYMBOL_SIZE) {
      return file_fail(r, "the symbol of an atom is too long");
    }
    strcpy(atom->symbol, word);
    if (molden_count_(r, "the number of this atom", molden->natoms + 1, molden->natoms + 1, &number) ||
        cube_doubles_(r, "the atomic number", &atom->charge, 1)) {
      return -1;
    }
    if (!(atom->charge >= 0 && atom->charge < 1000)) {
      return file_fail(r, "the atomic number is %g, which is not in 0..999", atom->charge);
    }
    if (cube_doubles_(r, "the position", atom->position, 3) || cube_end_line_(r)) {
      return -1;
    }
    atom->number = molden_element_(word, (int)floor(atom->charge + 0.5));
    for (d = 0; d < 3; d++) {
      atom->position[d] *= scale;
    }
    molden->natoms++;
  }
  return molden->natoms ? 0 : file_fail(r, "there are no atoms");
}

/* Memory for the primitives of one or two shells, whose number the rest of the text bounds: two bytes each, or more. */
static inline int molden_primitives_(const file_reader *r, molden_file *molden, size_t count, size_t *room) {
  double *grown;
  size_t once = *room;
  if (count > cube_room_(r)) {
    return file_fail(r, "the file is too short for so many primitives");
  }
  grown = (double *)molden_grow_(molden->exponents, molden->nprimitives + count, &once, sizeof *grown);
  if (!grown) {
    return molden_memory_(r);
  }
  molden->exponents = grown;
  grown = (double *)molden_grow_(molden->contraction, molden->nprimitives + count, room, sizeof *grown);
  if (!grown) {
    return molden_memory_(r);
  }
  molden->contraction = grown;
  return 0;
}

/* One shell, or the two of sp, from the line of its label. */
static inline int molden_shell_(file_reader *r, molden_file *molden, size_t atom, const int spherical[MOLDEN_MAX_L + 1],
                                size_t *shell_room, size_t *primitive_room) {
  static const char labels[] = "spdfg";
  char label[CUBE_TOKEN_SIZE];
  const char *letter;
  molden_shell *grown;
  size_t shells, count = 0, i, k;
  double scale;
  if (molden_word_(r, "the label of a shell", label)) {
    return -1;
  }
  shells = strcmp(label, "sp") == 0 ? 2 : 1;
  letter = shells == 2 ? labels : strchr(labels, *label);
  if (!letter || !*letter || strlen(label) != shells) {
    return file_fail(r,
                     strlen(label) == 1 && strchr("hik", *label) ? "%s functions are not supported: s p d f g sp are"
                                                                 : "a shell is labelled %s: s p d f g sp are wanted",
                     label);
  }
  if (molden_count_(r, "the number of primitives", 1, INT_MAX, &count)) {
    return -1;
  }
  cube_skip_blanks_(r);
  if ((r->at < r->end && *r->at != '\n' && cube_double_(r, "the scale of a shell", &scale)) || cube_end_line_(r) ||
      molden_primitives_(r, molden, shells * count, primitive_room)) {
    return -1;
  }
  grown = (molden_shell *)molden_grow_(molden->shells, molden->nshells + shells, shell_room, sizeof *grown);
  if (!grown) {
    return molden_memory_(r);
  }
  molden->shells = grown;
  for (i = 0; i < count; i++) {
    double *exponent = molden->exponents + molden->nprimitives + i;
    if (cube_doubles_(r, "an exponent", exponent, 1)) {
      return -1;
    }
    if (!(*exponent > 0)) {
      return file_fail(r, "an exponent must be positive");
    }
    for (k = 0; k < shells; k++) {
      exponent[k * count] = *exponent;
      if (cube_doubles_(r, "a contraction coefficient", molden->contraction + molden->nprimitives + k * count + i, 1)) {
        return -1;
      }
    }
    if (cube_end_line_(r)) {
      return -1;
    }
  }
  for (k = 0; k < shells; k++) {
    molden_shell *shell = &molden->shells[molden->nshells++];
    shell->atom = atom;
    shell->l = shells == 2 ? (int)k : (int)(letter - labels);
    shell->spherical = spherical[shell->l] > 0;
    shell->primitives = count;
    shell->first = molden->nprimitives;
    molden->nprimitives += count;
    molden->nfunctions += molden_shell_functions(shell);
  }
  return 0;
}

static inline int molden_gto_(file_reader *r, molden_file *molden, const int spherical[MOLDEN_MAX_L + 1]) {
  size_t shell_room = 0, primitive_room = 0, atom = 0, zero;
  unsigned char *seen = (unsigned char *)calloc(molden->natoms, 1);
  int status = seen ? 0 : molden_memory_(r);
  molden_skip_line_(r);
  while (!status) {
    const size_t line = r->line;
    const char first = molden_next_line_(r);
    const int gap = r->line > line; /* an empty line ends an atom */
    if (first == '[') {
      break;
    }
    if (file_is_digit(first)) {
      status = molden_count_(r, "the number of an atom", 1, molden->natoms, &atom);
      cube_skip_blanks_(r);
      if (!status && r->at < r->end && *r->at != '\n') {
        status = molden_count_(r, "what follows the number of an atom", 0, 0, &zero);
      }
      status = status ? status : cube_end_line_(r);
      if (!status && seen[atom - 1]) {
        r->line--;
        status = file_fail(r, "atom %lu has had its shells", (unsigned long)atom);
      } else if (!status) {
        seen[atom - 1] = 1;
      }
    } else if (atom == 0 || gap) {
      status = file_fail(r, "the number of an atom is wanted here");
    } else {
      status = molden_shell_(r, molden, atom - 1, spherical, &shell_room, &primitive_room);
    }
  }
  free(seen);
  return status ? status : molden->nshells ? 0 : file_fail(r, "there are no shells");
}

/* ---- orbitals ---- */

enum { MOLDEN_SYM_ = 1, MOLDEN_ENE_ = 2, MOLDEN_SPIN_ = 4, MOLDEN_OCCUP_ = 8 };

/* `Name= value`, whose bit is added to *given. */
static inline int molden_key_(file_reader *r, molden_orbital *orbital, int *given) {
  static const char *const names[] = {"sym", "ene", "spin", "occup"};
  char key[8], text[CUBE_COMMENT_SIZE];
  size_t length = 0;
  int i;
  for (; r->at < r->end && *r->at != '=' && !cube_is_space_(*r->at); r->at++) {
    if (length + 1 == sizeof key) {
      return file_fail(r, "Sym=, Ene=, Spin=, Occup= or a coefficient is wanted");
    }
    key[length++] = molden_lower_(*r->at);
  }
  key[length] = '\0';
  for (i = 0; i < 4 && strcmp(key, names[i]) != 0; i++) {
  }
  cube_skip_blanks_(r);
  if (i == 4 || strlen(key) != length || r->at == r->end || *r->at != '=') {
    return file_fail(r, "Sym=, Ene=, Spin=, Occup= or a coefficient is wanted");
  }
  r->at++;
  if (*given & (1 << i)) {
    return file_fail(r, "a second %s= for this orbital", names[i]);
  }
  *given |= 1 << i;
  switch (1 << i) {
    case MOLDEN_SYM_:
      cube_skip_blanks_(r);
      if (cube_comment_(r, text)) {
        return -1;
      }
      length = strlen(text) < MOLDEN_SYMMETRY_SIZE ? strlen(text) : MOLDEN_SYMMETRY_SIZE - 1;
      memcpy(orbital->symmetry, text, length);
      orbital->symmetry[length] = '\0';
      return 0;
    case MOLDEN_ENE_: return cube_doubles_(r, "the energy", &orbital->energy, 1) || cube_end_line_(r) ? -1 : 0;
    case MOLDEN_OCCUP_: return cube_doubles_(r, "the occupation", &orbital->occupation, 1) || cube_end_line_(r) ? -1 : 0;
    default:
      if (molden_word_(r, "the spin", text)) {
        return -1;
      }
      orbital->beta = strcmp(text, "beta") == 0;
      if (!orbital->beta && strcmp(text, "alpha") != 0) {
        return file_fail(r, "the spin must be Alpha or Beta");
      }
      return cube_end_line_(r);
  }
}

/* A row of zeros for one orbital more. */
static inline int molden_orbital_(const file_reader *r, molden_file *molden, size_t *orbital_room, size_t *row_room) {
  const size_t n = molden->nfunctions, count = molden->norbitals + 1;
  molden_orbital *orbitals;
  double *rows;
  if (count > 2 * n) {
    return file_fail(r, "%lu functions make no more than %lu orbitals of both spins", (unsigned long)n, (unsigned long)(2 * n));
  }
  if (count > MOLDEN_MAX_COEFFICIENTS / n) {
    return file_fail(r, "too many coefficients");
  }
  orbitals = (molden_orbital *)molden_grow_(molden->orbitals, count, orbital_room, sizeof *orbitals);
  if (!orbitals) {
    return molden_memory_(r);
  }
  molden->orbitals = orbitals;
  rows = (double *)molden_grow_(molden->coefficients, count * n, row_room, sizeof *rows);
  if (!rows) {
    return molden_memory_(r);
  }
  molden->coefficients = rows;
  memset(&orbitals[molden->norbitals], 0, sizeof *orbitals);
  memset(rows + molden->norbitals * n, 0, n * sizeof *rows);
  molden->norbitals = count;
  return 0;
}

/* Half a unit of the last digit of a number that was read from these characters. */
static inline double molden_half_unit_(const char *at, const char *end) {
  int decimals = 0, behind = 0, exponent = 0, sign = 1;
  for (; at < end && (file_is_digit(*at) || *at == '.' || *at == '-' || *at == '+' || cube_is_space_(*at)); at++) {
    decimals += behind && file_is_digit(*at);
    behind |= *at == '.';
  }
  for (; at < end && !cube_is_space_(*at); at++) { /* the letter of the exponent, a sign, digits */
    sign = *at == '-' ? -1 : sign;
    exponent = file_is_digit(*at) && exponent < 1000 ? 10 * exponent + (*at - '0') : exponent;
  }
  return 0.5 * pow(10, sign * exponent - decimals);
}

static inline int molden_mo_(file_reader *r, molden_file *molden) {
  const int wanted = MOLDEN_ENE_ | MOLDEN_SPIN_ | MOLDEN_OCCUP_;
  size_t orbital_room = 0, row_room = 0, function = 0, lines = 0, all = 0;
  double smallest = HUGE_VAL;
  size_t *seen = (size_t *)calloc(molden->nfunctions, sizeof *seen); /* the last orbital that named a function */
  int status = seen ? 0 : molden_memory_(r), given = 0;
  molden_skip_line_(r);
  while (!status) {
    const char first = molden_next_line_(r);
    const size_t last = molden->norbitals - 1;
    if (first == '[') {
      break;
    }
    if (!file_is_digit(first)) {
      if (lines || !molden->norbitals) {
        status = molden_orbital_(r, molden, &orbital_room, &row_room);
        lines = 0;
        given = 0;
      }
      status = status ? status : molden_key_(r, &molden->orbitals[molden->norbitals - 1], &given);
    } else if ((given & wanted) != wanted) {
      status = file_fail(r, "Ene=, Spin= and Occup= must come before the coefficients");
    } else {
      status = molden_count_(r, "the number of a function", 1, molden->nfunctions, &function);
      if (!status && seen[function - 1] == molden->norbitals) {
        status = file_fail(r, "function %lu has had its coefficient", (unsigned long)function);
      }
      if (!status) {
        const char *const text = r->at;
        seen[function - 1] = molden->norbitals;
        molden->named = function > molden->named ? function : molden->named;
        status = cube_doubles_(r, "a coefficient", &molden->coefficients[last * molden->nfunctions + function - 1], 1);
        if (!status) {
          const double half = molden_half_unit_(text, r->at);
          const double size = fabs(molden->coefficients[last * molden->nfunctions + function - 1]);
          smallest = size > 0 && size < smallest ? size : smallest;
          molden->rounding = half > molden->rounding ? half : molden->rounding;
        }
      }
      status = status ? status : cube_end_line_(r);
      lines++;
      all++;
    }
  }
  if (all < molden->norbitals * molden->nfunctions && smallest > molden->rounding) {
    molden->rounding = smallest;
  }
  free(seen);
  return status ? status : lines ? 0 : file_fail(r, "the section ends before the coefficients of an orbital");
}

/* ---- reading ---- */

static inline int molden_parse_(file_reader *r, void *result) {
  molden_file *const molden = (molden_file *)result;
  molden_outline_ outline;
  int status = molden_outline_parse_(r, molden, &outline);
  status = status ? status : molden_atoms_(&outline.section[MOLDEN_ATOMS_], molden);
  status = status || !outline.section[MOLDEN_CORE_].at ? status : molden_core_(&outline.section[MOLDEN_CORE_], molden);
  status = status ? status : molden_gto_(&outline.section[MOLDEN_GTO_], molden, outline.spherical);
  return status ? status : molden_mo_(&outline.section[MOLDEN_MO_], molden);
}

static inline void molden_release_(void *molden) { molden_free((molden_file *)molden); }
static const file_format molden_format_ = {sizeof(molden_file), CUBE_MAX_BYTES, 1, molden_parse_, molden_release_};

/* Reads a molden file from text[0..size-1]. message, which may be NULL, is written only on failure; *molden is then empty. */
static inline int molden_parse(molden_file *molden, const char *text, size_t size, char *message, size_t message_size) {
  return file_parse(&molden_format_, molden, text, size, message, message_size);
}

/* The same from a file. */
static inline int molden_read(molden_file *molden, const char *path, char *message, size_t message_size) {
  return file_read(&molden_format_, molden, path, message, message_size);
}

#endif
