/* ---- meshes of solids ---- */

/* Writes the surface of a solid, or where there are no arrays how large it is. */
CONVK_RARE_ int convk_solid_write_(char *message, const convk_solid_ *s, convk_indexed_mesh *mesh) {
  convk_any_ *axis[3];
  convk_any_u32_ *face;
  size_t i, f[3];
  double v[3];
  int d;
  if (mesh->x || mesh->y || mesh->z || mesh->face) {
    const size_t bytes = s->vertices * sizeof(CONVK_T);
    convk_place_ place[4];
    int status;
    place[0] = convk_place_of_("mesh->x", mesh->x, bytes, CONVK_PLACE_WRITTEN_);
    place[1] = convk_place_of_("mesh->y", mesh->y, bytes, CONVK_PLACE_WRITTEN_);
    place[2] = convk_place_of_("mesh->z", mesh->z, bytes, CONVK_PLACE_WRITTEN_);
    place[3] = convk_place_of_("mesh->face", mesh->face, 3 * s->faces * sizeof *face, CONVK_PLACE_WRITTEN_);
    status = convk_places_present_(message, place, 4);
    if (status) return status;
    if (mesh->vertices < s->vertices)
      return convk_refuse_at_(message, CONVK_ERR_SIZE, "mesh->vertices is %, and % are needed", (int64_t)mesh->vertices,
                              (int64_t)s->vertices, 0);
    if (mesh->faces < s->faces)
      return convk_refuse_at_(message, CONVK_ERR_SIZE, "mesh->faces is %, and % are needed", (int64_t)mesh->faces,
                              (int64_t)s->faces, 0);
    status = convk_places_check_(message, place, 4);
    if (status) return status;
    convk_indexed_axes_(mesh, axis);
    face = mesh->face;
    for (i = 0; i < s->vertices; i++) {
      convk_solid_vertex_(s, i, v);
      for (d = 0; d < 3; d++) axis[d][i] = (CONVK_T)v[d];
    }
    for (i = 0; i < s->faces; i++) {
      convk_solid_face_(s, i, f);
      for (d = 0; d < 3; d++) face[3 * i + (size_t)d] = (uint32_t)f[d];
    }
  }
  mesh->vertices = s->vertices;
  mesh->faces = s->faces;
  return CONVK_OK;
}

/* What is wrong with a call: the handle, the mesh, or three lengths, a fourth which may be 0.  Name NULL: no such length. */
CONVK_LOCAL_ int convk_solid_check_(convk *hw, const convk_indexed_mesh *mesh, const double size[4],
                                    const char *const name[4]) {
  double sizes[4];
  const char *called[4];
  int i, n = 0, status = convk_formfactor_begin_(hw);
  if (!status && !mesh) status = convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_NULL, "mesh is NULL");
  for (i = 0; i < 4; i++)
    if (name[i] && (i < 3 || size[i] < 0 || size[i] > 0 || !convk_finite_f64_(size[i]))) {
      called[n] = name[i];
      sizes[n++] = size[i];
    }
  return status ? status : convk_solid_sizes_(convk_formfactor_message_(hw), sizes, called, n, CONVK_MESH_LIMIT_);
}

/* A pyramid or a box, as a call names its lengths. */
CONVK_RARE_ int convk_solid_box_(convk *hw, const double size[4], const char *const name[4], convk_indexed_mesh *mesh) {
  char *const message = convk_formfactor_message_(hw);
  int status = convk_solid_check_(hw, mesh, size, name);
  convk_solid_ s;
  s.kind = CONVK_SOLID_BOX_;
  s.size[0] = size[0] / 2;
  s.size[1] = size[1] / 2;
  if (!status && size[3] > 1) status = convk_refuse_(message, CONVK_ERR_SIZE, "top is above 1");
  if (!status) status = convk_solid_prism_(message, &s, 4, size[2], size[3]);
  return status ? status : convk_solid_write_(message, &s, mesh);
}

CONVK_API_ int convk_mesh_pyramid(convk *hw, double a, double b, double height, double top, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"a", "b", "height", "top"};
  const double size[4] = {a, b, height, top};
  return convk_solid_box_(hw, size, name, mesh);
}

CONVK_API_ int convk_mesh_box(convk *hw, double a, double b, double c, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"a", "b", "c", NULL};
  const double size[4] = {a, b, c, 1};
  return convk_solid_box_(hw, size, name, mesh);
}

CONVK_API_ int convk_mesh_cylinder(convk *hw, double radius, double height, double top, size_t n, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"radius", "height", NULL, "top"};
  const double size[4] = {radius, height, 0, top};
  char *const message = convk_formfactor_message_(hw);
  convk_solid_ s;
  int status = convk_solid_check_(hw, mesh, size, name);
  s.kind = CONVK_SOLID_ROUND_;
  s.size[0] = s.size[1] = radius;
  if (!status) status = convk_solid_prism_(message, &s, n, height, top / radius);
  return status ? status : convk_solid_write_(message, &s, mesh);
}

CONVK_API_ int convk_mesh_prism(convk *hw, size_t n, double edge, double height, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"edge", "height", NULL, NULL};
  const double size[4] = {edge, height, 0, 0};
  char *const message = convk_formfactor_message_(hw);
  double cosine, sine;
  convk_solid_ s;
  int status = convk_solid_check_(hw, mesh, size, name);
  if (!status) status = convk_solid_prism_(message, &s, n, height, 1);
  if (status) return status;
  s.kind = CONVK_SOLID_ROUND_;
  convk_turn_(1, 2 * (uint64_t)n, &cosine, &sine);
  s.size[0] = s.size[1] = edge / 2 / sine;
  if (!(s.size[0] <= CONVK_MESH_LIMIT_)) return convk_refuse_(message, CONVK_ERR_RANGE, "edge is too large for n of them");
  return convk_solid_write_(message, &s, mesh);
}

/* A sphere or an ellipsoid. */
CONVK_RARE_ int convk_solid_round_(convk *hw, const double size[4], const char *const name[4], size_t n,
                                   convk_indexed_mesh *mesh) {
  char *const message = convk_formfactor_message_(hw);
  convk_solid_ s;
  int d, status = convk_solid_check_(hw, mesh, size, name);
  if (!status) status = convk_solid_sphere_(message, &s, n);
  for (d = 0; d < 3; d++) s.size[d] = size[d];
  return status ? status : convk_solid_write_(message, &s, mesh);
}

CONVK_API_ int convk_mesh_ellipsoid(convk *hw, double rx, double ry, double rz, size_t n, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"rx", "ry", "rz", NULL};
  const double size[4] = {rx, ry, rz, 0};
  return convk_solid_round_(hw, size, name, n, mesh);
}

CONVK_API_ int convk_mesh_sphere(convk *hw, double radius, size_t n, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"radius", NULL, NULL, NULL};
  const double size[4] = {radius, radius, radius, 0};
  return convk_solid_round_(hw, size, name, n, mesh);
}

CONVK_API_ int convk_mesh_polyhedron(convk *hw, int kind, double edge, double cut, convk_indexed_mesh *mesh) {
  static const char *const name[4] = {"edge", NULL, NULL, "cut"};
  const double size[4] = {edge, 0, 0, cut};
  char *const message = convk_formfactor_message_(hw);
  convk_solid_ s;
  int status = convk_solid_check_(hw, mesh, size, name);
  if (!status) status = convk_solid_polyhedron_(message, &s, kind, edge, cut);
  return status ? status : convk_solid_write_(message, &s, mesh);
}

/* ---- directions ---- */

/* What is wrong with arrays that are written, of n numbers each: x, y, z and weights, which `to` then has. */
CONVK_LOCAL_ int convk_directions_check_(char *message, const convk_directions *directions, size_t n, convk_any_ *to[4]) {
  static const char *const name[4] = {"directions->x", "directions->y", "directions->z", "directions->weight"};
  convk_place_ place[4];
  int d;
  memcpy(to, (const char *)directions + offsetof(convk_directions, x), 4 * sizeof *to);
  for (d = 0; d < 4; d++)
    place[d] =
        convk_place_of_(name[d], to[d], n * sizeof(CONVK_T), CONVK_PLACE_WRITTEN_ | (n && d < 3 ? 0 : CONVK_PLACE_OPTIONAL_));
  return convk_places_check_(message, place, 4);
}

CONVK_API_ int convk_sphere_quadrature(convk *hw, size_t degree, int half, convk_directions *directions) {
  const size_t n = degree / 2 + 1, count = degree + 1;
  char *const message = convk_formfactor_message_(hw);
  convk_any_ *to[4];
  size_t ring, k, total = 0;
  int status = convk_formfactor_begin_(hw);
  if (!status && !directions) status = convk_refuse_(message, CONVK_ERR_NULL, "directions is NULL");
  if (!status) status = convk_sphere_count_(message, degree, half, &total);
  if (!status && directions->n < total)
    status = convk_refuse_at_(message, CONVK_ERR_SIZE, "directions->n is %, and % are needed", (int64_t)directions->n,
                              (int64_t)total, 0);
  if (!status) status = convk_directions_check_(message, directions, total, to);
  if (status) return status;
  directions->n = total;
  for (ring = 0; ring < convk_sphere_rings_(degree, half); ring++) {
    const double both = half && 2 * ring + 1 != n ? 2 : 1; /* its mirror image counts here, too */
    const int south = 2 * ring >= n;
    double below, w, radius, cosine, sine;
    convk_gauss_node_(n, south ? n - 1 - ring : ring, &below, &w);
    radius = convk_sqrt_(below * (2 - below));
    for (k = 0; k < count; k++) {
      const size_t at = ring * count + k;
      convk_turn_(k, count, &cosine, &sine);
      to[0][at] = (CONVK_T)(radius * cosine);
      to[1][at] = (CONVK_T)(radius * sine);
      to[2][at] = (CONVK_T)(south ? below - 1 : 1 - below);
      if (to[3]) to[3][at] = (CONVK_T)(both * w / 2 / (double)count);
    }
  }
  return CONVK_OK;
}

CONVK_API_ int convk_sphere_spiral(convk *hw, int half, const convk_directions *directions) {
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* of a turn of 2^64: the golden section */
  char *const message = convk_formfactor_message_(hw);
  convk_any_ *to[4];
  size_t k, n, bytes;
  int status = convk_formfactor_begin_(hw);
  if (status) return status;
  if (!directions) return convk_refuse_(message, CONVK_ERR_NULL, "directions is NULL");
  n = directions->n;
  if (half & ~1) return convk_refuse_at_(message, CONVK_ERR_OPTION, "half is %, neither 0 nor 1", half, 0, 0);
  if (convk_bytes_(n, 2 * sizeof(CONVK_T), &bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "directions->n is too large");
  status = convk_directions_check_(message, directions, n, to);
  if (status) return status;
  for (k = 0; k < n; k++) {
    const double below = (2 * (double)k + 1) / ((double)n * (1 + half)), radius = convk_sqrt_(below * (2 - below));
    double cosine, sine;
    convk_turn_(golden * (uint64_t)k >> 32, (uint64_t)1 << 32, &cosine, &sine);
    to[0][k] = (CONVK_T)(radius * cosine);
    to[1][k] = (CONVK_T)(radius * sine);
    to[2][k] = (CONVK_T)(1 - below);
    if (to[3]) to[3][k] = (CONVK_T)(1 / (double)n);
  }
  return CONVK_OK;
}
