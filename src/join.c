/* SPDX-License-Identifier: MIT
   Joins the rooms of src/ into one header:

     join src build/names convk.h > convk.h

   A line `#include "room/file.h"` is replaced by src/room/file.h, with a banner that names it, or by what names.c made of that
   name in build/names.
   A line `#include "quoted/room/file.cl"` is replaced by src/room/file.cl as a list of C strings, one for each line.  Inside
   quoted text, #line marks name file and line, for the build logs of devices.  What was quoted by itself is not quoted again
   within later texts: they keep their line that includes it (src/device/opencl_texts.h).  Other includes stay as they are. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, DEPTH = 12, QUOTED = 32 };

/* What was quoted by itself so far. */
static char quoted_before[QUOTED][LINE];
static int quoted_count;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "join: %s %s\n", what, name);
  exit(1);
}

static void quote(const char *text) {
  printf("    \"");
  for (; *text && *text != '\n'; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  printf("\\n\",\n");
}

static void mark(const char *name, int line) {
  char text[LINE];
  snprintf(text, sizeof text, "#line %d \"%s\"", line, name);
  quote(text);
}

/* The room that a line includes, "room/file.h" or "quoted/room/file.cl"; 0: none. */
static int included(const char *line, char name[LINE]) {
  return sscanf(line, "#include \"%4000[^\"]\"", name) == 1 && strchr(name, '/');
}

static int was_quoted(const char *name) {
  int i;
  for (i = 0; i < quoted_count; i++)
    if (!strcmp(quoted_before[i], name)) return 1;
  return 0;
}

static const char *names_folder; /* the directory of names.c */

static void join(const char *src, const char *name, int quoted, int depth) {
  static const char mark_of_quoted[] = "quoted/";
  char path[2 * LINE], line[LINE], next[LINE];
  int number = 0, generated = 0;
  FILE *file;
  if (depth > DEPTH) fail("includes itself:", name);
  snprintf(path, sizeof path, "%s/%s", src, name);
  file = fopen(path, "r");
  if (!file) {
    snprintf(path, sizeof path, "%s/%s", names_folder, name);
    file = fopen(path, "r");
    generated = 1;
  }
  if (!file) fail("cannot read", path);
  if (quoted) mark(name, 1);
  else if (depth && !generated) printf("/* ---- src/%s ---- */\n", name);
  while (fgets(line, sizeof line, file)) {
    number++;
    if (!strchr(line, '\n')) fail("a line is too long, or has no end, in", path);
    if (!included(line, next)) {
      if (quoted) quote(line);
      else fputs(line, stdout);
    } else if (!strncmp(next, mark_of_quoted, sizeof mark_of_quoted - 1)) {
      join(src, next + sizeof mark_of_quoted - 1, 1, depth + 1);
      if (quoted_count == QUOTED) fail("too much is quoted:", next);
      strcpy(quoted_before[quoted_count++], next + sizeof mark_of_quoted - 1);
    } else {
      if (quoted && was_quoted(next)) quote(line);
      else join(src, next, quoted, depth + 1);
      if (quoted) mark(name, number + 1);
    }
  }
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 4) fail("usage:", "join SOURCES NAMES FILE");
  names_folder = argv[2];
  join(argv[1], argv[3], 0, 0);
  if (fflush(stdout)) fail("cannot write", argv[3]);
  return 0;
}
