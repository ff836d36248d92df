/* The molden reader of the examples against whole, cut, mutated and absurd files. */
#include "../examples/molden.h"

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

/* Behind the line of a coefficient a file may end, elsewhere not. */
static int may_end(const char *text, size_t size) {
  const size_t begin = (size_t)(strstr(text, "[MO]") - text) + 4;
  size_t last = size;
  int newline = 0;
  while (last > 0 && cube_is_space_(text[last - 1])) {
    newline |= text[--last] == '\n';
  }
  if (!newline || last <= begin) {
    return 0;
  }
  while (text[last - 1] != '\n') {
    last--;
  }
  while (text[last] == ' ') {
    last++;
  }
  return cube_is_digit_(text[last]);
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
  expect(ends > 0 && ends < 10, "few cuts leave a whole file", (long)ends);
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
  refuse(BASIS KEYS "1 1", "line 20:", "a coefficient that may have lost digits");
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

/* test_molden, from the root of the repository */
int main(void) {
  static const char letters[] = "0123456789+-.eEdDspfgSEO=[]() \t\r\n";
  test_whole();
  test_tags();
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
  return finish();
}
