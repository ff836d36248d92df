/* The readers of files that the package has: those of the examples, one text for both. */
#ifndef CONVK_PY_FILES_H
#define CONVK_PY_FILES_H

#include "mesh.h"
#include "molden_norms.h"

/* A mesh of any of the formats: of STL `stl` has what is read, and then *m has no vertices, else it is *m. Returns 0, or -1 with a message
 * that names the line or the byte. */
static inline int convk_py_mesh_read(mesh_file *m, stl_file *stl, const char *path, char *message, size_t message_size) {
  size_t size;
  char *bytes = file_load(path, MESH_FILE_MAX_BYTES - 1, &size, message, message_size), first[200];
  int status = -1;
  memset(m, 0, sizeof *m);
  memset(stl, 0, sizeof *stl);
  if (bytes && mesh_file_knows(bytes, size)) {
    status = mesh_file_parse(m, bytes, size, message, message_size);
  } else if (bytes) {
    status = stl_parse(stl, bytes, size, first, sizeof first);
    if (status && stl_is_ascii_(bytes, size, size)) {
      snprintf(message, message_size, "%s", first);
    } else if (status) {
      snprintf(message, message_size, "%s; neither OFF, PLY, OBJ nor STL as a text, and no binary STL", first);
    }
  }
  free(bytes);
  return status;
}

#endif
