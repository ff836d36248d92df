/* ---- meshes ---- */

/* Whether the first `count` arrays of a mesh are there: areas, centroids and both corners, x, y, z; `field` gets all. */
CONVK_RARE_ int convk_mesh_arrays_(const convk_formfactor_about_ *about, const convk_mesh *mesh, int count,
                                   convk_any_ *field[12]) {
  size_t bytes;
  int i;
  if (!mesh) return convk_formfactor_refuse_(about, CONVK_ERR_NULL, "& is NULL", NULL, NULL, 0, 0);
  memcpy(field, (const char *)mesh + offsetof(convk_mesh, ax), 12 * sizeof *field);
  for (i = 0; i < count && mesh->n; i++)
    if (!field[i]) return convk_formfactor_refuse_(about, CONVK_ERR_NULL, "@$ is NULL", convk_mesh_field_(i), NULL, 0, 0);
  if (convk_bytes_(mesh->n, 12 * sizeof(CONVK_T), &bytes))
    return convk_formfactor_refuse_(about, CONVK_ERR_OVERFLOW, "@n is too large", NULL, NULL, 0, 0);
  return CONVK_OK;
}

/* What is wrong with a coordinate; areas of larger ones overflow. */
CONVK_LOCAL_ int convk_mesh_coordinate_(convk_any_ x) {
  const CONVK_T limit = (CONVK_T)CONVK_MESH_LIMIT_;
  if (x <= limit && x >= -limit) return CONVK_OK;
  return convk_finite_(x) ? CONVK_ERR_RANGE : CONVK_ERR_COORDINATE;
}

CONVK_LOCAL_ int convk_mesh_coordinate_refuse_(const convk_formfactor_about_ *about, int status, const char *name, size_t i) {
  return convk_formfactor_refuse_(about, status, status == CONVK_ERR_RANGE ? "$[%] is too large" : "$[%] is not finite", name,
                                  NULL, i, 0);
}

/* The corners of triangles that a caller gives. */
CONVK_RARE_ int convk_mesh_corners_check_(const convk_formfactor_about_ *about, const convk_any_ *corners, size_t triangles) {
  size_t i;
  int status;
  for (i = 0; i < 9 * triangles; i++) {
    status = convk_mesh_coordinate_(corners[i]);
    if (status) return convk_mesh_coordinate_refuse_(about, status, "corners", i);
  }
  return CONVK_OK;
}

CONVK_LOCAL_ void convk_indexed_axes_(const convk_indexed_mesh *mesh, convk_any_ *axis[3]) {
  axis[0] = mesh->x;
  axis[1] = mesh->y;
  axis[2] = mesh->z;
}

/* Everything that can be wrong with an indexed mesh by itself. */
CONVK_RARE_ int convk_indexed_check_(const convk_formfactor_about_ *about, const convk_indexed_mesh *mesh) {
  convk_any_ *axis[3];
  const convk_any_u32_ *face;
  size_t i, k, bytes;
  if (!mesh) return convk_formfactor_refuse_(about, CONVK_ERR_NULL, "& is NULL", NULL, NULL, 0, 0);
  convk_indexed_axes_(mesh, axis);
  if (mesh->faces && !mesh->face) return convk_formfactor_refuse_(about, CONVK_ERR_NULL, "@face is NULL", NULL, NULL, 0, 0);
  for (k = 0; k < 3 && mesh->vertices; k++)
    if (!axis[k])
      return convk_formfactor_refuse_(about, CONVK_ERR_NULL, "@$ is NULL", convk_mesh_field_(3 + (int)k), NULL, 0, 0);
  if (mesh->faces > CONVK_FACES_MAX_)
    return convk_formfactor_refuse_(about, CONVK_ERR_OVERFLOW, "@faces is above 2^30", NULL, NULL, 0, 0);
  if (convk_bytes_(mesh->vertices, sizeof(CONVK_T), &bytes))
    return convk_formfactor_refuse_(about, CONVK_ERR_OVERFLOW, "@vertices is too large", NULL, NULL, 0, 0);
  face = mesh->face;
  for (i = 0; i < 3 * mesh->faces; i++)
    if (face[i] >= mesh->vertices)
      return convk_formfactor_refuse_(about, CONVK_ERR_FACE, "@face[%] is %, no vertex", NULL, NULL, i, face[i]);
  for (k = 0; k < 3; k++)
    for (i = 0; i < mesh->vertices; i++) {
      const int status = convk_mesh_coordinate_(axis[k][i]);
      if (status)
        return convk_formfactor_refuse_(about, status, status == CONVK_ERR_RANGE ? "@$[%] is too large" : "@$[%] is not finite",
                                        convk_mesh_field_(3 + (int)k), NULL, i, 0);
    }
  return CONVK_OK;
}

/* Whether `bytes` at p, which are called so, are apart from it. */
CONVK_RARE_ int convk_indexed_apart_(const convk_formfactor_about_ *about, const convk_indexed_mesh *mesh, const char *name,
                                     const void *p, size_t bytes) {
  convk_any_ *axis[3];
  int d;
  convk_indexed_axes_(mesh, axis);
  for (d = 0; d < 3; d++)
    if (convk_overlap_(p, bytes, axis[d], mesh->vertices * sizeof(CONVK_T)))
      return convk_formfactor_refuse_(about, CONVK_ERR_OVERLAP, "$ overlaps @$", name, convk_mesh_field_(3 + d), 0, 0);
  return convk_overlap_(p, bytes, mesh->face, 3 * mesh->faces * sizeof *mesh->face)
             ? convk_formfactor_refuse_(about, CONVK_ERR_OVERLAP, "$ overlaps @face", name, NULL, 0, 0)
             : CONVK_OK;
}

/* Refuses an array `name` of so many bytes at p that overlaps one of the twelve arrays of a mesh, or its vertices and faces. */
CONVK_RARE_ int convk_mesh_apart_(const convk_formfactor_about_ *about, const convk_mesh *mesh, convk_any_ *const field[12],
                                  const char *name, const void *p, size_t bytes) {
  const convk_formfactor_about_ faces = convk_formfactor_indexed_(about);
  int i;
  for (i = 0; i < 12; i++)
    if (convk_overlap_(p, bytes, field[i], mesh->n * sizeof(CONVK_T)))
      return convk_formfactor_refuse_(about, CONVK_ERR_OVERLAP, "$ overlaps @$", name, convk_mesh_field_(i), 0, 0);
  return mesh->indexed ? convk_indexed_apart_(&faces, mesh->indexed, name, p, bytes) : CONVK_OK;
}

/* Where triangles come from: arrays, or where some of the first `count` are missing, faces, which *indexed then has. */
CONVK_RARE_ int convk_mesh_source_(const convk_formfactor_about_ *about, const convk_mesh *mesh, int count,
                                   convk_any_ *field[12], const convk_indexed_mesh **indexed) {
  const convk_formfactor_about_ faces = convk_formfactor_indexed_(about);
  int status = CONVK_OK, i;
  *indexed = NULL;
  if (!mesh || !mesh->indexed) return convk_mesh_arrays_(about, mesh, count, field);
  status = convk_mesh_arrays_(about, mesh, 0, field);
  if (status) return status;
  for (i = 0; i < count && mesh->n; i++)
    if (!field[i]) *indexed = mesh->indexed;
  if (mesh->indexed->faces != mesh->n)
    return convk_formfactor_refuse_(about, CONVK_ERR_SIZE, "@indexed->faces is %, and @n %", NULL, NULL, mesh->indexed->faces,
                                    mesh->n);
  return convk_indexed_check_(&faces, mesh->indexed);
}

/* The nine coordinates of a face. */
CONVK_LOCAL_ void convk_indexed_corners_(const convk_indexed_mesh *mesh, size_t face, double v[9]) {
  convk_any_ *axis[3];
  const convk_any_u32_ *corner = mesh->face;
  size_t k;
  convk_indexed_axes_(mesh, axis);
  for (k = 0; k < 9; k++) v[k] = (double)axis[k % 3][corner[3 * face + k / 3]];
}

/* Triangle t of the arrays that there are, from its corners. */
CONVK_LOCAL_ void convk_mesh_triangle_(const double v[9], convk_any_ *const field[12], size_t t) {
  double e[3], f[3], center;
  int i;
  for (i = 0; i < 3; i++) {
    e[i] = v[3 + i] - v[i];
    f[i] = v[6 + i] - v[i];
    center = v[i] + (e[i] + f[i]) / 3;
    field[3 + i][t] = (CONVK_T)center;
    if (field[6 + i]) field[6 + i][t] = (CONVK_T)(v[i] - center);
    if (field[9 + i]) field[9 + i][t] = (CONVK_T)(v[3 + i] - center);
  }
  field[0][t] = (CONVK_T)((e[1] * f[2] - e[2] * f[1]) / 2);
  field[1][t] = (CONVK_T)((e[2] * f[0] - e[0] * f[2]) / 2);
  field[2][t] = (CONVK_T)((e[0] * f[1] - e[1] * f[0]) / 2);
}

/* The first `count` arrays of triangles first .. first + n - 1; those made of faces lie in room for count n numbers. */
CONVK_LOCAL_ void convk_mesh_block_(convk_any_ *const field[12], const convk_indexed_mesh *indexed, size_t first, size_t n,
                                    int count, CONVK_T *room, convk_any_ *block[12]) {
  double v[9];
  size_t t;
  int i;
  for (i = 0; i < 12; i++) block[i] = i >= count ? NULL : indexed ? room + (size_t)i * n : field[i] + first;
  for (t = 0; t < n && indexed; t++) {
    convk_indexed_corners_(indexed, first + t, v);
    convk_mesh_triangle_(v, block, t);
  }
}

CONVK_API_ int convk_mesh_assign(convk *hw, size_t n, int corners, CONVK_T *storage, convk_mesh *mesh) {
  CONVK_T *field[12];
  size_t bytes, i;
  const int status = convk_formfactor_begin_(hw);
  if (status) return status;
  if (!storage) return convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_NULL, "storage is NULL");
  if (!mesh) return convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_NULL, "mesh is NULL");
  if (convk_bytes_(n, 12 * sizeof *storage, &bytes))
    return convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_OVERFLOW, "n is too large");
  mesh->n = n;
  for (i = 0; i < 12; i++) field[i] = i < 6 || corners ? storage + i * n : NULL;
  memcpy((char *)mesh + offsetof(convk_mesh, ax), field, sizeof field);
  mesh->indexed = NULL;
  return CONVK_OK;
}

/* Arrays of a mesh that are written share no memory. */
CONVK_LOCAL_ int convk_mesh_fields_apart_(const convk_formfactor_about_ *about, convk_any_ *const field[12], size_t n) {
  int i, k;
  for (i = 0; i < 12; i++)
    for (k = 0; k < i; k++)
      if (convk_overlap_(field[k], n * sizeof(CONVK_T), field[i], n * sizeof(CONVK_T)))
        return convk_formfactor_refuse_(about, CONVK_ERR_OVERLAP, "@$ overlaps @$", convk_mesh_field_(k), convk_mesh_field_(i),
                                        0, 0);
  return CONVK_OK;
}

CONVK_API_ int convk_mesh_from_triangles(convk *hw, const CONVK_T *corners, const convk_mesh *mesh) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  const convk_any_ *from = corners;
  convk_any_ *field[12];
  size_t t, k;
  int status = convk_formfactor_begin_(hw), i;
  if (!status) status = convk_mesh_arrays_(&about, mesh, 6, field);
  if (!status && !corners && mesh->n) status = convk_refuse_(about.message, CONVK_ERR_NULL, "corners is NULL");
  if (!status) status = convk_mesh_fields_apart_(&about, field, mesh->n);
  for (i = 0; i < 12 && !status; i++)
    if (convk_overlap_(corners, 9 * mesh->n * sizeof *corners, field[i], mesh->n * sizeof *corners))
      status = convk_formfactor_refuse_(&about, CONVK_ERR_OVERLAP, "corners overlaps @$", convk_mesh_field_(i), NULL, 0, 0);
  if (!status) status = convk_mesh_corners_check_(&about, from, mesh->n);
  for (t = 0; !status && t < mesh->n; t++, from += 9) {
    double v[9];
    for (k = 0; k < 9; k++) v[k] = (double)from[k];
    convk_mesh_triangle_(v, field, t);
  }
  return status;
}

CONVK_API_ int convk_mesh_from_faces(convk *hw, const convk_mesh *mesh) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  const convk_formfactor_about_ faces = convk_formfactor_indexed_(&about);
  const convk_indexed_mesh *indexed;
  convk_any_ *field[12];
  size_t t, k;
  int status = convk_formfactor_begin_(hw);
  if (!status) status = convk_mesh_arrays_(&about, mesh, 6, field);
  if (!status && !mesh->indexed) status = convk_refuse_(about.message, CONVK_ERR_NULL, "mesh->indexed is NULL");
  if (!status) status = convk_mesh_source_(&about, mesh, 6, field, &indexed);
  if (!status) status = convk_mesh_fields_apart_(&about, field, mesh->n);
  for (k = 0; k < 12 && !status; k++)
    status = convk_indexed_apart_(&faces, mesh->indexed, convk_mesh_array_((int)k), field[k], mesh->n * sizeof(CONVK_T));
  if (status) return status;
  for (t = 0; t < mesh->n; t++) {
    double v[9];
    convk_indexed_corners_(mesh->indexed, t, v);
    convk_mesh_triangle_(v, field, t);
  }
  return status;
}

/* Bits of a coordinate that tell vertices apart; both zeros are one. */
CONVK_LOCAL_ uint64_t convk_vertex_bits_(convk_any_ x) {
  const CONVK_T value = x + 0; /* -0 + 0 is 0 */
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

/* Everything that can be wrong with a call of mesh_join.  need: bytes of work */
CONVK_RARE_ int convk_mesh_join_check_(char *message, const CONVK_T *corners, const convk_indexed_mesh *mesh, const void *work,
                                       size_t work_size, size_t *need) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(message, "mesh", "->", 0);
  convk_place_ place[6];
  size_t axis, faces, k, room = 0;
  int status;
  if (!mesh) return convk_refuse_(message, CONVK_ERR_NULL, "mesh is NULL");
  faces = mesh->faces;
  if (faces > CONVK_FACES_MAX_ || convk_bytes_(faces, 9 * sizeof(CONVK_T), &room))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "mesh->faces is above 2^30, or too large");
  status = convk_mesh_need_(message, 0, faces, need);
  if (status) return status;
  axis = 3 * faces * sizeof(CONVK_T);
  place[0] = convk_place_of_("corners", corners, room, 0);
  place[1] = convk_place_of_("mesh->x", mesh->x, axis, CONVK_PLACE_WRITTEN_);
  place[2] = convk_place_of_("mesh->y", mesh->y, axis, CONVK_PLACE_WRITTEN_);
  place[3] = convk_place_of_("mesh->z", mesh->z, axis, CONVK_PLACE_WRITTEN_);
  place[4] = convk_place_of_("mesh->face", mesh->face, 3 * faces * sizeof(uint32_t), CONVK_PLACE_WRITTEN_);
  place[5] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  for (k = 0; k < 5 && !faces; k++) place[k].flags |= CONVK_PLACE_OPTIONAL_;
  status = convk_places_check_(message, place, 6);
  if (!status) status = convk_mesh_corners_check_(&about, corners, faces);
  return status ? status : convk_work_check_(message, work, work_size, *need);
}

CONVK_API_ int convk_mesh_join(convk *hw, const CONVK_T *corners, convk_indexed_mesh *mesh, void *work, size_t work_size) {
  const convk_any_ *from = corners;
  convk_any_ *axis[3];
  size_t places, need = 0, i, k, count = 0;
  convk_any_u32_ *face;
  uint32_t *slot;
  convk_work_ memory;
  int status = convk_formfactor_begin_(hw);
  if (!status) status = convk_mesh_join_check_(convk_formfactor_message_(hw), corners, mesh, work, work_size, &need);
  if (!status) status = convk_work_begin_(convk_formfactor_message_(hw), &memory, work, work_size, need);
  if (status) return status;
  convk_indexed_axes_(mesh, axis);
  face = mesh->face;
  slot = (uint32_t *)(void *)memory.base; /* a vertex and one, or 0: free */
  places = convk_mesh_slots_(mesh->faces);
  memset(slot, 0, places * sizeof *slot);
  for (i = 0; i < 3 * mesh->faces; i++, from += 3) {
    uint64_t b[3], h;
    size_t at;
    for (k = 0; k < 3; k++) b[k] = convk_vertex_bits_(from[k]);
    h = convk_mix_(b[0] ^ convk_mix_(b[1] ^ convk_mix_(b[2])));
    for (at = (size_t)h & (places - 1); slot[at]; at = (at + 1) & (places - 1)) {
      const size_t v = slot[at] - 1;
      if (convk_vertex_bits_(axis[0][v]) == b[0] && convk_vertex_bits_(axis[1][v]) == b[1] &&
          convk_vertex_bits_(axis[2][v]) == b[2])
        break;
    }
    if (!slot[at]) {
      for (k = 0; k < 3; k++) axis[k][count] = from[k];
      slot[at] = (uint32_t)++count;
    }
    face[i] = slot[at] - 1;
  }
  mesh->vertices = count;
  convk_work_end_(&memory);
  return CONVK_OK;
}

CONVK_API_ int convk_mesh_corners(convk *hw, const convk_indexed_mesh *mesh, CONVK_T *corners) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  convk_any_ *axis[3];
  convk_any_ *to = corners;
  const convk_any_u32_ *face;
  size_t i, bytes = 0;
  int status = convk_formfactor_begin_(hw);
  if (!status) status = convk_indexed_check_(&about, mesh);
  if (!status && !corners && mesh->faces) status = convk_refuse_(about.message, CONVK_ERR_NULL, "corners is NULL");
  if (!status && convk_bytes_(mesh->faces, 9 * sizeof *corners, &bytes))
    status = convk_refuse_(about.message, CONVK_ERR_OVERFLOW, "mesh->faces is too large");
  if (!status) status = convk_indexed_apart_(&about, mesh, "corners", corners, bytes);
  if (status) return status;
  convk_indexed_axes_(mesh, axis);
  face = mesh->face;
  for (i = 0; i < 9 * mesh->faces; i++) to[i] = axis[i % 3][face[i / 3]];
  return CONVK_OK;
}

/* The length of a vector of areas; square: the sum of its squares, which need not be a number that has all its digits. */
CONVK_LOCAL_ double convk_mesh_length_(const double a[3], double square) {
  double most = 0, unit = 1;
  int d;
  if (square >= 1e-270 && square <= 1e300) return convk_sqrt_(square);
  for (d = 0; d < 3; d++) {
    if (!convk_finite_f64_(a[d])) return a[d];
    if (a[d] > most) most = a[d];
    if (-a[d] > most) most = -a[d];
  }
  if (!(most > 0)) return 0;
  while (most * unit < 1e-30) unit *= 18446744073709551616.;
  while (most * unit > 1e30) unit /= 18446744073709551616.;
  for (square = 0, d = 0; d < 3; d++) square += a[d] * unit * (a[d] * unit);
  return convk_sqrt_(square) / unit;
}

CONVK_API_ int convk_mesh_check(convk *hw, const convk_indexed_mesh *mesh, convk_mesh_report *report, void *work,
                                size_t work_size) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  convk_any_ *axis[3];
  convk_mesh_report r;
  convk_work_ memory;
  double from[3] = {0, 0, 0};
  const convk_any_u32_ *face;
  unsigned char *used;
  size_t i, need = 0;
  int d, status = convk_formfactor_begin_(hw);
  if (!status) status = convk_indexed_check_(&about, mesh);
  if (!status && !report) status = convk_refuse_(about.message, CONVK_ERR_NULL, "report is NULL");
  if (!status) status = convk_mesh_need_(about.message, mesh->vertices, mesh->faces, &need);
  if (!status) status = convk_indexed_apart_(&about, mesh, "work", work, work_size);
  if (!status) status = convk_indexed_apart_(&about, mesh, "report", report, sizeof *report);
  if (!status && convk_overlap_(report, sizeof *report, work, work_size))
    status = convk_refuse_(about.message, CONVK_ERR_OVERLAP, "report overlaps work");
  if (!status) status = convk_work_begin_(about.message, &memory, work, work_size, need);
  if (status) return status;
  convk_indexed_axes_(mesh, axis);
  memset(&r, 0, sizeof r);
  face = mesh->face;
  convk_mesh_edges_(face, mesh->faces, (convk_edge_ *)(void *)memory.base, &r);
  used = (unsigned char *)memory.base;
  memset(used, 0, mesh->vertices);
  for (i = 0; i < 3 * mesh->faces; i++) used[face[i]] = 1;
  for (i = 0; i < mesh->vertices; i++) r.unused += !used[i];
  convk_work_end_(&memory);
  for (d = 0; d < 3 && r.closed && mesh->faces; d++)
    from[d] = (double)axis[d][face[0]]; /* the volume about any point is the same: a near one */
  for (i = 0; i < mesh->faces; i++) {
    double v[9], e[3], f[3], a[3], square = 0, volume = 0, length;
    convk_indexed_corners_(mesh, i, v);
    for (d = 0; d < 3; d++) {
      e[d] = v[3 + d] - v[d];
      f[d] = v[6 + d] - v[d];
    }
    for (d = 0; d < 3; d++) {
      const int k = (d + 1) % 3, l = (d + 2) % 3;
      a[d] = e[k] * f[l] - e[l] * f[k];
      square += a[d] * a[d];
      volume += a[d] * (v[d] - from[d]);
    }
    length = convk_mesh_length_(a, square);
    r.degenerate += !(length > 0);
    r.area += length / 2;
    r.volume += volume / 6;
  }
  *report = r;
  return CONVK_OK;
}

/* The square of the longest edge of triangle t; 0 where its corners are not known. */
CONVK_LOCAL_ double convk_mesh_edge_(convk_any_ *const field[12], const convk_indexed_mesh *indexed, size_t t) {
  double v[9], max_square = 0;
  int d, k, corners = 1;
  for (d = 6; d < 12; d++) corners = corners && field[d];
  if (corners) {
    for (d = 0; d < 3; d++) {
      v[d] = (double)field[6 + d][t];
      v[3 + d] = (double)field[9 + d][t];
      v[6 + d] = -v[d] - v[3 + d];
    }
  } else {
    if (!indexed) return 0;
    convk_indexed_corners_(indexed, t, v);
  }
  for (k = 0; k < 9; k += 3) {
    double square = 0;
    for (d = 0; d < 3; d++) square += (v[(k + 3) % 9 + d] - v[k + d]) * (v[(k + 3) % 9 + d] - v[k + d]);
    if (square > max_square) max_square = square;
  }
  return max_square;
}

/* The root of the sum of squares of all areas, where that sum is no number that has all its digits. */
CONVK_RARE_ double convk_mesh_rough_(convk_any_ *const field[12], size_t n) {
  double rough = 0;
  size_t t;
  int d;
  for (t = 0; t < n; t++) {
    double a[3] = {rough, 0, 0}, square;
    for (d = 0; d < 3; d++) { /* the root of one more square */
      a[1] = (double)field[d][t];
      square = a[0] * a[0] + a[1] * a[1];
      a[0] = convk_mesh_length_(a, square);
    }
    rough = a[0];
  }
  return rough;
}

/* As mesh_measure, of what `about` names. */
CONVK_RARE_ int convk_mesh_measured_(const convk_formfactor_about_ *about, const convk_mesh *mesh,
                                     convk_mesh_measures *measures) {
  const double eps = CONVK_OF_(1.0 / 8388608, 1.0 / 4503599627370496.);
  const convk_indexed_mesh *indexed;
  convk_any_ *all[12], *field[12];
  CONVK_T room[6 * CONVK_FORMFACTOR_BLOCK_];
  convk_mesh_measures m;
  double gap = 0, rough = 0, edge = 0;
  size_t first, n, t;
  int i, status = convk_mesh_source_(about, mesh, 6, all, &indexed);
  if (status) return status;
  memset(&m, 0, sizeof m);
  for (first = 0; first < mesh->n; first += n) {
    n = mesh->n - first < CONVK_FORMFACTOR_BLOCK_ ? mesh->n - first : CONVK_FORMFACTOR_BLOCK_;
    convk_mesh_block_(all, indexed, first, n, 6, room, field);
    for (t = 0; t < n; t++) {
      double a[3], square = 0;
      for (i = 0; i < 3; i++) {
        const double r = (double)field[3 + i][t];
        a[i] = (double)field[i][t];
        if (!convk_finite_f64_(a[i]) || !convk_finite_f64_(r))
          return convk_formfactor_refuse_(about, CONVK_ERR_COORDINATE, "@$[%] is not finite",
                                          convk_mesh_field_(convk_finite_f64_(r) ? i : 3 + i), NULL, first + t, 0);
        m.gap[i] += a[i];
        m.volume += a[i] * r / 3;
        square += a[i] * a[i];
        if (r < m.least[i]) m.least[i] = r;
        if (r > m.most[i]) m.most[i] = r;
      }
      rough += square;
      m.area += convk_mesh_length_(a, square);
      square = convk_mesh_edge_(all, mesh->indexed, first + t);
      if (square > edge) edge = square;
    }
  }
  m.edge = convk_sqrt_(edge);
  for (i = 0; i < 3; i++) gap += m.gap[i] * m.gap[i];
  /* each vector area is rounded, and corners may have been before the sides were taken of them: 64 roundings of all areas'
     quadratic mean, an allowance, explain the gap */
  if (mesh->indexed) m.closed = !convk_faces_closed_(mesh->indexed->face, mesh->n);
  else {
    rough = rough >= 1e-270 && rough <= 1e300 ? convk_sqrt_(rough) : convk_mesh_rough_(all, mesh->n);
    gap = convk_mesh_length_(m.gap, gap);
    m.closed = convk_finite_f64_(gap) && gap <= 64 * eps * rough + 4 * eps * m.area;
  }
  *measures = m;
  return CONVK_OK;
}

CONVK_API_ int convk_mesh_measure(convk *hw, const convk_mesh *mesh, convk_mesh_measures *measures) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  convk_mesh_measures found;
  convk_any_ *field[12];
  int status = convk_formfactor_begin_(hw);
  if (status) return status;
  if (mesh && !measures) return convk_refuse_(about.message, CONVK_ERR_NULL, "measures is NULL");
  status = convk_mesh_measured_(&about, mesh, &found);
  if (!status) status = convk_mesh_arrays_(&about, mesh, 0, field);
  if (!status) status = convk_mesh_apart_(&about, mesh, field, "measures", measures, sizeof *measures);
  if (!status) *measures = found;
  return status;
}

CONVK_API_ int convk_mesh_rotate(convk *hw, const convk_mesh *mesh, const double rotation[9], const convk_mesh *out) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  const convk_formfactor_about_ out_about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "out", "->", 0);
  convk_any_ *from[12], *to[12];
  size_t t;
  const int count = out && out->indexed ? 12 : 6; /* no call may then make triangles of faces that were not turned */
  int i, k, status = convk_formfactor_begin_(hw);
  if (!status) status = convk_mesh_arrays_(&about, mesh, count, from);
  if (!status) status = convk_mesh_arrays_(&out_about, out, count, to);
  if (!status && !rotation) status = convk_refuse_(about.message, CONVK_ERR_NULL, "rotation is NULL");
  if (!status && mesh->n != out->n)
    status = convk_formfactor_refuse_(&out_about, CONVK_ERR_SIZE, "out->n is %, and mesh->n %", NULL, NULL, out->n, mesh->n);
  for (i = 0; i < 9 && !status; i++)
    if (!convk_finite_f64_(rotation[i]))
      status = convk_refuse_at_(about.message, CONVK_ERR_NONFINITE, "rotation[%] is not finite", i, 0, 0);
  if (status) return status;
  for (i = 0; i < 12; i++)
    for (k = 0; k < 12; k++)
      if ((i != k || from[i] != to[k]) && convk_overlap_(from[i], mesh->n * sizeof(CONVK_T), to[k], mesh->n * sizeof(CONVK_T)))
        return convk_refuse_names_(about.message, CONVK_ERR_OVERLAP, "mesh->$ overlaps out->$", convk_mesh_field_(i),
                                   convk_mesh_field_(k));
  status = convk_mesh_fields_apart_(&out_about, to, mesh->n);
  for (k = 0; k < 12 && !status; k++)
    if (convk_overlap_(rotation, 9 * sizeof *rotation, to[k], mesh->n * sizeof(CONVK_T)))
      status =
          convk_formfactor_refuse_(&out_about, CONVK_ERR_OVERLAP, "rotation overlaps @$", convk_mesh_field_(k), NULL, 0, 0);
  if (status) return status;
  for (k = 0; k < 12; k += 3) {
    if (!from[k] || !from[k + 1] || !from[k + 2] || !to[k] || !to[k + 1] || !to[k + 2]) continue;
    for (t = 0; t < mesh->n; t++) {
      const double v[3] = {(double)from[k][t], (double)from[k + 1][t], (double)from[k + 2][t]};
      for (i = 0; i < 3; i++)
        to[k + i][t] = (CONVK_T)(rotation[3 * i] * v[0] + rotation[3 * i + 1] * v[1] + rotation[3 * i + 2] * v[2]);
    }
  }
  return CONVK_OK;
}
