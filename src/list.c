/* SPDX-License-Identifier: MIT
   Lists the functions that a header declares, and the structs that they take, a line each: what passes over a precision leave
   no name of to look for.  Made of what the preprocessor makes of the header:

     list < expanded > room

   A line `LIST title` begins a part of the list, `ROOMS beginning...` says from which rooms, and `LISTED` ends the list. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192, ENTRIES = 4096, NAME = 128, FUNCTION = 0, STRUCT = 1 };

typedef struct entry {
  int kind, done;
  char name[NAME];
  char *text;
} entry;

static entry entries[ENTRIES];
static size_t count;

static void fail(const char *what, const char *text) {
  fprintf(stderr, "list: %s %.200s\n", what, text);
  exit(1);
}

static char *read_all(void) {
  size_t size = 0, room = 1 << 20;
  char *text = (char *)malloc(room);
  while (text && (size += fread(text + size, 1, room - size - 1, stdin)) == room - 1) text = (char *)realloc(text, room *= 2);
  if (!text || ferror(stdin)) fail("cannot read", "the expanded header");
  text[size] = 0;
  return text;
}

/* The length of the declaration, or of the line of text, at p. */
static size_t length_of(const char *p) {
  const char *q = p;
  int depth = 0;
  if (*p == '#' || !strncmp(p, "LIST", 4) || !strncmp(p, "ROOMS", 5)) return strcspn(p, "\n");
  for (; *q && !(*q == ';' && !depth); q++) depth += (*q == '(' || *q == '{') - (*q == ')' || *q == '}');
  return (size_t)(q - p) + (*q == ';');
}

/* The declaration on one line, without attributes. */
static void flatten(const char *p, size_t length, char out[LINE]) {
  static const char attribute[] = "__attribute__";
  const char *end = p + length;
  size_t n = 0;
  int depth;
  while (p < end) {
    if (!strncmp(p, attribute, sizeof attribute - 1)) {
      p += strcspn(p, "(");
      depth = 0;
      do depth += (*p == '(') - (*p == ')');
      while (++p < end && depth);
    } else if (*p == '#' && (p == end - length || p[-1] == '\n')) {
      p += strcspn(p, "\n"); /* where a line comes from */
    } else if (isspace((unsigned char)*p)) {
      p++;
      if (n && out[n - 1] != ' ' && out[n - 1] != '(' && out[n - 1] != '*') out[n++] = ' ';
    } else {
      if ((*p == '(' || *p == ';' || *p == ')') && n && out[n - 1] == ' ' && !(*p == '(' && p[1] == '*')) n--;
      out[n++] = *p++;
    }
    if (n >= LINE - 1) fail("too long:", out);
  }
  out[n] = 0;
}

/* Without its type: convk_exp of convk_exp_f64. */
static size_t base(const char *name) {
  static const char *const types[] = {"_f32", "_f64", "_c32", "_c64"};
  const size_t length = strlen(name);
  size_t i;
  for (i = 0; i < sizeof types / sizeof *types; i++)
    if (length > 4 && !strcmp(name + length - 4, types[i])) return length - 4;
  return length;
}

/* Whether it is a user's: not private, not an operation once more by the name of a hardware, not a table of the handle's. */
static int wanted(const char *name) {
  static const char *const not_so[] = {"_scalar", "_sse2", "_avx", "_avx2", "_avx512", "_neon", "_opencl", "_cuda", "_"};
  const size_t length = strlen(name);
  size_t i;
  for (i = 0; i < sizeof not_so / sizeof *not_so; i++) {
    const size_t n = strlen(not_so[i]);
    if (length > n && !strcmp(name + length - n, not_so[i])) return 0;
  }
  return strncmp(name, "convk_ops_", 10) != 0;
}

/* Keeps a declaration that is a function or a struct of a user's. */
static void keep(const char *text) {
  const int typed = !strncmp(text, "typedef struct convk", 20),
            kind = typed || !strncmp(text, "struct convk", 12) ? STRUCT : FUNCTION;
  const char *at = kind == STRUCT ? strstr(text, "convk") : text;
  entry *e = &entries[count];
  size_t n, length = strlen(text);
  if (kind == STRUCT ? !strchr(text, '{') : !strncmp(text, "typedef", 7) || strchr(text, '{') || !strchr(text, '(')) return;
  if (kind == FUNCTION) /* the word before the bracket */
    for (at = strchr(text, '('); at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'); at--) continue;
  n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
  if (strncmp(at, "convk", 5) || n >= NAME) return;
  if (count == ENTRIES) fail("too many:", text);
  memcpy(e->name, at, n);
  e->name[n] = 0;
  if (!wanted(e->name)) return;
  e->kind = kind;
  e->done = 0;
  if (typed) text += strlen("typedef ");
  length = (size_t)(kind == STRUCT ? strrchr(text, '}') + 1 - text : strrchr(text, ';') - text);
  e->text = (char *)malloc(length + 2);
  if (!e->text) fail("no memory for", text);
  memcpy(e->text, text, length);
  strcpy(e->text + length, ";");
  count++;
}

/* What is of one kind, all types of a name together. */
static void print_kind(int kind) {
  size_t i, j;
  for (i = 0; i < count; i++) {
    const entry *const e = &entries[i];
    if (e->kind != kind) continue;
    for (j = i; j < count; j++) {
      entry *const o = &entries[j];
      if (o->done || o->kind != kind || base(o->name) != base(e->name) || strncmp(o->name, e->name, base(e->name))) continue;
      printf("     %s\n", o->text);
      o->done = 1;
    }
  }
}

static void print_part(const char *title) {
  if (count) printf("\n   %s\n", title);
  print_kind(FUNCTION);
  print_kind(STRUCT);
  while (count) free(entries[--count].text);
}

/* Whether a file, "src/fft/api.h" or "build/names/spelled/fft.h", begins with one of those that are named: "fft/". */
static int among(const char *file, const char *named) {
  const char *path = strstr(file, "src/"), *generated = strstr(file, "names/");
  if (!path && !generated) return 0;
  for (path = generated ? generated + 6 : path + 4; *named; named += strspn(named, " ")) {
    const size_t n = strcspn(named, " ");
    if (!strncmp(path, named, n)) return 1;
    named += n;
  }
  return 0;
}

int main(void) {
  char *const text = read_all();
  char line[LINE], room[LINE] = "", named[LINE] = "", title[LINE] = "";
  char *p = text;
  size_t length;
  for (; p += strspn(p, " \t\n"), *p; p += length) {
    length = length_of(p);
    flatten(p, length < LINE ? length : LINE - 2, line);
    if (*p == '#') {
      const char *const file = (const char *)memchr(p, '"', length);
      if (file) sprintf(room, "%.4000s", file + 1), room[strcspn(room, "\"")] = 0;
      continue;
    }
    if (!strncmp(p, "LIST", 4)) {
      print_part(title);
      strcpy(title, !strncmp(line, "LISTED", 6) ? "" : line + strlen("LIST "));
    } else if (!strncmp(p, "ROOMS", 5)) {
      strcpy(named, line + strlen("ROOMS "));
    } else if (among(room, named)) {
      keep(line);
    }
  }
  free(text);
  if (fflush(stdout)) fail("cannot write", "the list");
  return 0;
}
