/* The molden reader of the examples against whole, cut, mutated and absurd files. */
#include "../examples/molden_norms.h"

#define READER_FILE molden_file
#define READER_PARSE molden_parse
#define READER_READ molden_read
#define READER_FREE molden_free
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int consistent(const molden_file *m) {
  size_t i, functions = 0, primitives = 0;
  int good = m->natoms > 0 && m->nshells > 0 && m->norbitals > 0 && m->norbitals <= 2 * m->nfunctions;
  for (i = 0; i < m->natoms; i++) {
    const double *p = m->atoms[i].position;
    good &= fabs(p[0]) + fabs(p[1]) + fabs(p[2]) <= 1e301 && strlen(m->atoms[i].symbol) < MOLDEN_SYMBOL_SIZE;
  }
  for (i = 0; i < m->nshells; i++) {
    const molden_shell *s = &m->shells[i];
    good &= s->atom < m->natoms && s->l >= 0 && s->l <= 4 && s->primitives > 0 && s->first == primitives;
    good &= !s->spherical || s->l >= 2;
    primitives += s->primitives;
    functions += molden_shell_functions(s);
  }
  good &= functions == m->nfunctions && primitives == m->nprimitives;
  for (i = 0; good && i < primitives; i++) {
    good &= m->exponents[i] > 0 && m->exponents[i] <= 1e300 && fabs(m->contraction[i]) <= 1e300;
  }
  for (i = 0; good && i < m->norbitals; i++) {
    good &= fabs(m->orbitals[i].energy) + fabs(m->orbitals[i].occupation) <= 1e301 && (m->orbitals[i].beta | 1) == 1;
    good &= strlen(m->orbitals[i].symmetry) < MOLDEN_SYMMETRY_SIZE;
  }
  for (i = 0; good && i < m->norbitals * functions; i++) {
    good &= fabs(m->coefficients[i]) <= 1e300;
  }
  return good;
}

static int sound(const molden_file *m, size_t size) { return consistent(m) && m->nprimitives < size; }

static int empty(const molden_file *m) {
  return !m->atoms && !m->shells && !m->exponents && !m->contraction && !m->orbitals && !m->coefficients && !m->nfunctions;
}

#define HEAD "[Molden Format]\n"
#define ATOMS "[Atoms] AU\nH 1 1 0 0 0\nO 2 8 0.5 0 -1.25D0\n"
#define GTO "[GTO]\n1 0\ns 2 1.00\n3.5 0.25\n0.5 -1E-1\n\n2 0\nsp 1\n2 1 0.5\n\n"
#define KEYS "Sym= A1\nEne= -1.5\nSpin= Alpha\nOccup= 2\n"
#define MO "[MO]\n" KEYS "1 0.5\n5 -2.5\n"

static const char plain[] = HEAD ATOMS GTO MO " Ene=1\nOccup =0.0\n Spin=BETA\n  3   1e-3  \n";
static const char rich[] =
    HEAD "[Title]\na molecule \n[5D10F]\n[Atoms] (Angs)\nC 1 6 1 0 0\n[FREQ]\n1 2 3\n"
         "[GTO] (AU)\n 1 0\nd 1 1.0\n 1.5D+00 1\nf 1\n.5 1\nsp 2\n2 1 3\n4 -1 5\n\n[9G]\n[MO]\n" KEYS "19 1\n";

static void test_whole(void) {
  static const double exponents[4] = {3.5, 0.5, 2, 2}, contraction[4] = {0.25, -0.1, 1, 0.5};
  static const double coefficients[10] = {0.5, 0, 0, 0, -2.5, 0, 0, 1e-3, 0, 0};
  static const double exponents_sp[4] = {2, 4, 2, 4}, contraction_sp[4] = {1, -1, 3, 5};
  char mark[1000];
  molden_file m;
  expect(parse(&m, plain, strlen(plain)) == 0, "a plain file is read", 0);
  if (m.coefficients) {
    expect(m.natoms == 2 && m.nshells == 3 && m.nprimitives == 4 && m.nfunctions == 5 && m.norbitals == 2, "counts", 0);
    expect(strcmp(m.atoms[1].symbol, "O") == 0, "symbol", 0);
    expect(m.atoms[1].number == 8 && fabs(m.atoms[1].position[2] + 1.25) <= 0, "atom", 0);
    expect(m.shells[0].l == 0 && m.shells[1].l == 0 && m.shells[2].l == 1 && m.shells[0].atom == 0 && m.shells[2].atom == 1,
           "sp makes an s and a p shell", 0);
    expect(memcmp(m.exponents, exponents, sizeof exponents) == 0 && memcmp(m.contraction, contraction, sizeof contraction) == 0,
           "primitives", 0);
    expect(memcmp(m.coefficients, coefficients, sizeof coefficients) == 0, "coefficients that are not named are 0", 0);
    expect(strcmp(m.orbitals[0].symmetry, "A1") == 0 && m.orbitals[0].energy <= -1.5 && !m.orbitals[0].beta &&
               m.orbitals[0].occupation >= 2,
           "an orbital", 0);
    expect(m.orbitals[1].symmetry[0] == '\0' && m.orbitals[1].energy >= 1 && m.orbitals[1].beta &&
               m.orbitals[1].occupation <= 0,
           "an orbital without a symmetry", 0);
  }
  molden_free(&m);
  snprintf(mark, sizeof mark, "\xef\xbb\xbf%s", plain);
  expect(parse(&m, mark, strlen(mark)) == 0 && m.nfunctions == 5, "a mark of UTF-8", 0);
  molden_free(&m);
  expect(parse(&m, rich, strlen(rich)) == 0, "a file with a title, tags and a section of others is read", 0);
  if (m.coefficients) {
    expect(strcmp(m.title, "a molecule") == 0 && m.nfunctions == 19 && m.shells[0].spherical && !m.shells[1].spherical, "tags",
           0);
    expect(fabs(m.atoms[0].position[0] - 1.8897261246) < 1e-9, "Angstrom", 0);
    expect(m.nprimitives == 6 && memcmp(m.exponents + 2, exponents_sp, sizeof exponents_sp) == 0 &&
               memcmp(m.contraction + 2, contraction_sp, sizeof contraction_sp) == 0,
           "two primitives of sp", 0);
    expect(m.coefficients[18] >= 1, "the last function", 0);
  }
  molden_free(&m);
}

/* How many functions s p d f g shells have together, under all tags, wherever these stand. */
static void test_tags(void) {
  static const struct {
    const char *tags;
    size_t functions;
  } cases[] = {{"", 35},
               {"[5D]", 31},
               {"[5d7f]", 31},
               {"[5D10F]", 34},
               {"[7F]", 32},
               {"[6D7F]", 32},
               {"[9G]", 29},
               {"[5D]\n[9G]", 25},
               {"[6D]", 35},
               {"[5D]\n[10F]", 34},
               {"[10F]\n[5D]", 34},
               {"[6d10f]\n[15G]", 35},
               {"[ 5D ]\n[7f]", 31},
               {"[5D7F9G]", 25}};
  static const char shells[] = "[GTO]\n1\ns 1\n1 1\np 1\n1 1\nd 1\n1 1\nf 1\n1 1\ng 1\n1 1\n\n2 0\n";
  char text[1000];
  size_t i, k;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (k = 0; k < 3; k++) {
      molden_file m;
      snprintf(text, sizeof text, HEAD "%s\n%s%s%s\n%s%s\n", k == 0 ? cases[i].tags : "", k == 1 ? MO : ATOMS,
               k == 1 ? ATOMS : shells, k == 1 ? cases[i].tags : "", k == 1 ? shells : MO, k == 2 ? cases[i].tags : "");
      expect(parse(&m, text, strlen(text)) == 0 && m.nfunctions == cases[i].functions, cases[i].tags, (long)k);
      molden_free(&m);
    }
  }
  refuse(HEAD "[5D]\n[6D]\n" ATOMS GTO MO, "line 3:", "two numbers of d functions");
  refuse(HEAD "[5D10F]\n[7F]\n" ATOMS GTO MO, "line 3:", "two numbers of f functions");
}

/* Behind a digit of a coefficient a file may end, and behind its line, elsewhere not. */
static int may_end(const char *text, size_t size) {
  const size_t begin = (size_t)(strstr(text, "[MO]") - text) + 4;
  size_t last = size, first, word;
  while (last > 0 && cube_is_space_(text[last - 1])) {
    last--;
  }
  for (first = last; first > 0 && text[first - 1] != '\n'; first--) {
  }
  for (; first < last && text[first] == ' '; first++) {
  }
  for (word = last; word > first && text[word - 1] != ' '; word--) {
  }
  return last > begin && file_is_digit(text[first]) && word > first && (file_is_digit(text[last - 1]) || text[last - 1] == '.');
}

/* Elements and charges, where there are pseudopotentials and without. */
static void test_charges(void) {
  static const struct {
    const char *symbol, *charge, *core;
    int number;
    double left;
  } cases[] = {{"I", "7", "", 53, 7},
               {"I", "7", "[core]\n1 : 46\n", 53, 7},
               {"I", "53", "[core]\n1: 46\n", 53, 7},
               {"I", "53", "[CORE]\n 1 46\n", 53, 7},
               {"Ca", "10", "", 20, 10},
               {"CA", "6", "", 6, 6},
               {"CA", "10", "", 20, 10},
               {"ca1", "20", "", 20, 20},
               {"H", "0", "", 0, 0},
               {"X", "3", "", 3, 3},
               {"Og", "118.0", "", 118, 118},
               {"Bi", "5", "", 83, 5},
               {"BI", "5", "", 5, 5},
               {"BI", "83", "[core]\n1 : 78\n", 83, 5},
               {"He_a", "2", "", 2, 2},
               {"Cl", "6.5", "", 17, 6.5}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    molden_file m;
    snprintf(text, sizeof text, HEAD "%s[Atoms] AU\n%s 1 %s 0 0 0\nH 2 1 0 0 1\n" GTO MO, cases[i].core, cases[i].symbol,
             cases[i].charge);
    expect(parse(&m, text, strlen(text)) == 0 && m.atoms[0].number == cases[i].number &&
               fabs(m.atoms[0].charge - cases[i].left) <= 0 && m.atoms[1].number == 1 && fabs(m.atoms[1].charge - 1) <= 0,
           cases[i].symbol, (long)i);
    molden_free(&m);
  }
  refuse(HEAD "[core]\n3 : 2\n" ATOMS GTO MO, "line 3:", "a core of no atom");
  refuse(HEAD "[core]\n1 : 2.5\n" ATOMS GTO MO, "line 3:", "half an electron of a core");
  refuse(HEAD "[core]\n1 :\n" ATOMS GTO MO, "line 3:", "a core without electrons");
}

static void test_cut(const char *text) {
  const size_t size = strlen(text);
  size_t cut, ends = 0;
  for (cut = 0; cut <= size; cut++) {
    molden_file m;
    const int status = parse(&m, text, cut);
    expect((status == 0) == may_end(text, cut), "a cut file is refused", (long)cut);
    ends += status == 0;
    molden_free(&m);
  }
  expect(ends > 0 && ends < 16, "few cuts leave a whole file", (long)ends);
}

/* A piece is left out, or written over another, or doubled. */
static void test_pieces(const char *text) {
  const size_t size = strlen(text);
  size_t at, accepted = 0, total = 0;
  char *copy = (char *)allocate(2 * size);
  for (at = 0; at < 20000; at++) {
    const size_t from = random_below(size), length = 1 + random_below(size - from);
    const size_t to = random_below(size - length + 1), kind = random_below(3);
    size_t used = size;
    memcpy(copy, text, size);
    if (kind == 0) {
      memmove(copy + from, copy + from + length, size - from - length);
      used -= length;
    } else if (kind == 1) {
      memmove(copy + to, text + from, length);
    } else {
      memmove(copy + from + length, text + from, size - from);
      used += length;
    }
    accepted += (size_t)accepts(copy, used);
    total++;
  }
  expect(accepted < total / 10, "few mutations leave a file that means something", (long)accepted);
  free(copy);
}

/* A zero byte would hide what follows it. */
static void test_zero_bytes(void) {
  static const char name[] = HEAD ATOMS "[5D\0]\n" GTO MO, key[] = HEAD ATOMS GTO "[MO]\nEne\0= 1\n";
  static const char value[] = HEAD ATOMS GTO "[MO]\nEne= 1\0\n";
  refuse_bytes(name, sizeof name - 1, "line 5:", "in the name of a section");
  refuse_bytes(key, sizeof key - 1, "line 16: Sym=", "in a key");
  refuse_bytes(value, sizeof value - 1, "line 16: the energy", "in a number");
}

static void test_absurd(void) {
  refuse("", "line 1:", "empty file");
  refuse("\n[Atoms] AU\n", "line 2:", "a file of another kind");
  refuse("MO\n" HEAD, "line 1:", "something before the first section");
  refuse(HEAD "[Atoms", "line 2:", "a name without its end");
  refuse(HEAD "[]\n", "line 2:", "a section without a name");
  refuse(HEAD ATOMS MO, "line 12:", "no basis set");
  refuse(HEAD ATOMS GTO MO "[GTO]\n", "line 22:", "two basis sets");
  refuse(HEAD ATOMS "[STO]\n1 0 0 0 0 1 1\n" MO, "line 5:", "Slater functions");
  refuse(HEAD "[Atoms]\n" GTO MO, "line 2:", "atoms without a unit");
  refuse(HEAD "[Atoms] nm\nH 1 1 0 0 0\n" GTO MO, "line 2:", "atoms in nanometres");
  refuse(HEAD "[Atoms] AU\n" GTO MO, "line 3:", "no atoms");
  refuse(HEAD "[Atoms] AU\nH 2 1 0 0 0\n" GTO MO, "line 3:", "atoms that do not count from 1");
  refuse(HEAD "[Atoms] AU\nH 1 -1 0 0 0\n" GTO MO, "line 3:", "an antiproton");
  refuse(HEAD "[Atoms] AU\nH 1 99999999999999999999 0 0 0\n" GTO MO, "line 3:", "an atomic number beyond an integer");
  refuse(HEAD "[Atoms] AU\nH 1 1 0 nan 0\n" GTO MO, "line 3:", "nan");
  refuse(HEAD "[Atoms] AU\nH 1 1 0 0x1 0\n" GTO MO, "line 3:", "hexadecimal");
  refuse(HEAD "[Atoms] AU\nH 1 1 0 0\n" GTO MO, "line 3:", "a position of two numbers");
  refuse(HEAD "[Atoms] AU\nH 1 1 0 0 0 0\n" GTO MO, "line 3:", "a position of four numbers");
  refuse(HEAD "[Atoms] AU\nUnobtainium 1 1 0 0 0\n" GTO MO, "line 3:", "a symbol longer than any");
  refuse(HEAD ATOMS "[GTO]\n" MO, "line 6:", "no shells");
  refuse(HEAD ATOMS "[GTO]\ns 1 1.0\n1 1\n" MO, "line 6:", "a shell of no atom");
  refuse(HEAD ATOMS "[GTO]\n3 0\ns 1 1.0\n1 1\n" MO, "line 6:", "a shell of an atom that is not there");
  refuse(HEAD ATOMS "[GTO]\n0 0\ns 1 1.0\n1 1\n" MO, "line 6:", "a shell of atom 0");
  refuse(HEAD ATOMS "[GTO]\n1 7\ns 1 1.0\n1 1\n" MO, "line 6:", "something behind the number of an atom");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1\n1 1\n\n1 0\ns 1\n1 1\n" MO, "line 10:", "an atom twice");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1\n1 1\n\ns 1\n1 1\n" MO, "line 10:", "a shell behind the empty line");
  refuse(HEAD ATOMS "[GTO]\n1 0\nh 1 1.0\n1 1\n" MO, "line 7:", "h functions");
  refuse(HEAD ATOMS "[GTO]\n1 0\nps 1 1.0\n1 1 1\n" MO, "line 7:", "an unknown shell");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 0 1.0\n" MO, "line 7:", "no primitives");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns -1 1.0\n1 1\n" MO, "line 7:", "less than no primitives");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 2000000000 1.0\n1 1\n" MO, "line 8:", "2e9 primitives");
  refuse(HEAD ATOMS "[GTO]\n1 0\nsp 2000000000 1.0\n1 1\n" MO, "line 8:", "4e9 primitives");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 2 1.0\n1 1\n\n" MO, "line 9:", "a primitive too few");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1 1.0\n1 1\n1 1\n" MO, "line 9:", "a primitive too many");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1 1.0\n1 1 1\n" MO, "line 8:", "two coefficients of s");
  refuse(HEAD ATOMS "[GTO]\n1 0\nsp 1 1.0\n1 1\n" MO, "line 8:", "one coefficient of sp");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1 1.0\n0 1\n" MO, "line 8:", "an exponent of 0");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1 1.0\n-1 1\n" MO, "line 8:", "a negative exponent");
  refuse(HEAD ATOMS "[GTO]\n1 0\ns 1 1.0\n1e999 1\n" MO, "line 8:", "overflow of an exponent");
#define BASIS HEAD ATOMS GTO "[MO]\n"
  refuse(BASIS, "line 16:", "no orbitals");
  refuse(BASIS "1 0.5\n", "line 16:", "a coefficient of no orbital");
  refuse(BASIS "Ene= 1\nSpin= Alpha\n1 0.5\n", "line 18:", "an orbital without an occupation");
  refuse(BASIS "Ene= 1\nOccup= 1\n1 0.5\n", "line 18:", "an orbital without a spin");
  refuse(BASIS "Spin= Alpha\nOccup= 1\n1 0.5\n", "line 18:", "an orbital without an energy");
  refuse(BASIS "Ene= 1\nEne= 2\nSpin= Alpha\nOccup= 1\n1 0.5\n", "line 17:", "two energies");
  refuse(BASIS "Ene= 1\nSpin= Up\n", "line 17:", "an unknown spin");
  refuse(BASIS "Ene= 1\nSpin Alpha\n", "line 17:", "a key without a sign");
  refuse(BASIS "Energy= 1\n", "line 16:", "an unknown key");
  refuse(BASIS "Ene= 1 2\n", "line 16:", "two values of a key");
  refuse(BASIS KEYS, "line 20:", "no coefficients");
  refuse(BASIS KEYS "[FREQ]\n", "line 20:", "another section instead of coefficients");
  refuse(BASIS KEYS "6 1\n", "line 20:", "a coefficient of a function that is not there");
  refuse(BASIS KEYS "0 1\n", "line 20:", "a coefficient of function 0");
  refuse(BASIS KEYS "2 1\n2 1\n", "line 21:", "a coefficient twice");
  refuse(BASIS KEYS "1 1 1\n", "line 20:", "two coefficients of a function");
  refuse(BASIS KEYS "1 inf\n", "line 20:", "inf");
  refuse(BASIS KEYS "1 1e", "line 20:", "an exponent without digits");
  refuse(BASIS KEYS "1", "line 20:", "a function without a coefficient");
  refuse(HEAD ATOMS "[GTO]\n1 0\nm 1 1.0\n1 1\n" MO, "line 7:", "m functions");
  refuse(HEAD ATOMS GTO MO HEAD ATOMS GTO MO, "line 23: a second section [atoms]: the file holds several data sets",
         "two sets");
}

static void test_many(void) {
  char text[12000];
  molden_file m;
  size_t i, used = (size_t)snprintf(text, sizeof text, "%s", BASIS);
  for (i = 0; i < 11; i++) {
    if (i == 10) {
      const int status = parse(&m, text, used);
      expect(status == 0 && m.norbitals == 10, "ten orbitals of five functions", (long)m.norbitals);
      molden_free(&m);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s1 1\n", KEYS);
  }
  refuse(text, "line 66:", "more orbitals than functions of both spins");
}

/* A file of a program, with either kind of line ends. */
static void test_file(const char *path) {
  molden_file m, again;
  size_t i, k;
  double electrons = 0;
  const int status = molden_read(&m, path, message, sizeof message);
  expect(status == 0, path, status);
  if (status == 0) {
    expect(consistent(&m) && m.natoms == 3 && m.nshells == 9 && m.nfunctions == 13 && m.norbitals == 13, "water", 0);
    for (i = 0; i < m.norbitals; i++) {
      electrons += m.orbitals[i].occupation;
    }
    expect(fabs(electrons - 10) <= 0 && fabs(m.coefficients[4 * 13 + 2] - 0.641874127509384440) < 1e-15, "water's orbitals", 0);
  }
  molden_free(&m);
  for (k = 0; k < 2; k++) {
    const char *text = k ? rich : plain;
    char ends[1000];
    size_t used = 0;
    for (i = 0; text[i]; i++) {
      if (text[i] == '\n') {
        ends[used++] = '\r';
      }
      ends[used++] = text[i];
    }
    expect(parse(&m, text, strlen(text)) == 0 && parse(&again, ends, used) == 0, "lines that end with CR LF", (long)k);
    if (m.nfunctions && again.nfunctions) {
      expect(m.norbitals == again.norbitals && m.nfunctions == again.nfunctions && strcmp(m.title, again.title) == 0 &&
                 memcmp(m.coefficients, again.coefficients, m.norbitals * m.nfunctions * sizeof *m.coefficients) == 0,
             "line ends change nothing", (long)k);
    }
    molden_free(&m);
    molden_free(&again);
  }
  refuse_missing("examples/data/no.molden");
}

/* ---- what coefficients mean ---- */

/* Two atoms with two shells of each kind, in a general place, so that nothing vanishes for its symmetry. */
#define MIXED_SHELLS 10
#define MIXED_PRIMITIVES 17

static void *copy_of(const void *from, size_t size) {
  void *to = allocate(size);
  memcpy(to, from, size);
  return to;
}

/* All functions of shells s to g, and as many orbitals, which are orthonormal; contractions have the norm 1. */
static int one_place; /* both atoms: then products of orbitals do not see signs of functions */

static void make_mixed(molden_file *m, int spherical) {
  static const double exponents[MIXED_PRIMITIVES] = {30, 4, .8, 3, .7, 2, .9, 1.4, .6, 1.1, 5, .9, 2.2, .5, .8, 1.3, 1.7};
  static const double contraction[MIXED_PRIMITIVES] = {.1, .5, .6, .4, .7, .5, .6, .3, .8, 1, .2, .9, .3, .8, 1, .7, .4};
  static const size_t primitives[MIXED_SHELLS] = {3, 2, 2, 2, 1, 2, 2, 1, 1, 1};
  static const int letter[MIXED_SHELLS] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
  static const double position[2][3] = {{0.1, -0.2, 0.3}, {0.9, 0.7, -0.8}};
  size_t i, k, j, n;
  double *s;
  memset(m, 0, sizeof *m);
  m->natoms = 2;
  m->nshells = MIXED_SHELLS;
  m->nprimitives = MIXED_PRIMITIVES;
  m->atoms = (molden_atom *)calloc(2, sizeof *m->atoms);
  m->shells = (molden_shell *)calloc(MIXED_SHELLS, sizeof *m->shells);
  m->exponents = (double *)copy_of(exponents, sizeof exponents);
  m->contraction = (double *)copy_of(contraction, sizeof contraction);
  for (i = 0, k = 0; i < MIXED_SHELLS; i++) {
    molden_shell *shell = &m->shells[i];
    double norm;
    shell->atom = i / 5;
    shell->l = letter[i];
    shell->spherical = spherical && letter[i] > 1;
    shell->primitives = primitives[i];
    shell->first = k;
    norm = molden_contracted_(shell->l, shell->primitives, m->exponents + k, m->contraction + k);
    for (j = 0; j < shell->primitives; j++) {
      m->contraction[k + j] /= norm;
    }
    k += primitives[i];
    m->nfunctions += molden_shell_functions(shell);
  }
  memcpy(m->atoms[0].position, position[0], sizeof position[0]);
  memcpy(m->atoms[1].position, position[one_place ? 0 : 1], sizeof position[1]);
  n = m->norbitals = m->nfunctions;
  m->named = n;
  m->told = spherical ? 28 : 0;
  m->line = 77;
  m->orbitals = (molden_orbital *)calloc(n, sizeof *m->orbitals);
  m->coefficients = (double *)calloc(n * n, sizeof *m->coefficients);
  s = (double *)allocate(n * n * sizeof *s);
  expect(molden_overlap(m, m->contraction, s) == 0, "an overlap matrix", 0);
  /* random rows, each freed of what the ones before it have, twice, for the sake of roundings */
  for (i = 0; i < n; i++) {
    double *row = m->coefficients + i * n;
    size_t pass, p, q;
    for (k = 0; k < n; k++) {
      row[k] = (double)random_below(2001) / 1000 - 1;
    }
    for (pass = 0; pass < 2; pass++) {
      for (j = 0; j <= i; j++) {
        const double *other = m->coefficients + j * n;
        double product = 0;
        for (p = 0; p < n; p++) {
          for (q = 0; q < n; q++) {
            product += row[p] * s[p * n + q] * other[q];
          }
        }
        for (p = 0; p < n; p++) {
          row[p] = j < i ? row[p] - product * other[p] : row[p] / sqrt(product);
        }
      }
    }
  }
  free(s);
}

/* The overlap of two g, f and other shells by a sum over points, which converges fast for Gaussians; harmonics as books have them. */
static double book_function(const molden_shell *shell, size_t i, const double r[3]) {
  const double x = r[0], y = r[1], z = r[2], q = x * x + y * y + z * z;
  if (shell->spherical && shell->l == 4) {
    switch (i) {
      case 0: return 35 * z * z * z * z - 30 * z * z * q + 3 * q * q;
      case 1: return x * z * (7 * z * z - 3 * q);
      case 2: return y * z * (7 * z * z - 3 * q);
      case 3: return (x * x - y * y) * (7 * z * z - q);
      case 4: return x * y * (7 * z * z - q);
      case 5: return x * z * (x * x - 3 * y * y);
      case 6: return y * z * (3 * x * x - y * y);
      case 7: return x * x * (x * x - 3 * y * y) - y * y * (3 * x * x - y * y);
      default: return x * y * (x * x - y * y);
    }
  } else if (shell->spherical && shell->l == 3) {
    switch (i) {
      case 0: return z * (5 * z * z - 3 * q);
      case 1: return x * (5 * z * z - q);
      case 2: return y * (5 * z * z - q);
      case 3: return z * (x * x - y * y);
      case 4: return x * y * z;
      case 5: return x * (x * x - 3 * y * y);
      default: return y * (3 * x * x - y * y);
    }
  } else if (shell->spherical && shell->l == 2) {
    return i == 0 ? 3 * z * z - q : i == 1 ? x * z : i == 2 ? y * z : i == 3 ? x * x - y * y : x * y;
  } else {
    static const char *const powers[5][15] = {{""},
                                              {"x", "y", "z"},
                                              {"xx", "yy", "zz", "xy", "xz", "yz"},
                                              {"xxx", "yyy", "zzz", "xyy", "xxy", "xxz", "xzz", "yzz", "yyz", "xyz"},
                                              {"xxxx", "yyyy", "zzzz", "xxxy", "xxxz", "yyyx", "yyyz", "zzzx", "zzzy", "xxyy",
                                               "xxzz", "yyzz", "xxyz", "yyxz", "zzxy"}};
    const char *p;
    double value = 1;
    for (p = powers[shell->l][i]; *p; p++) {
      value *= r[*p - 'x'];
    }
    return value;
  }
}

static void test_overlap(int spherical) {
  molden_file m;
  size_t n, i, k, f, shell, at;
  double *s, *sum, *value, x[3], worst = 0;
  make_mixed(&m, spherical);
  n = m.nfunctions;
  s = (double *)allocate(n * n * sizeof *s);
  sum = (double *)calloc(n * n, sizeof *sum);
  value = (double *)allocate(n * sizeof *value);
  molden_overlap(&m, m.contraction, s);
  for (shell = 0; shell < MIXED_SHELLS; shell++) { /* one primitive of each: the sharp one of s would want more points */
    m.shells[shell].first += m.shells[shell].primitives - 1;
    m.shells[shell].primitives = 1;
  }
  molden_overlap(&m, m.contraction, s);
  for (x[0] = -5; x[0] < 6; x[0] += 0.3) {
    for (x[1] = -5; x[1] < 6; x[1] += 0.3) {
      for (x[2] = -5; x[2] < 6; x[2] += 0.3) {
        for (shell = 0, at = 0; shell < MIXED_SHELLS; shell++) {
          const molden_shell *one = &m.shells[shell];
          const double *c = m.atoms[one->atom].position;
          const double r[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
          for (f = 0; f < molden_shell_functions(one); f++) {
            value[at++] = book_function(one, f, r) * exp(-m.exponents[one->first] * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
          }
        }
        for (i = 0; i < n; i++) {
          for (k = 0; k <= i; k++) {
            sum[i * n + k] += value[i] * value[k];
          }
        }
      }
    }
  }
  for (i = 0; i < n; i++) {
    for (k = 0; k <= i; k++) {
      const double here = fabs(sum[i * n + k] / sqrt(sum[i * n + i] * sum[k * n + k]) - s[i * n + k]);
      worst = here <= worst ? worst : here;
    }
  }
  expect(worst < 1e-7, "overlap as a sum over points, in 1e-12", (long)(1e12 * worst));
  free(value);
  free(sum);
  free(s);
  molden_free(&m);
}

enum { PLAIN, RAW, ORCA, TURBOMOLE, CFOUR, PSI4, ASCENDING, OWN };

/* Writes a file's coefficients as a program does that does not keep to the format; numbers are those of its source code. */
static void write_as(molden_file *m, int program) {
  static const double turbomole[5] = {1, 1, 3, 15, 105};
  static const double cfour[3][15] = {
      {3, 3, 3, 1, 1, 1}, {15, 15, 15, 3, 3, 3, 3, 3, 3, 1}, {105, 105, 105, 15, 15, 15, 15, 15, 15, 9, 9, 9, 3, 3, 3}};
  static const double psi4[3][15] = {
      {1, 1, 1, 3, 3, 3}, {1, 1, 1, 5, 5, 5, 5, 5, 5, 15}, {1, 1, 1, 7, 7, 7, 7, 7, 7, 35. / 3, 35. / 3, 35. / 3, 35, 35, 35}};
  static const size_t ascending[5][9] = {{0}, {0, 1, 2}, {4, 2, 0, 1, 3}, {6, 4, 2, 0, 1, 3, 5}, {8, 6, 4, 2, 0, 1, 3, 5, 7}};
  size_t shell, i, f, first = 0;
  for (shell = 0; shell < m->nshells; shell++) {
    const molden_shell *s = &m->shells[shell];
    const size_t functions = molden_shell_functions(s);
    const int l = s->l;
    for (i = s->first; i < s->first + s->primitives && (program == RAW || program == ORCA); i++) {
      const double a =
          m->exponents[i]; /* the norm of a primitive that ORCA writes, and Psi4 and NWChem with another constant */
      m->contraction[i] *= pow(2 * a / 3.14159265358979323846, 0.75) * pow(4 * a, 0.5 * l) / sqrt(l == 4 ? 3 : 1) /
                           (program == RAW ? sqrt(turbomole[l]) : 1);
    }
    for (i = s->first; i < s->first + s->primitives && program == OWN; i++) {
      m->contraction[i] *= 0.5 + 0.25 * (double)shell;
    }
    for (i = 0; i < m->norbitals; i++) {
      double *c = m->coefficients + i * m->nfunctions + first, old[15];
      memcpy(old, c, functions * sizeof *c);
      for (f = 0; f < functions; f++) {
        if (l > 1 && !s->spherical) {
          c[f] *= program == TURBOMOLE ? 1 / sqrt(turbomole[l])
                  : program == CFOUR   ? 1 / sqrt(cfour[l - 2][f])
                  : program == PSI4    ? sqrt(psi4[l - 2][f])
                                       : 1;
        } else if (l > 1) {
          c[f] = program == ASCENDING ? old[ascending[l][f]] : program == ORCA && f >= 5 ? -c[f] : c[f];
        }
        c[f] /= program == OWN ? 0.5 + 0.25 * (double)shell : 1;
      }
    }
    first += functions;
  }
}

/* Are coefficients those of the same functions? Contractions may differ by the norm that they get anyway. */
static int same_orbitals(const molden_file *m, const molden_file *wanted) {
  size_t i, shell;
  int same = m->nfunctions == wanted->nfunctions;
  for (i = 0; same && i < m->norbitals * m->nfunctions; i++) {
    same = fabs(m->coefficients[i] - wanted->coefficients[i]) <= 1e-12 * (1 + fabs(wanted->coefficients[i]));
  }
  for (shell = 0; same && shell < m->nshells; shell++) {
    const molden_shell *s = &wanted->shells[shell];
    const double ratio = m->contraction[s->first] / wanted->contraction[s->first];
    same = s->spherical == m->shells[shell].spherical && ratio > 0;
    for (i = s->first; same && i < s->first + s->primitives; i++) {
      same = fabs(m->contraction[i] / wanted->contraction[i] / ratio - 1) < 1e-12;
    }
  }
  return same;
}

static void test_programs(void) {
  static const struct {
    const char *what, *meaning;
    int program, spherical;
  } cases[] = {{"Cartesian", "the format says", PLAIN, 0},
               {"spherical", "the format says", PLAIN, 1},
               {"exponentials, Cartesian", "coefficients that multiply exponentials", RAW, 0},
               {"exponentials, spherical", "coefficients that multiply exponentials", RAW, 1},
               {"ORCA", "ORCA's: ", ORCA, 1},
               {"Turbomole", "Turbomole's: ", TURBOMOLE, 0},
               {"CFOUR", "CFOUR's: ", CFOUR, 0},
               {"Psi4", "Psi4's up to 1.3.2: ", PSI4, 0},
               {"m from -l to l", "the format says; spherical functions in the order m = -l .. l", ASCENDING, 1},
               {"contractions of other norms", "the format says", OWN, 0}};
  size_t i, k, n;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    molden_file m, wanted;
    unsigned long state = random_state;
    make_mixed(&wanted, cases[i].spherical);
    random_state = state;
    make_mixed(&m, cases[i].spherical);
    write_as(&m, cases[i].program);
    message[0] = '\0';
    expect(molden_settle(&m, NULL, message, sizeof message) == 0, cases[i].what, 0);
    expect(strncmp(m.meaning, cases[i].meaning, strlen(cases[i].meaning)) == 0 && m.rewritten == (cases[i].program != PLAIN),
           cases[i].what, 1);
    expect(same_orbitals(&m, &wanted), cases[i].what, 2);
    molden_free(&m);
    /* orbitals that are almost orthonormal are refused, or taken by the name of what they are */
    random_state = state;
    make_mixed(&m, cases[i].spherical);
    n = m.nfunctions;
    for (k = 0; k < n; k++) {
      m.coefficients[2 * n + k] += 2e-4 * m.coefficients[5 * n + k];
    }
    expect(molden_settle(&m, NULL, message, sizeof message) != 0 && !m.meaning[0] &&
               strstr(message, "line 77: orbitals that are orthonormal are wanted, orbitals 3 and 6 have the product 0.00020"),
           cases[i].what, 3);
    expect(molden_settle(&m, "format", message, sizeof message) == 0 && m.meaning[0] && !m.rewritten, cases[i].what, 4);
    expect(molden_settle(&m, "gaussian", message, sizeof message) != 0 && strstr(message, "not gaussian"), cases[i].what, 5);
    molden_free(&m);
    molden_free(&wanted);
  }
}

/* What the digits of coefficients leave open. */
static void test_digits(void) {
  static const struct {
    const char *coefficients;
    double rounding;
  } cases[] = {{"1 0.25\n2 0.125\n3 -1.5", 0.05},       {"1 .25\n2 1.250E-02\n3 -12.25D-1", 0.005},
               {"1 0.00125\n2 2.50\n3 1e2", 50},        {"1 0.00125000\n2 -0.25000000\n3 0.00000000", 5e-9},
               {"1 0.00125000\n2 0.25000000", 0.00125}, {"1 1.250E-08\n2 2.500E+00\n3 0", 0.5},
               {"1 1.250E-08\n3 2.500E+00", 5e-4}};
  char text[400];
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    molden_file m;
    snprintf(text, sizeof text, HEAD "[Atoms] AU\nHe 1 2 0 0 0\n[GTO]\n1 0\np 1 1.0\n1.0 1.0\n\n[MO]\n" KEYS "%s\n",
             cases[i].coefficients);
    expect(parse(&m, text, strlen(text)) == 0 && fabs(m.rounding / cases[i].rounding - 1) < 1e-12, cases[i].coefficients,
           (long)i);
    molden_free(&m);
  }
}

/* In an atom the norms of contractions tell ORCA's signs, which products of orbitals do not see. */
static void test_atom(void) {
  static const int programs[2] = {ORCA, RAW};
  int i;
  one_place = 1;
  for (i = 0; i < 2; i++) {
    molden_file m, wanted;
    const unsigned long state = random_state;
    make_mixed(&wanted, 1);
    random_state = state;
    make_mixed(&m, 1);
    write_as(&m, programs[i]);
    expect(molden_settle(&m, NULL, message, sizeof message) == 0 && same_orbitals(&m, &wanted), "signs of functions of an atom",
           i);
    molden_free(&m);
    molden_free(&wanted);
  }
  one_place = 0;
}

/* The file says nothing of spherical functions, but names no more functions than these are. */
static void test_untold(void) {
  molden_file m, wanted;
  const unsigned long state = random_state;
  double *wide;
  size_t i, n, more;
  make_mixed(&wanted, 1);
  random_state = state;
  make_mixed(&m, 1);
  m.told = 0;
  n = m.nfunctions;
  more = n + 2 * (1 + 3 + 6);
  wide = (double *)calloc(m.norbitals * more, sizeof *wide);
  for (i = 0; i < m.norbitals; i++) {
    memcpy(wide + i * more, m.coefficients + i * n, n * sizeof *wide);
  }
  free(m.coefficients);
  m.coefficients = wide;
  m.nfunctions = more;
  for (i = 0; i < m.nshells; i++) {
    m.shells[i].spherical = 0;
  }
  expect(molden_settle(&m, NULL, message, sizeof message) == 0 && m.rewritten && strstr(m.meaning, "without [5D]") &&
             strstr(m.meaning, "without [9G]"),
         "spherical functions without a tag", 0);
  expect(same_orbitals(&m, &wanted), "spherical functions without a tag", 1);
  molden_free(&m);
  molden_free(&wanted);
}

static int settled(molden_file *m, const char *path) {
  char whole[200];
  snprintf(whole, sizeof whole, "examples/data/molden/%s.molden", path);
  message[0] = '\0';
  return molden_read_settled(m, whole, NULL, message, sizeof message) == 0;
}

/* Files of programs: examples/data/README.md says of which. */
static void test_settled(void) {
  static const struct {
    const char *path, *meaning;
    size_t functions;
    double electrons;
  } cases[] = {{"nwchem_water", "the format says", 18, 10},
               {"nwchem_water_norm", "coefficients that multiply exponentials", 18, 10},
               {"xtb_water", "coefficients that multiply exponentials", 6, 8},
               {"psi4_water_cartesian", "Psi4's up to 1.3.2: ", 19, 10},
               {"cclib_water",
                "the format says; spherical functions in the order m = -l .. l; spherical d functions without [5D]", 18, 10},
               {"openmolcas_water", "the format says", 18, 10},
               {"cp2k_water", "the format says", 18, 10},
               {"cp2k_water_digits", "the format says; with so few digits orbitals are orthonormal to 8e-04", 18, 10}};
  molden_file m, other;
  size_t i, k;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    double electrons = 0;
    const int good = settled(&m, cases[i].path);
    expect(good, cases[i].path, 0);
    if (good) {
      for (k = 0; k < m.norbitals; k++) {
        electrons += m.orbitals[k].occupation;
      }
      expect(fabs(electrons - cases[i].electrons) < 1e-9 && m.nfunctions == cases[i].functions, cases[i].path, 1);
      expect(strncmp(m.meaning, cases[i].meaning, strlen(cases[i].meaning)) == 0, cases[i].path, 2);
      molden_free(&m);
    }
  }
  if (settled(&m, cases[0].path)) {
    if (settled(&other, cases[1].path)) {
      /* seven digits of primitives' norms */
      for (i = 0; i < m.nshells; i++) {
        const molden_shell *s = &m.shells[i];
        for (k = s->first; k < s->first + s->primitives; k++) {
          const double ratio = other.contraction[k] / other.contraction[s->first] * m.contraction[s->first] / m.contraction[k];
          expect(fabs(ratio - 1) < 1e-6, "the same contraction with and without norms of primitives", (long)k);
        }
      }
      expect(memcmp(m.coefficients, other.coefficients, m.norbitals * m.nfunctions * sizeof *m.coefficients) == 0,
             "the same orbitals with and without norms of primitives", 0);
      molden_free(&other);
    }
    molden_free(&m);
  }
  if (settled(&m, "cp2k_water")) {
    if (settled(&other, "cp2k_water_digits")) {
      double worst = 0;
      for (i = 0; i < m.norbitals * m.nfunctions; i++) {
        worst = fmax(worst, fabs(m.coefficients[i] - other.coefficients[i]));
      }
      expect(!m.rewritten && other.rewritten && worst > 1e-4 && worst < 1e-3, "the same orbitals with four digits", 0);
      molden_free(&other);
    }
    molden_free(&m);
  }
  expect(!settled(&m, "cp2k_water_cartesian_digits") && strstr(message, "line 46: coefficients of so few digits fit several"),
         "four digits do not tell what Cartesian functions mean", 0);
  expect(molden_parse(&m, plain, strlen(plain), message, sizeof message) == 0 &&
             molden_settle(&m, NULL, message, sizeof message) != 0 &&
             strstr(message, "line 15: orbitals that are orthonormal are wanted, orbital 1 has the norm"),
         "orbitals of no norm", 0);
  molden_free(&m);
}

/* The two files of one d function: the mixed one of Psi4 is sqrt(3) times as large as it should be. */
static void test_single_d(void) {
  static const char *const coefficient[2] = {"1.0", "1.732050807569"};
  char text[400];
  int i;
  for (i = 0; i < 2; i++) {
    molden_file m;
    snprintf(text, sizeof text, HEAD "[Atoms] AU\nHe 1 2 0 0 0\n[GTO]\n1 0\nd 1 1.0\n1.0 1.0\n\n[MO]\n" KEYS "4 %s",
             coefficient[i]);
    expect(parse(&m, text, strlen(text)) == 0 && molden_settle(&m, NULL, message, sizeof message) == 0 &&
               fabs(m.coefficients[3] - 1) < 1e-11 && m.rewritten == i,
           "one d function", i);
    molden_free(&m);
  }
}

/* test_molden, from the root of the repository */
int main(void) {
  static const char letters[] = "0123456789+-.eEdDspfgSEO=[]() \t\r\n";
  test_whole();
  test_tags();
  test_charges();
  test_cut(plain);
  test_cut(rich);
  test_zero_bytes();
  test_absurd();
  test_many();
  test_flips(plain, strlen(plain), letters, sizeof letters - 1, 6);
  test_flips(rich, strlen(rich), letters, sizeof letters - 1, 6);
  test_pieces(plain);
  test_pieces(rich);
  test_file("examples/data/water_631g.molden");
  test_overlap(0);
  test_overlap(1);
  test_programs();
  test_digits();
  test_atom();
  test_untold();
  test_settled();
  test_single_d();
  return finish();
}
