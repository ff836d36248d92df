/* SPDX-License-Identifier: MIT
   Writes the names of one room: what its functions and types are called in each pass.

     names src stencil begin > src/stencil/names.h
     names src stencil end > src/stencil/names_end.h

   In src/ everything has an ordinary name, convk_stencil_rows_.  Where a file is compiled several times, once per precision
   or once per instruction set, the compiler has to see another name each time.  So a pass begins with

     #define convk_stencil_rows_ CONVK_KERNEL_(stencil_rows)

   for each function, type and table that such files define at file scope, and ends with an #undef of each.  Which suffix a name
   gets depends on the file that defines it: a new file of this kind is to be added to the lists below. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 1000, LENGTH = 96, TEXT = 1 << 20, TOKENS = 4096 };

typedef enum kind {
  PRECISION, /* once per precision: convk_stencil_job_ becomes convk_stencil_job_f64_ */
  KERNEL,    /* once per instruction set and precision: convk_stencil_rows_f64_avx2_ */
  BOTH,      /* once for processors, once for a device, for elements of both precisions */
  DEVICE,    /* once per precision for a device: convk_stencil_there_f64_opencl_; convk_cl_.. and convk_cuda_.. as PRECISION */
  SPELLED    /* spelled for both precisions, convk_any_f32_ and convk_any_f64_: passes call it convk_any_ */
} kind;

typedef struct file {
  const char *name;
  kind kind;
} file;
/* of a family; and of the core, with what lies beside the families */
static const file family[] = {
    {"types.h", PRECISION},
    {"driver.h", PRECISION},
    {"meshes.h", PRECISION},
    {"ready.h", PRECISION},
    {"many.h", PRECISION},
    {"tiles.h", PRECISION},
    {"terms.h", PRECISION},
    {"energy.h", PRECISION},
    {"moves.h", PRECISION},
    {"sweeps.h", PRECISION},
    {"tuner.h", PRECISION},
    {"kernel.h", KERNEL},
    {"element.h", KERNEL},
    {"point.h", KERNEL},
    {"triangle.h", KERNEL},
    {"per_q.h", KERNEL},
    {"exponential.h", KERNEL},
    {"far.h", BOTH},
    {"numbers.h", BOTH},
    {"host.h", DEVICE},
    {"opencl_calls.h", DEVICE},
    {"cuda.h", DEVICE},
    {"opencl_api.h", DEVICE},
    {"cuda_api.h", DEVICE},
    {"device_api.h", DEVICE},
    {"device.h", DEVICE},
    {"orbitals.h", PRECISION},
    {"grid.h", PRECISION},
    {"grid_tiles.h", PRECISION},
    {"grid_calls.h", PRECISION},
    {"grid_kernel.h", KERNEL},
    {"grid_point.h", KERNEL},
    {"grid_axis.h", BOTH},
    {"grid_device.h", DEVICE},
    {"grid_frame.h", PRECISION},
    {"grid_cells.h", PRECISION},
    {"grid_cells_kernel.h", KERNEL},
    {"grid_waves_kernel.h", KERNEL},
    {"dwt_types.h", PRECISION},
    {"dwt.h", PRECISION},
    {"dwt_kernel.h", KERNEL},
    {"dwt_device.h", DEVICE},
    {"dwt_device_api.h", DEVICE},
    {"dwt_opencl_calls.h", DEVICE},
    {"dwt_cuda.h", DEVICE},
    {"sum_types.h", PRECISION},
    {"sum.h", PRECISION},
    {"sum_kernel.h", KERNEL},
    {"sum_device.h", DEVICE},
    {"sum_device_api.h", DEVICE},
    {"sum_opencl_api.h", DEVICE},
    {"sum_opencl_calls.h", DEVICE},
    {"sum_cuda.h", DEVICE},
    {"segments.h", PRECISION},
    {"segments_device.h", DEVICE},
    {"segments_device_api.h", DEVICE},
    {"segments_opencl_calls.h", DEVICE},
    {"segments_cuda.h", DEVICE},
    {"hamiltonian_types.h", PRECISION},
    {"hamiltonian.h", PRECISION},
    {"hamiltonian_device.h", DEVICE},
    {"hamiltonian_device_api.h", DEVICE},
    {"hamiltonian_opencl_api.h", DEVICE},
    {"hamiltonian_opencl_calls.h", DEVICE},
    {"hamiltonian_cuda.h", DEVICE},
    {"sum_walk.h", PRECISION},
    {"sum_walk_kernel.h", KERNEL},
    {"cheb_types.h", PRECISION},
    {"cheb.h", PRECISION},
    {"cheb_walk.h", PRECISION},
    {"cheb_device.h", DEVICE},
    {"cheb_device_api.h", DEVICE},
    {NULL, PRECISION},
};
static const file core[] = {
    {"types.h", SPELLED},
    {"sizes.h", SPELLED},
    {"operation_types.h", PRECISION},
    {"../tuner/fill.h", PRECISION},
    {"bind.h", KERNEL},
    {"../words/scalar_functions.h", KERNEL},
    {"axis.h", BOTH},
    {"../convk_cl.h", DEVICE},
    {"../convk_cuda.h", DEVICE},
    {NULL, PRECISION},
};

static struct { char name[LENGTH], made[2 * LENGTH]; } names[NAMES];
static int count;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "names: %s %s\n", what, name);
  exit(1);
}

static int ends(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}
static int begins(const char *text, const char *begin) { return !strncmp(text, begin, strlen(begin)); }

/* What makes the name: CONVK_PRIVATE_(stencil_job) of convk_stencil_job_.  Public names have no _ at their end; those of
   complex numbers and of a device have an ending of their own: convk_fft2d_complex is convk_fft2d_c64, convk_stencil7_device
   is convk_stencil7_f64_cuda, convk_stencil7_resident is convk_cuda_stencil7_f64. */
static void add(const char *full, kind kind) {
  const char *maker = "CONVK_TYPED_", *end = "";
  char name[LENGTH], *made;
  int i;
  if (!begins(full, "convk_") || (kind == SPELLED && !ends(full, "_f32_"))) return;
  strcpy(name, full);
  if (kind == SPELLED) {
    strcpy(name + strlen(name) - strlen("f32_"), "");
    kind = PRECISION;
  }
  for (i = 0; i < count; i++)
    if (!strcmp(names[i].name, name)) return;
  if (count == NAMES || strlen(name) >= LENGTH) fail("too many names, or too long:", name);
  if (kind == DEVICE && (begins(name, "convk_cl_") || begins(name, "convk_cuda_"))) kind = PRECISION;
  if (ends(name, "_")) {
    end = "_";
    maker = kind == PRECISION ? "CONVK_PRIVATE_"
            : kind == KERNEL  ? "CONVK_KERNEL_"
            : kind == BOTH    ? "CONVK_BOTH_"
                              : "CONVK_HARDWARE_";
  } else if (ends(name, end = "_complex_device")) maker = "CONVK_COMPLEX_VARIANT_";
  else if (ends(name, end = "_complex")) maker = "CONVK_COMPLEX_";
  else if (ends(name, end = "_device")) maker = "CONVK_VARIANT_";
  else if (ends(name, end = "_complex_resident")) maker = "CONVK_DEVICE_COMPLEX_";
  else if (ends(name, end = "_resident")) maker = "CONVK_DEVICE_TYPED_";
  else end = "";
  strcpy(names[count].name, name);
  made = names[count++].made;
  sprintf(made, "%s(%.*s)", maker, (int)(strlen(name) - strlen("convk_") - strlen(end)), name + strlen("convk_"));
}

/* The next word or sign of a text without comments, strings and lines of the preprocessor; 0 at its end. */
static const char *next(const char *p, char token[LENGTH], int *fresh) {
  size_t n = 0;
  for (;; p++) {
    if (*p == '\n') *fresh = 1;
    if (!*p) return NULL;
    if (isspace((unsigned char)*p)) continue;
    if (*p == '#' && *fresh) {
      while (p[1] && (p[1] != '\n' || *p == '\\')) p++;
    } else if (*p == '/' && p[1] == '*') {
      p = strstr(p + 2, "*/");
      if (!p++) return NULL;
    } else if (*p == '"' || *p == '\'') {
      const char quote = *p;
      while (*++p && *p != quote)
        if (*p == '\\' && p[1]) p++;
    } else break;
  }
  *fresh = 0;
  if (!isalnum((unsigned char)*p) && *p != '_') token[n++] = *p++;
  else
    while ((isalnum((unsigned char)*p) || *p == '_') && n < LENGTH - 1) token[n++] = *p++;
  token[n] = 0;
  return p;
}

/* What one file defines at file scope: functions and their types, structs, typedefs, tables, constants.  `last` and `before`
   are the two words or signs before the one at hand, `done` says that this definition's name was found. */
static void define(const char *text, kind kind) {
  char token[LENGTH], last[LENGTH] = "", before[LENGTH] = "";
  int braces = 0, rounds = 0, fresh = 1, done = 0, type = 0, constants = 0;
  const char *p = text;
  while ((p = next(p, token, &fresh))) {
    const char c = *token;
    if (!braces && !rounds && !done) {
      if (!strcmp(token, "typedef")) type = 1;
      done = (c == '(' && begins(last, "convk_") && *p != '*') ||      /* a function, or the type of one */
             (begins(token, "CONVK_OP_") && begins(last, "convk_")) || /* whose parameters stand in the list of operations */
             ((c == '[' || c == '=') && *last) ||                      /* a table */
             (c == ';' && type);
      if (done || (c == '{' && (!strcmp(before, "struct") || !strcmp(before, "union")))) add(last, kind);
    }
    if (!braces && rounds == 1 && *before == '*' && !done) {
      done = (type && c == ')') || c == '('; /* typedef int (*name)(..), and a function that returns a pointer to one */
      if (done) add(last, kind);
    }
    if (c == '{' && !braces) constants = !strcmp(last, "enum") || !strcmp(before, "enum");
    if (constants && braces == 1 && (c == ',' || c == '=' || c == '}')) add(last, kind);
    braces += (c == '{') - (c == '}');
    rounds += (c == '(') - (c == ')');
    if (!braces && !rounds && (c == ';' || (c == '}' && !type))) done = type = 0;
    strcpy(before, last);
    strcpy(last, token);
  }
}

/* Operations that drivers of the room call: op(family, kind, member, name, ..) of its list. */
static void operations(const char *list, const char *text) {
  static const char *const ends[] = {"", "_complex"};
  char name[LENGTH], call[LENGTH + 32];
  const char *p = list;
  int i;
  while ((p = strstr(p, "op("))) {
    p += 3;
    if (sscanf(p, "%*[a-z_], %*[A-Za-z_], %*[a-z0-9_], %70[a-z0-9_],", name) != 1) continue;
    for (i = 0; i < 2; i++) {
      sprintf(call, "convk_%s%s(", name, ends[i]);
      if (!strstr(text, call)) continue;
      *strchr(call, '(') = 0;
      add(call, PRECISION);
    }
  }
}

static int read(const char *src, const char *room, const char *file, char *text) {
  char path[1024];
  size_t n;
  FILE *f;
  snprintf(path, sizeof path, "%s/%s/%s", src, room, file);
  f = fopen(path, "r");
  if (!f) return 0;
  n = fread(text, 1, TEXT - 1, f);
  text[n] = 0;
  fclose(f);
  return 1;
}

static int ordered(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }

int main(int argc, char **argv) {
  static const char *const lists[] = {"api.h", "dwt_api.h", "sum_api.h", NULL}; /* whose operations drivers call */
  static char text[TEXT], list[TEXT];
  const char *src = argv[1], *room = argv[2];
  const file *f;
  const file *files;
  int i;
  if (argc != 4) fail("usage:", "names DIRECTORY ROOM begin|end");
  files = strcmp(room, "core") ? family : core;
  for (f = files; f->name; f++)
    if (read(src, room, f->name, text)) define(text, f->kind);
  for (i = 0; lists[i]; i++)
    if (read(src, room, lists[i], list))
      for (f = files; f->name; f++)
        if (f->kind == PRECISION && read(src, room, f->name, text)) operations(list, text);
  qsort(names, (size_t)count, sizeof *names, ordered);
  printf("/* %s of a pass: made by make headers. */\n", !strcmp(argv[3], "end") ? "The end" : "The names");
  for (i = 0; i < count; i++)
    if (!strcmp(argv[3], "end")) printf("#undef %s\n", names[i].name);
    else printf("#define %s %s\n", names[i].name, names[i].made);
  if (fflush(stdout)) fail("cannot write", room);
  return 0;
}
