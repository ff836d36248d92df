/* The results of gisaxs.c: one HDF5 file, which all ranks write tile by tile, and which a later run goes on with.
 *   amplitude  [nz][ny] complex numbers, as h5py has them: compounds of r and i
 *   qy, qz     their axes
 *   tiles      [tiles along z][along y]: a hash of each tile that is done, 0 for one that is not
 * Attributes say what was computed: a run goes on only where all of them are its own. A tile's hash is written behind its
 * numbers: a tile that was under way when a job was killed has none, or not that of its numbers, and is done again. Without
 * EXAMPLE_HAVE_HDF5 there are no files. Before this text comes ranks.h. */
#ifndef AMPLITUDE_H
#define AMPLITUDE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What is known of the results: a text, or a number where that is NULL. A run that goes on may differ in what is `free`. */
typedef struct fact {
  const char *name, *text;
  double number;
  int free;
} fact;

/* Pixels y..y + ny - 1 of rows z..z + nz - 1. */
typedef struct tile {
  size_t index, y, z, ny, nz;
} tile;

/* What is in a file: its detector and tiles; all are 0 where there is no file. */
typedef struct amplitude_shape {
  size_t ny, nz, tiles_y, tiles_z;
} amplitude_shape;

#ifdef EXAMPLE_HAVE_HDF5
#include <hdf5.h>

typedef struct amplitude {
  const char *path;
  hid_t file, data, hashes, number; /* number: a complex one */
} amplitude;

#define AMPLITUDE_TEXT_ 512 /* bytes of a text, with its end */
#define AMPLITUDE_WHAT_ "amplitudes of convk's gisaxs, version 1"

/* ---- for one process ---- */

static inline hid_t amplitude_number_(int single) {
  const hid_t part = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  const size_t size = single ? sizeof(float) : sizeof(double);
  const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
  H5Tinsert(type, "r", 0, part);
  H5Tinsert(type, "i", size, part);
  return type;
}

static inline hid_t amplitude_text_type_(void) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, AMPLITUDE_TEXT_);
  return type;
}

/* Attributes; 0: it is done. */
static inline int amplitude_put_(hid_t at, const char *name, const char *text, double number) {
  char room[AMPLITUDE_TEXT_];
  const hid_t type = text ? amplitude_text_type_() : H5Tcopy(H5T_NATIVE_DOUBLE), space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  int status;
  memset(room, 0, sizeof room);
  snprintf(room, sizeof room, "%s", text ? text : "");
  status = attribute < 0 || H5Awrite(attribute, type, text ? (const void *)room : (const void *)&number) < 0;
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return status;
}

/* A text where `text` is not NULL, else a number. */
static inline int amplitude_get_(hid_t at, const char *name, char text[AMPLITUDE_TEXT_], double *number) {
  const hid_t type = text ? amplitude_text_type_() : H5Tcopy(H5T_NATIVE_DOUBLE);
  const hid_t attribute = H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
  int status = attribute < 0;
  if (!status) { /* of one value: no more is read than there is room for */
    const hid_t space = H5Aget_space(attribute);
    status = H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type, text ? (void *)text : (void *)number) < 0;
    H5Sclose(space);
    H5Aclose(attribute);
  }
  if (text) {
    text[status ? 0 : AMPLITUDE_TEXT_ - 1] = '\0';
  }
  H5Tclose(type);
  return status;
}

/* Looks at what is there; fails where it is not ours. */
static inline hid_t amplitude_look_(const char *path, amplitude_shape *shape) {
  char text[AMPLITUDE_TEXT_];
  hsize_t n[2] = {0, 0}, tiles[2] = {0, 0};
  hid_t file, data, hashes;
  FILE *there = fopen(path, "rb");
  memset(shape, 0, sizeof *shape);
  if (!there) {
    require(errno == ENOENT, path, strerror(errno));
    return -1;
  }
  fclose(there);
  require(H5Fis_hdf5(path) > 0, path, "it is there, and no HDF5 file: another name for the results is wanted");
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  require(file >= 0, path, "HDF5 cannot read it: it is truncated or damaged, or another program is writing it");
  require(!amplitude_get_(file, "what", text, NULL) && strcmp(text, AMPLITUDE_WHAT_) == 0, path,
          "it is there, and holds something else: another name for the results is wanted");
  data = H5Dopen2(file, "amplitude", H5P_DEFAULT);
  hashes = H5Dopen2(file, "tiles", H5P_DEFAULT);
  require(data >= 0 && hashes >= 0, path, "amplitude or tiles is missing: the file is damaged");
  {
    const hid_t space[2] = {H5Dget_space(data), H5Dget_space(hashes)};
    require(H5Sget_simple_extent_ndims(space[0]) == 2 && H5Sget_simple_extent_ndims(space[1]) == 2, path,
            "amplitude and tiles are not of two dimensions: the file is damaged");
    H5Sget_simple_extent_dims(space[0], n, NULL);
    H5Sget_simple_extent_dims(space[1], tiles, NULL);
    H5Sclose(space[0]);
    H5Sclose(space[1]);
  }
  H5Dclose(data);
  H5Dclose(hashes);
  shape->nz = (size_t)n[0];
  shape->ny = (size_t)n[1];
  shape->tiles_z = (size_t)tiles[0];
  shape->tiles_y = (size_t)tiles[1];
  return file;
}

/* What is in the file of that name, for rank 0. */
static inline void amplitude_look(const char *path, amplitude_shape *shape) {
  hid_t file;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = amplitude_look_(path, shape);
  if (file >= 0) {
    H5Fclose(file);
  }
}

/* Compares it with what is asked for now; facts end with a name of NULL. */
static inline void amplitude_compare(const char *path, const fact *facts) {
  amplitude_shape shape;
  const hid_t file = amplitude_look_(path, &shape);
  for (; facts->name; facts++) {
    char text[AMPLITUDE_TEXT_], wanted[AMPLITUDE_TEXT_];
    double number = 0;
    if (amplitude_get_(file, facts->name, facts->text ? text : NULL, &number)) {
      fail(1, path, "its attribute %s is missing: the file is damaged", facts->name);
    }
    snprintf(wanted, sizeof wanted, "%s", facts->text ? facts->text : "");
    if (facts->text && strcmp(text, wanted) != 0) {
      if (!facts->free) {
        fail(1, path, "holds results of %s %s, not %s: the same options are wanted, or another name for the results",
             facts->name, text, wanted);
      }
      say("              begun with %s %s, goes on with %s\n", facts->name, text, wanted);
    }
    if (!facts->text && !facts->free && !(number >= facts->number && number <= facts->number)) {
      fail(1, path, "holds results of %s %.17g, not %.17g: the same options are wanted, or another name for the results",
           facts->name, number, facts->number);
    }
  }
  H5Fclose(file);
}

static inline int amplitude_axis_(hid_t file, const char *name, const double *q, size_t n) {
  const hsize_t count = n;
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t axis = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int status = axis < 0 || H5Dwrite(axis, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) < 0;
  H5Dclose(axis);
  H5Sclose(space);
  return status;
}

/* A new file, all of whose space is there from the beginning: ranks write numbers, and nothing that describes them. It gets its
 * name when it is complete. */
static inline void amplitude_create(const char *path, const amplitude_shape *shape, int single, const double *qy,
                                    const double *qz, const fact *facts) {
  static const char axes[2][3] = {"qz", "qy"};
  const hsize_t n[2] = {shape->nz, shape->ny}, tiles[2] = {shape->tiles_z, shape->tiles_y}, two = 2;
  const uint64_t zero = 0;
  char part[520];
  hid_t file, all, number, text, list, space[3], data, hashes, attribute;
  int status;
  require_option(strlen(path) < 500, "--out", "the name is too long");
  snprintf(part, sizeof part, "%s.begun", path);
  file = H5Fcreate(part, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) {
    FILE *there = fopen(part, "rb");
    require(!there, part, "left behind by a run that ended while it began: remove it");
    fail(1, path, "cannot be created");
  }
  all = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(all, H5D_CONTIGUOUS);
  H5Pset_alloc_time(all, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(all, H5D_FILL_TIME_NEVER); /* tiles say which numbers mean something */
  list = H5Pcopy(all);
  H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC);
  H5Pset_fill_value(list, H5T_NATIVE_UINT64, &zero);
  number = amplitude_number_(single);
  space[0] = H5Screate_simple(2, n, NULL);
  space[1] = H5Screate_simple(2, tiles, NULL);
  space[2] = H5Screate_simple(1, &two, NULL);
  data = H5Dcreate2(file, "amplitude", number, space[0], H5P_DEFAULT, all, H5P_DEFAULT);
  hashes = H5Dcreate2(file, "tiles", H5T_NATIVE_UINT64, space[1], H5P_DEFAULT, list, H5P_DEFAULT);
  status = data < 0 || hashes < 0 || amplitude_axis_(file, "qy", qy, shape->ny) || amplitude_axis_(file, "qz", qz, shape->nz);
  /* which axes belong to what, as NeXus says it */
  text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, sizeof axes[0]);
  attribute = H5Acreate2(file, "axes", text, space[2], H5P_DEFAULT, H5P_DEFAULT);
  status = status || attribute < 0 || H5Awrite(attribute, text, axes) < 0;
  status = status || amplitude_put_(file, "NX_class", "NXdata", 0) || amplitude_put_(file, "signal", "amplitude", 0);
  status = status || amplitude_put_(file, "what", AMPLITUDE_WHAT_, 0);
  for (; facts->name && !status; facts++) {
    status = amplitude_put_(file, facts->name, facts->text, facts->number);
  }
  H5Aclose(attribute);
  H5Tclose(text);
  H5Dclose(data);
  H5Dclose(hashes);
  H5Sclose(space[0]);
  H5Sclose(space[1]);
  H5Sclose(space[2]);
  H5Tclose(number);
  H5Pclose(all);
  H5Pclose(list);
  if (H5Fclose(file) < 0 || status || rename(part, path)) {
    remove(part);
    fail(1, path, "cannot be created: is the disk full?");
  }
}

/* ---- for all ranks ---- */

static inline void amplitude_open(amplitude *a, const char *path, int single) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  MPI_Info info;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_ds_write", "disable"); /* it would write what lies between a tile's rows, too: others' tiles */
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, info);
  a->path = path;
  a->file = H5Fopen(path, H5F_ACC_RDWR, access);
  MPI_Info_free(&info);
  H5Pclose(access);
  require(a->file >= 0, path, "cannot be opened for writing by all ranks");
  a->data = H5Dopen2(a->file, "amplitude", H5P_DEFAULT);
  a->hashes = H5Dopen2(a->file, "tiles", H5P_DEFAULT);
  a->number = amplitude_number_(single);
  require(a->data >= 0 && a->hashes >= 0, path, "amplitude or tiles is missing: the file is damaged");
}

/* A tile's numbers, [nz][ny]. */
static inline int amplitude_tile_(const amplitude *a, const tile *t, int write, void *f) {
  const hsize_t first[2] = {t->z, t->y}, count[2] = {t->nz, t->ny};
  const hid_t here = H5Screate_simple(2, count, NULL), there = H5Dget_space(a->data);
  int status = H5Sselect_hyperslab(there, H5S_SELECT_SET, first, NULL, count, NULL) < 0;
  status = status || (write ? H5Dwrite(a->data, a->number, here, there, H5P_DEFAULT, f)
                            : H5Dread(a->data, a->number, here, there, H5P_DEFAULT, f)) < 0;
  H5Sclose(here);
  H5Sclose(there);
  return status;
}

static inline int amplitude_hash_(const amplitude *a, const tile *t, int write, uint64_t *hash) {
  const hid_t there = H5Dget_space(a->hashes), here = H5Screate(H5S_SCALAR);
  hsize_t n[2] = {1, 1}, at[2];
  int status = H5Sget_simple_extent_dims(there, n, NULL) < 0;
  at[0] = t->index / n[1];
  at[1] = t->index % n[1];
  status = status || H5Sselect_elements(there, H5S_SELECT_SET, 1, at) < 0;
  status = status || (write ? H5Dwrite(a->hashes, H5T_NATIVE_UINT64, here, there, H5P_DEFAULT, hash)
                            : H5Dread(a->hashes, H5T_NATIVE_UINT64, here, there, H5P_DEFAULT, hash)) < 0;
  H5Sclose(here);
  H5Sclose(there);
  return status;
}

/* A hash of 0 says that the tile is not there. */
static inline void amplitude_read(const amplitude *a, const tile *t, void *f, uint64_t *hash) {
  require(!amplitude_hash_(a, t, 0, hash) && (*hash == 0 || !amplitude_tile_(a, t, 0, f)), a->path, "cannot be read");
}

static inline void amplitude_write(const amplitude *a, const tile *t, void *f, uint64_t hash) {
  require(!amplitude_tile_(a, t, 1, f) && !amplitude_hash_(a, t, 1, &hash), a->path, "cannot be written: is the disk full?");
}

static inline void amplitude_close(amplitude *a) {
  H5Tclose(a->number);
  H5Dclose(a->data);
  H5Dclose(a->hashes);
  require(H5Fclose(a->file) >= 0, a->path, "cannot be written: is the disk full?");
}

#else

typedef struct amplitude {
  const char *path;
} amplitude;

/* No rank comes beyond this. */
static inline void amplitude_look(const char *path, amplitude_shape *shape) {
  memset(shape, 0, sizeof *shape);
  fail(BAD_OPTIONS, "--out", "%s: compiled without HDF5; Debian package libhdf5-mpi-dev, then make again", path);
}
static inline void amplitude_compare(const char *path, const fact *facts) { (void)path, (void)facts; }
static inline void amplitude_create(const char *path, const amplitude_shape *shape, int single, const double *qy,
                                    const double *qz, const fact *facts) {
  (void)path, (void)shape, (void)single, (void)qy, (void)qz, (void)facts;
}
static inline void amplitude_open(amplitude *a, const char *path, int single) { (void)a, (void)path, (void)single; }
static inline void amplitude_read(const amplitude *a, const tile *t, void *f, uint64_t *hash) {
  (void)a, (void)t, (void)f, (void)hash;
}
static inline void amplitude_write(const amplitude *a, const tile *t, void *f, uint64_t hash) {
  (void)a, (void)t, (void)f, (void)hash;
}
static inline void amplitude_close(amplitude *a) { (void)a; }
#endif

#endif
