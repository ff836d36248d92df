/* SPDX-License-Identifier: MIT
   Makes what the rooms of src/ have in common, from rooms.txt and from the rooms themselves:

     names src build/names

   rooms/<what>.h       includes of one file of every room, each where its room is compiled
   rooms/configure.h    CONVK_HAS_<ROOM>_, from the defines of the user
   rooms/lists.h        the lists of operations, from the prototypes in <room>/api.h; of statuses and of what can be tuned
   rooms/names.h        names: in src/ everything has an ordinary name, convk_stencil_rows_.  Where a file is compiled several
                        times, once per precision or instruction set, the compiler has to see another name each time, by
                          #define convk_stencil_rows_ CONVK_KERNEL_(stencil_rows)
                        for each function, type and table that such files define at file scope.  Those of public names,
                        rooms/public_names.h, hold in passes alone: programs may paste convk_exp and _f64 together
   rooms/opencl_names.h, opencl_public_names.h, cuda_names.h, cuda_public_names.h
                        the same of what only files of that device define
   rooms/hip_names.h, hip_names_end.h
                        device/hip.txt as macros, and a program's own macros of these names back
   spelled/<room>.h     <room>/api.h with its names as users write them: of doubles, then of floats

   Which suffix a name gets depends on the file of its room that defines it, or includes the file that does: see `files`. */

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 4000, LENGTH = 96, TEXT = 1 << 20, ROOMS = 40, LINE = 1024 };

typedef enum kind {
  NONE,      /* once */
  PRECISION, /* once per precision: convk_stencil_job_ becomes convk_stencil_job_f64_ */
  KERNEL,    /* once per instruction set and precision: convk_stencil_rows_f64_avx2_ */
  BOTH,      /* once for processors, once for a device, for elements of both precisions */
  ONCE,      /* once for a device: convk_cl_bring_, convk_cuda_bring_ */
  DEVICE,    /* once per precision for a device: convk_stencil_job_f64_opencl_; convk_cl_.. and convk_cuda_.. as PRECISION */
  SPELLED    /* spelled for both precisions, convk_any_f32_ and convk_any_f64_: passes call it convk_any_ */
} kind;

/* The headers that names are for: convk.h, convk_cl.h, convk_cuda.h. */
enum { CORE = 1, OPENCL = 2, CUDA = 4 };

/* The files of a room, by the list of includes that they belong to. */
static const struct {
  const char *list, *file;
  kind kind;
} files[] = {
    {"types", "types.h", NONE},
    {"shape", "shape.h", NONE},
    {"both", "both.h", BOTH},
    {"frame", "frame.h", NONE},
    {"", "numbers.h", BOTH},                 /* which others include */
    {"constants", "constants.h", PRECISION}, /* which CUDA's elements need of both precisions */
    {"driver", "table.h", PRECISION},
    {"driver", "driver.h", PRECISION},
    {"driver", "tuner.h", PRECISION},
    {"kernel", "element.h", KERNEL},
    {"kernel", "kernel.h", KERNEL}, /* of processors */
    {"kernel", "point.h", KERNEL},  /* of devices */
    {"opencl_once", "opencl.h", NONE},
    {"opencl_api", "opencl_api.h", DEVICE},
    {"opencl_api", "device_api.h", DEVICE},
    {"opencl_calls", "arguments.h", NONE},
    {"opencl_calls", "opencl_launch.h", DEVICE},
    {"opencl_calls", "device.h", DEVICE},
    {"opencl_calls", "opencl_calls.h", DEVICE},
    {"cuda_api", "device_api.h", DEVICE},
    {"cuda_kernels", "arguments.h", NONE},
    {"cuda_kernels", "kernel.cuh", NONE},
    {"cuda_calls", "cuda_launch.h", DEVICE},
    {"cuda_calls", "device.h", DEVICE},
    {"cuda_calls", "cuda.h", DEVICE},
    {NULL, NULL, NONE},
};
/* What lies beside the rooms. */
static const struct {
  const char *file;
  kind kind;
  unsigned headers;
} core[] = {
    {"core/types.h", SPELLED, CORE},
    {"core/sizes.h", SPELLED, CORE},
    {"tuner/fill.h", PRECISION, CORE},
    {"core/bind.h", KERNEL, CORE},
    {"words/scalar_functions.h", KERNEL, CORE},
    {"core/axis.h", BOTH, CORE},
    {"core/root.h", BOTH, CORE},
    {"core/exp.h", BOTH, CORE},
    {"convk_cl.h", DEVICE, OPENCL},
    {"convk_cuda.h", DEVICE, CUDA},
    {"device/bring.h", ONCE, OPENCL | CUDA},
    {"device/parts.h", ONCE, OPENCL | CUDA},
    {"device/frame.h", ONCE, OPENCL | CUDA},
    {"device/vectors.h", ONCE, OPENCL | CUDA},
    {NULL, NONE, 0},
};

typedef struct room {
  char folder[32], upper[32], define[32], also[32];
  int needs[ROOMS]; /* whose text comes with it */
  int finds[ROOMS]; /* whose operations a handle finds with it */
} room;
static room rooms[ROOMS];
static int nrooms;
static const char *src, *out;

static struct name {
  char name[LENGTH], spelling[2 * LENGTH];
  char file[LENGTH]; /* that defines it */
  unsigned headers;  /* CORE, OPENCL, CUDA: those that have such a file */
  int once; /* a struct of types.h has this name, too, which is meant wherever it is no function: convk_pair_potential */
} names[NAMES];
static int count;
static char reading[LENGTH]; /* the file at hand */
static unsigned reading_for; /* the headers that have it */

/* The headers that a list of includes belongs to, by the beginning of its name. */
static unsigned headers_of(const char *list) {
  return !strncmp(list, "opencl", 6) ? OPENCL : !strncmp(list, "cuda", 4) ? CUDA : CORE;
}

static void fail(const char *what, const char *name) {
  fprintf(stderr, "names: %s %s\n", what, name);
  exit(1);
}

static int ends(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}
static int begins(const char *text, const char *begin) { return !strncmp(text, begin, strlen(begin)); }

/* ---- files ---- */

/* The text of a file of src/, NULL: there is none. */
static char *text_of(const char *folder, const char *file) {
  char path[LINE], *text;
  size_t n;
  FILE *f;
  snprintf(path, sizeof path, "%s/%s%s%s", src, folder, *folder ? "/" : "", file);
  f = fopen(path, "r");
  if (!f) return NULL;
  text = (char *)malloc(TEXT);
  if (!text) fail("out of memory for", path);
  n = fread(text, 1, TEXT - 1, f);
  if (n == TEXT - 1) fail("too long:", path);
  text[n] = 0;
  fclose(f);
  return text;
}

static FILE *created(const char *folder, const char *file) {
  char path[LINE];
  FILE *f;
  snprintf(path, sizeof path, "%s/%s/%s.h", out, folder, file);
  f = fopen(path, "w");
  if (!f) fail("cannot write", path);
  return f;
}
static void done(FILE *f) {
  if (fclose(f)) fail("cannot write a file in", out);
}

static void capitals(char *to, const char *from) {
  while ((*to++ = (char)toupper((unsigned char)*from++))) continue;
}

/* ---- rooms.txt ---- */

static int room_of(const char *folder) {
  int i;
  for (i = 0; i < nrooms; i++)
    if (!strcmp(rooms[i].folder, folder)) return i;
  fail("rooms.txt needs a room before its line:", folder);
  return 0;
}

static void read_rooms(void) {
  char *text = text_of("", "rooms.txt"), *line, needs[256], *part;
  int k;
  if (!text) fail("cannot read", "rooms.txt");
  for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    room *r = &rooms[nrooms];
    if (*line == '#') continue;
    if (nrooms == ROOMS || sscanf(line, "%31s %31s %255s %31s", r->folder, r->define, needs, r->also) != 4)
      fail("rooms.txt:", line);
    capitals(r->upper, r->folder);
    for (part = needs; *part && *part != '-'; part += strspn(part, ",")) {
      char folder[32];
      const size_t n = strcspn(part, ","), all = n > 0 && part[n - 1] == '+';
      sprintf(folder, "%.*s", (int)(n - all), part);
      k = room_of(folder);
      r->needs[k] = 1;
      r->finds[k] = (int)all;
      part += n;
      for (k = 0; k < nrooms; k++) r->needs[k] |= rooms[room_of(folder)].needs[k];
    }
    r->finds[nrooms] = 1;
    r->needs[nrooms++] = 1;
  }
  free(text);
}

/* ---- words of C ---- */

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

static struct name *find(const char *name) {
  int i;
  for (i = 0; i < count; i++)
    if (!strcmp(names[i].name, name)) return &names[i];
  return NULL;
}

/* What makes the name: CONVK_PRIVATE_(stencil_job) of convk_stencil_job_.  Public names have no _ at their end; those of
   complex numbers and of a device have an ending of their own: convk_fft2d_complex is convk_fft2d_c64, convk_stencil7_device
   is convk_stencil7_f64_cuda, convk_stencil7_resident is convk_cuda_stencil7_f64. */
static void add(const char *full, kind kind) {
  const char *maker = "CONVK_TYPED_", *end = "";
  struct name *before;
  char name[LENGTH], text[2 * LENGTH];
  if (kind == NONE || !begins(full, "convk_") || (kind == SPELLED && !ends(full, "_f32_"))) return;
  strcpy(name, full);
  if (kind == SPELLED) {
    strcpy(name + strlen(name) - strlen("f32_"), "");
    kind = PRECISION;
  }
  before = find(name);
  if (count == NAMES || strlen(name) >= LENGTH) fail("too many names, or too long:", name);
  if (kind == DEVICE && (begins(name, "convk_cl_") || begins(name, "convk_cuda_"))) kind = PRECISION;
  if (ends(name, "_")) {
    end = "_";
    maker = kind == PRECISION ? "CONVK_PRIVATE_"
            : kind == KERNEL  ? "CONVK_KERNEL_"
            : kind == BOTH    ? "CONVK_BOTH_"
            : kind == ONCE    ? "CONVK_DEVICE_"
                              : "CONVK_HARDWARE_";
  } else if (ends(name, end = "_complex_device")) maker = "CONVK_COMPLEX_VARIANT_";
  else if (ends(name, end = "_complex")) maker = "CONVK_COMPLEX_";
  else if (ends(name, end = "_device")) maker = "CONVK_VARIANT_";
  else if (ends(name, end = "_complex_resident")) maker = "CONVK_DEVICE_COMPLEX_";
  else if (ends(name, end = "_resident")) maker = "CONVK_DEVICE_TYPED_";
  else end = "";
  sprintf(text, "%s(%.*s)", maker, (int)(strlen(name) - strlen("convk_") - strlen(end)), name + strlen("convk_"));
  /* drivers may include what kernels have; and a device may have kernels in a room's table, as an instruction set has them */
  if (before && strcmp(before->spelling, text) &&
      !(begins(before->spelling, "CONVK_KERNEL_(") && (kind == DEVICE || !strcmp(before->file, reading))))
    fail("two kinds of files define", name);
  if (before) before->headers |= reading_for;
  if (before) return;
  strcpy(names[count].name, name);
  strcpy(names[count].file, reading);
  names[count].headers = reading_for;
  strcpy(names[count++].spelling, text);
}

/* What one file defines at file scope: functions and their types, structs, typedefs, tables, constants.  `last` and `before`
   are the two words or signs before the one at hand, `done` says that this definition's name was found. */
static void define(const char *text, kind kind) {
  char token[LENGTH], last[LENGTH] = "", before[LENGTH] = "";
  int braces = 0, rounds = 0, fresh = 1, found = 0, type = 0, constants = 0;
  const char *p = text;
  while ((p = next(p, token, &fresh))) {
    const char c = *token;
    if (!braces && !rounds && !found) {
      if (!strcmp(token, "typedef")) type = 1;
      found = (c == '(' && begins(last, "convk_") && *p != '*') || /* a function, or the type of one */
              ((c == '[' || c == '=') && *last) ||                 /* a table */
              (c == ';' && type);
      if (found || (c == '{' && (!strcmp(before, "struct") || !strcmp(before, "union")))) add(last, kind);
    }
    if (!braces && rounds == 1 && *before == '*' && !found) {
      found = (type && c == ')') || c == '('; /* typedef int (*name)(..), and a function that returns a pointer to one */
      if (found) add(last, kind);
    }
    if (c == '{' && !braces) constants = !strcmp(last, "enum") || !strcmp(before, "enum");
    if (constants && braces == 1 && (c == ',' || c == '=' || c == '}')) add(last, kind);
    braces += (c == '{') - (c == '}');
    rounds += (c == '(') - (c == ')');
    if (!braces && !rounds && (c == ';' || (c == '}' && !type))) found = type = 0;
    strcpy(before, last);
    strcpy(last, token);
  }
}

/* The same of a file and of all that it includes from src/. */
static void define_with_includes(const char *folder, const char *file, kind kind) {
  char *text = text_of(folder, file), inner[256];
  const char *p = text;
  if (!text) return;
  snprintf(reading, sizeof reading, "%s%s%s", folder, *folder ? "/" : "", file);
  define(text, kind);
  while ((p = strstr(p, "#include \"")) != NULL) {
    p += strlen("#include \"");
    if (sscanf(p, "%255[^\"]", inner) == 1 && strchr(inner, '/') && !begins(inner, "quoted/") && !begins(inner, "rooms/"))
      define_with_includes("", inner, kind);
  }
  free(text);
}

/* The files of a room, of kernels alone, or all others. */
static void define_files(int r, int kernels) {
  int i;
  for (i = 0; files[i].list; i++) {
    if (files[i].kind == NONE || (files[i].kind == KERNEL) != kernels) continue;
    reading_for = headers_of(files[i].list);
    define_with_includes(rooms[r].folder, files[i].file, files[i].kind);
  }
}

/* ---- includes ---- */

static int has(int r, const char *file) {
  char *text = text_of(rooms[r].folder, file);
  free(text);
  return text != NULL;
}

static void write_includes(const char *list) {
  FILE *f = created("rooms", list);
  const int always = !strcmp(list, "types");
  int r, i;
  for (r = 0; r < nrooms; r++) {
    int any = 0;
    for (i = 0; files[i].list; i++)
      if (!strcmp(files[i].list, list) && has(r, files[i].file)) {
        const int kernel = !strcmp(files[i].file, "kernel.h"), point = !strcmp(files[i].file, "point.h");
        if (!any && !always) fprintf(f, "#if CONVK_HAS_%s_\n", rooms[r].upper);
        any = 1;
        if (kernel || point) fprintf(f, "#if %sCONVK_IS_KERNEL_\n", point ? "!" : "");
        fprintf(f, "#include \"%s/%s\"\n", rooms[r].folder, files[i].file);
        if (kernel || point) fprintf(f, "#endif\n");
      }
    if (any && !always) fprintf(f, "#endif\n");
  }
  done(f);
}

/* ---- what is compiled ---- */

/* "defined CONVK_WITH_A || defined CONVK_WITH_B": each define once. */
static void write_defines(FILE *f, char list[][32], int n) {
  int i, k, column = 0;
  for (i = 0; i < n; i++) {
    for (k = 0; k < i && strcmp(list[k], list[i]); k++) continue;
    if (k < i) continue;
    if (column) fprintf(f, " || ");
    if (column > 60) {
      fprintf(f, "\\\n    ");
      column = 0;
    }
    column += fprintf(f, "defined CONVK_WITH_%s", list[i]);
  }
}

static void write_configuration(void) {
  FILE *f = created("rooms", "configure");
  char list[3 * ROOMS][32];
  int r, s, n = 0, all;
  for (r = 0; r < nrooms; r++) {
    if (strcmp(rooms[r].define, "-")) strcpy(list[n++], rooms[r].define);
    if (strcmp(rooms[r].also, "-")) strcpy(list[n++], rooms[r].also);
  }
  fprintf(f, "/* Whether any family is named, and the names. */\n#if ");
  write_defines(f, list, n);
  fprintf(f, "\n#define CONVK_NAMED_ 1\n#else\n#define CONVK_NAMED_ 0\n#endif\n");
  fprintf(
      f,
      "#if !CONVK_NAMED_ && !defined CONVK_WITH_ALL && CONVK_MODE_ != 1\n"
      "#error \"convk: no family is named, or it is misspelt: define some of these, or CONVK_WITH_ALL to have them all: \\\n");
  for (all = n, s = n = 0; n < all; n++) {
    for (r = 0; r < n && strcmp(list[r], list[n]); r++) continue;
    if (r < n) continue;
    if (s > 90) s = 0 * fprintf(f, ", \\\n");
    s += fprintf(f, "%sCONVK_WITH_%s", s ? ", " : "", list[n]);
  }
  fprintf(
      f,
      "\"\n#endif\n#if !CONVK_NAMED_ || defined CONVK_WITH_ALL\n#define CONVK_ALL_ 1\n#else\n#define CONVK_ALL_ 0\n#endif\n");
  fprintf(f, "/* CONVK_HAS_: its text is compiled here.  CONVK_FINDS_: a handle that this unit opens finds it. */\n");
  for (r = 0; r < nrooms; r++)
    for (all = 0; all < 2; all++) {
      for (n = s = 0; s < nrooms; s++)
        if (all ? rooms[s].finds[r] : rooms[s].needs[r]) {
          if (strcmp(rooms[s].define, "-")) strcpy(list[n++], rooms[s].define);
          if (strcmp(rooms[s].also, "-")) strcpy(list[n++], rooms[s].also);
        }
      if (!n) continue; /* a room without a define has no operations */
      fprintf(f, "#if CONVK_ALL_ || ");
      write_defines(f, list, n);
      if (all)
        fprintf(f, "\n#define CONVK_FINDS_%s_ 1\n#else\n#define CONVK_FINDS_%s_ 0\n#endif\n", rooms[r].upper, rooms[r].upper);
      else
        fprintf(f, "\n#define CONVK_HAS_%s_ CONVK_HERE_\n#else\n#define CONVK_HAS_%s_ 0\n#endif\n", rooms[r].upper,
                rooms[r].upper);
    }
  done(f);
}

/* ---- operations ---- */

static const char mark[] = "\nCONVK_OPERATION_ int convk_";

/* The list of a room's operations, from the prototypes in its api.h:
     op(room, reals or complexes, member, name, (parameters), (arguments)) */
static int write_operations(FILE *f, int r) {
  static const char complexes[] = "_complex";
  char *text = text_of(rooms[r].folder, "api.h");
  const char *p = text;
  int any = 0;
  while (p && (p = strstr(p, mark)) != NULL) {
    char name[LENGTH], token[LENGTH], last[LENGTH] = "", arguments[LINE] = "";
    const char *end, *c;
    int fresh = 0, squares = 0, of_complex, column;
    p += strlen(mark);
    if (sscanf(p, "%95[a-z0-9_]", name) != 1) fail("an operation without a name in", rooms[r].folder);
    of_complex = ends(name, complexes);
    if (of_complex) name[strlen(name) - strlen(complexes)] = 0;
    p = strchr(p, '(');
    end = strchr(p, ';');
    for (c = p + 1; (c = next(c, token, &fresh)) && c <= end;) {
      if ((*token == ',' || *token == ')' || *token == '[') && !squares && *last)
        sprintf(arguments + strlen(arguments), "%s%s", *arguments ? ", " : "", last);
      squares = *token == '[' || (squares && *token != ',');
      strcpy(last, token);
      if (*token == ')') break;
    }
    fprintf(f, "%s", any++ ? " \\\n" : "");
    if (any == 1) fprintf(f, "#define CONVK_%s_OPERATIONS_(op) \\\n", rooms[r].upper);
    fprintf(f, "  op(%s, %s, %s%s, %s, \\\n     ", rooms[r].folder, of_complex ? "complexes" : "reals",
            of_complex ? "complex_" : "", name, name);
    for (column = 5, c = p; c < end;) {
      size_t length = 0;
      while (isalnum((unsigned char)c[length]) || c[length] == '_') length++;
      if (length) { /* a type of this precision by what makes its name */
        const struct name *typed;
        sprintf(token, "%.*s", (int)length, c);
        typed = find(token);
        column += fprintf(f, "%s", typed && !typed->once ? typed->spelling : token);
        c += length;
      } else if (isspace((unsigned char)*c)) {
        const int after = c > p && c[-1] == ',';
        while (isspace((unsigned char)*c)) c++;
        if (column > 100 && after) column = fprintf(f, " \\\n      ") - 3;
        else column++, fputc(' ', f);
      } else column++, fputc(*c++, f);
    }
    fprintf(f, ", \\\n     (%s))", arguments);
    p = end;
  }
  if (any) fprintf(f, "\n");
  free(text);
  return any;
}

static int defines(int r, const char *what) {
  char *text = text_of(rooms[r].folder, "types.h"), name[LENGTH];
  int found;
  sprintf(name, "#define CONVK_%s_%s_(", rooms[r].upper, what);
  found = text && strstr(text, name) != NULL;
  free(text);
  return found;
}

/* A list of the lists that rooms have. */
static void write_lists(FILE *f, const char *what, const char *item) {
  int r;
  fprintf(f, "#define CONVK_%s_(%s)", what, item);
  for (r = 0; r < nrooms; r++)
    if (defines(r, what)) fprintf(f, " \\\n  CONVK_%s_%s_(%s)", rooms[r].upper, what, item);
  fprintf(f, "\n");
}

static void write_operation_lists(void) {
  FILE *f = created("rooms", "lists");
  int has_operations[ROOMS], r;
  for (r = 0; r < nrooms; r++) has_operations[r] = write_operations(f, r);
  fprintf(f, "/* Rooms with operations; those that a handle opened here finds; of these, those whose text is here. */\n");
  fprintf(f, "#define CONVK_ROOMS_(room)");
  for (r = 0; r < nrooms; r++)
    if (has_operations[r]) fprintf(f, " room(%s)", rooms[r].folder);
  fprintf(f, "\n#define CONVK_FOUND_ROOMS_(room, with)");
  for (r = 0; r < nrooms; r++)
    if (has_operations[r]) fprintf(f, " \\\n  CONVK_IF_(CONVK_FINDS_%s_, room(%s, with))", rooms[r].upper, rooms[r].folder);
  fprintf(f, "\n#define CONVK_COMPILED_ROOMS_(room)");
  for (r = 0; r < nrooms; r++)
    if (has_operations[r])
      fprintf(f, " \\\n  CONVK_IF_(CONVK_HAS_%s_, CONVK_IF_(CONVK_FINDS_%s_, room(%s, CONVK_%s_OPERATIONS_)))", rooms[r].upper,
              rooms[r].upper, rooms[r].folder, rooms[r].upper);
  fprintf(f, "\n/* All operations; those compiled here; of these, those that a handle opened here finds. */");
  fprintf(f, "\n#define CONVK_OPERATIONS_(op)");
  for (r = 0; r < nrooms; r++)
    if (has_operations[r]) fprintf(f, " \\\n  CONVK_%s_OPERATIONS_(op)", rooms[r].upper);
  fprintf(f, "\n#define CONVK_COMPILED_OPERATIONS_(op)");
  for (r = 0; r < nrooms; r++)
    if (has_operations[r])
      fprintf(f, " \\\n  CONVK_IF_(CONVK_HAS_%s_, CONVK_%s_OPERATIONS_(op))", rooms[r].upper, rooms[r].upper);
  fprintf(f, "\n#define CONVK_VARIANT_OPERATIONS_(op)");
  for (r = 0; r < nrooms; r++)
    if (has_operations[r])
      fprintf(f, " \\\n  CONVK_IF_(CONVK_HAS_%s_, CONVK_IF_(CONVK_FINDS_%s_, CONVK_%s_OPERATIONS_(op)))", rooms[r].upper,
              rooms[r].upper, rooms[r].upper);
  fprintf(f, "\n/* Statuses, parameters of convk_tuning, and what convk_tune can tune. */\n");
  write_lists(f, "STATUS", "item");
  write_lists(f, "TUNING", "parameter");
  write_lists(f, "TUNABLES", "tunable");
  done(f);
}

/* ---- spelled names ---- */

/* A word as users write it, which a call or prototype names or not; how long it is. */
static int spell(FILE *f, const char *word, int call, const char *type) {
  const struct name *name = find(word);
  const int single = !strcmp(type, "f32");
  char inner[LENGTH];
  if (!strcmp(word, "CONVK_T")) return fprintf(f, "%s", single ? "float" : "double");
  if (!strcmp(word, "CONVK_OPERATION_")) return fprintf(f, "CONVK_API_");
  if (!name || (name->once && !call) || sscanf(name->spelling, "%*[A-Z_](%95[a-z0-9_]", inner) != 1)
    return fprintf(f, "%s", word);
  if (begins(name->spelling, "CONVK_COMPLEX_(")) return fprintf(f, "convk_%s_c%s", inner, type + 1);
  return fprintf(f, "convk_%s_%s%s", inner, type, ends(word, "_") ? "_" : "");
}

/* Whether the next declaration is a prototype. */
static int before_prototype(const char *p) {
  while (isspace((unsigned char)*p) || (p[0] == '/' && p[1] == '*'))
    if (*p == '/') p = strstr(p, "*/") + 2;
    else p++;
  return begins(p, "CONVK_API_") || begins(p, "CONVK_OPERATION_");
}

/* api.h of a room: of doubles with all that is said of it, and of floats the declarations alone.  Prototypes stand where the
   room is compiled. */
static void write_spelled(int r, const char *text, const char *type, FILE *f) {
  const int all = !strcmp(type, "f64");
  const char *p = text;
  int depth = 0, fresh = 1, prototypes = 0, column = 0; /* fresh: between declarations */
  char word[LENGTH];
  while (*p) {
    if (fresh && isspace((unsigned char)*p)) {
      if (all) fputc(*p, f);
      p++;
      continue;
    }
    if (fresh && before_prototype(p) != prototypes) {
      prototypes = !prototypes;
      if (prototypes) fprintf(f, "#if CONVK_HAS_%s_ && CONVK_HAS_%s_\n", rooms[r].upper, all ? "F64" : "F32");
      else fprintf(f, "#endif\n");
    }
    if (p[0] == '/' && p[1] == '*') {
      const char *end = strstr(p, "*/") + 2;
      if (all) fprintf(f, "%.*s", (int)(end - p), p);
      p = end;
      continue;
    }
    fresh = 0;
    if (isalpha((unsigned char)*p) || *p == '_') {
      size_t n = 0;
      while ((isalnum((unsigned char)*p) || *p == '_') && n < LENGTH - 1) word[n++] = *p++;
      word[n] = 0;
      column += spell(f, word, *p == '(', type);
      continue;
    }
    if (prototypes && isspace((unsigned char)*p)) { /* whose names have become longer: new lines */
      while (isspace((unsigned char)*p)) p++;
      column = column > 100 ? fprintf(f, "\n    ") : column + fprintf(f, " ");
      continue;
    }
    column++;
    depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
    fresh = *p == ';' && !depth;
    fputc(*p++, f);
    if (fresh) { /* the rest of the line */
      column = 0;
      const char *end = p + strcspn(p, "\n");
      if (all) fprintf(f, "%.*s", (int)(end - p), p);
      p = end;
      if (!all) fputc('\n', f);
    }
  }
  if (prototypes) fprintf(f, "#endif\n");
}

static void write_rooms_api(void) {
  FILE *list = created("rooms", "api");
  int r;
  for (r = 0; r < nrooms; r++) {
    char *text = text_of(rooms[r].folder, "api.h");
    FILE *f;
    if (!text) continue;
    f = created("spelled", rooms[r].folder);
    fprintf(f, "/* ---- src/%s/api.h ---- */\n", rooms[r].folder);
    write_spelled(r, text, "f64", f);
    fprintf(f, "/* The same of floats. */\n");
    write_spelled(r, text, "f32", f);
    fprintf(list, "#include \"spelled/%s.h\"\n", rooms[r].folder);
    done(f);
    free(text);
  }
  done(list);
}

/* The names that are private, and those that are public, with their ends: of convk.h, or what a device's header has beside
   them. */
static void write_names(const char *before, unsigned header) {
  static const char *const lists[] = {"names", "public_names", "public_names_end"};
  char list[LENGTH];
  int i, k;
  for (k = 0; k < 3; k++) {
    FILE *f;
    sprintf(list, "%s%s", before, lists[k]);
    f = created("rooms", list);
    for (i = 0; i < count; i++) {
      const struct name *const n = &names[i];
      if (n->once || ends(n->name, "_") != !k || !(n->headers & header) || (n->headers & CORE & ~header)) continue;
      if (k < 2) fprintf(f, "#define %s %s\n", n->name, n->spelling);
      else fprintf(f, "#undef %s\n", n->name);
    }
    done(f);
  }
}

/* Each name of CUDA as that of HIP behind it, and at the end what a program has made of it before. */
static void write_hip(void) {
  char *text = text_of("device", "hip.txt"), *line, name[LENGTH], hip[LENGTH];
  FILE *f = created("rooms", "hip_names"), *end = created("rooms", "hip_names_end");
  if (!text) fail("cannot read", "device/hip.txt");
  for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    *hip = 0;
    if (*line == '#' || sscanf(line, "%95s %95s", name, hip) < 1) continue;
    fprintf(f, "#pragma push_macro(\"%s\")\n#undef %s\n#define %s%s%s\n", name, name, name, *hip ? " " : "", hip);
    fprintf(end, "#pragma pop_macro(\"%s\")\n", name);
  }
  done(f);
  done(end);
  free(text);
}

static int ordered(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }

int main(int argc, char **argv) {
  int r, i;
  if (argc != 3) fail("usage:", "names SOURCES DIRECTORY, which has folders rooms and spelled");
  src = argv[1];
  out = argv[2];
  read_rooms();
  for (i = 0; core[i].file; i++) {
    char *text = text_of("", core[i].file);
    if (!text) fail("cannot read", core[i].file);
    reading_for = core[i].headers;
    define(text, core[i].kind);
    free(text);
  }
  for (r = 0; r < nrooms; r++) define_files(r, 1);
  for (r = 0; r < nrooms; r++) {
    reading_for = CORE;
    define_with_includes(rooms[r].folder, "api.h", PRECISION);
    define_files(r, 0);
  }
  qsort(names, (size_t)count, sizeof *names, ordered);
  for (r = 0; r < nrooms; r++) {
    char *text = text_of(rooms[r].folder, "types.h"), declared[LENGTH + 16];
    for (i = 0; text && i < count; i++) {
      sprintf(declared, "} %s;", names[i].name);
      if (strstr(text, declared)) names[i].once = 1;
    }
    free(text);
  }
  write_names("", CORE);
  write_names("opencl_", OPENCL);
  write_names("cuda_", CUDA);
  write_hip();
  write_configuration();
  write_operation_lists();
  write_rooms_api();
  for (i = 0; files[i].list; i++)
    if (*files[i].list && (!i || strcmp(files[i].list, files[i - 1].list))) write_includes(files[i].list);
  return 0;
}
