/* ---- texts of programs ---- */

/* Rooms that the sources of several families include, so that they stand here once.  A source keeps its line
   `#include "words/opencl.cl"`, for which convk_cl_expand_ gives the room's lines.  A text ends with NULL. */
CONVK_LOCAL_ const char *const *convk_cl_room_(const char *line) {
  static const char include[] = "#include ", mark[] = "#line 1 ";
  static const char *const preamble[] = {
#include "quoted/device/preamble.cl"
      NULL};
  static const char *const words[] = {
#include "quoted/words/opencl.cl"
      NULL};
#if CONVK_HAS_FILTERS_ || CONVK_HAS_STENCIL_
  static const char *const axis[] = {
#include "quoted/core/axis.h"
      NULL};
#endif
#if CONVK_HAS_ELEMENTARY_
  static const char *const coefficients[] = {
#include "quoted/elementary/coefficients.h"
      NULL};
#endif
#if CONVK_HAS_ELEMENTARY_
  static const char *const exponential[] = {
#include "quoted/elementary/exponential.h"
      NULL};
#endif
  static const char *const *const rooms[] = {
#if CONVK_HAS_FILTERS_ || CONVK_HAS_STENCIL_
    axis,
#endif
#if CONVK_HAS_ELEMENTARY_
    coefficients,
#endif
#if CONVK_HAS_ELEMENTARY_
    exponential,
#endif
    preamble,
    words
  };
  size_t i;
  if (strncmp(line, include, sizeof include - 1)) return NULL;
  for (i = 0; i < sizeof rooms / sizeof *rooms; i++) /* each begins with its name: #line 1 "words/opencl.cl" */
    if (!strcmp(line + sizeof include - 1, rooms[i][0] + sizeof mark - 1)) return rooms[i];
  return NULL;
}

/* How many lines the text has with its rooms, and the lines themselves in `all` where that is not NULL. */
CONVK_LOCAL_ size_t convk_cl_expand_(const char *const *text, const char **all) {
  size_t count = 0;
  for (; *text; text++) {
    const char *const *room = convk_cl_room_(*text);
    if (room) {
      count += convk_cl_expand_(room, all ? all + count : NULL);
    } else {
      if (all) all[count] = *text;
      count++;
    }
  }
  return count;
}

/* Of a text with its rooms: behind the checksum h of what stands before it. */
CONVK_LOCAL_ uint64_t convk_cl_checksum_(const char *const *text, uint64_t h) {
  for (; *text; text++) {
    const char *const *room = convk_cl_room_(*text);
    h = room ? convk_cl_checksum_(room, h) : convk_hash_(h, *text, strlen(*text));
  }
  return h;
}
