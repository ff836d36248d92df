#if CONVK_HAS_FORMFACTOR_
/* ---- meshes of solids ---- */

/* Writes the surface of a solid, or where there are no arrays how large it is.  status: what is wrong with the solid. */
CONVK_RARE_ int convk_solid_write_(const convk_solid_ *s, int status, convk_indexed_mesh *mesh) {
  convk_any_ *axis[3];
  convk_any_u32_ *face;
  size_t i, f[3];
  double v[3];
  int d, k;
  if (!mesh) return CONVK_ERR_NULL;
  if (status) return status;
  if (mesh->x || mesh->y || mesh->z || mesh->face) {
    if (!mesh->x || !mesh->y || !mesh->z || !mesh->face) return CONVK_ERR_NULL;
    if (mesh->vertices < s->vertices || mesh->faces < s->faces) return CONVK_ERR_SIZE;
    axis[0] = mesh->x;
    axis[1] = mesh->y;
    axis[2] = mesh->z;
    face = mesh->face;
    for (d = 0; d < 3; d++) {
      if (convk_overlap_(axis[d], s->vertices * sizeof(CONVK_T), face, 3 * s->faces * sizeof *face)) return CONVK_ERR_OVERLAP;
      for (k = 0; k < d; k++)
        if (convk_overlap_(axis[d], s->vertices * sizeof(CONVK_T), axis[k], s->vertices * sizeof(CONVK_T)))
          return CONVK_ERR_OVERLAP;
    }
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

/* What is wrong with three lengths, and a fourth which may be 0, too. */
CONVK_LOCAL_ int convk_solid_check_(double a, double b, double c, double top) {
  double size[4];
  size[0] = a;
  size[1] = b;
  size[2] = c;
  size[3] = top;
  return convk_solid_sizes_(size, top < 0 || top > 0 || !convk_finite_f64_(top) ? 4 : 3, CONVK_MESH_MOST_);
}

CONVK_API_ int convk_mesh_pyramid(double a, double b, double height, double top, convk_indexed_mesh *mesh) {
  int status = convk_solid_check_(a, b, height, top);
  convk_solid_ s;
  s.kind = CONVK_SOLID_BOX_;
  s.size[0] = a / 2;
  s.size[1] = b / 2;
  if (!status && top > 1) status = CONVK_ERR_SIZE;
  if (!status) status = convk_solid_prism_(&s, 4, height, top);
  return convk_solid_write_(&s, status, mesh);
}

CONVK_API_ int convk_mesh_box(double a, double b, double c, convk_indexed_mesh *mesh) {
  return convk_mesh_pyramid(a, b, c, 1, mesh);
}

CONVK_API_ int convk_mesh_cylinder(double radius, double height, double top, size_t n, convk_indexed_mesh *mesh) {
  int status = convk_solid_check_(radius, height, 1, top);
  convk_solid_ s;
  s.kind = CONVK_SOLID_ROUND_;
  s.size[0] = s.size[1] = radius;
  if (!status) status = convk_solid_prism_(&s, n, height, top / radius);
  return convk_solid_write_(&s, status, mesh);
}

CONVK_API_ int convk_mesh_prism(size_t n, double edge, double height, convk_indexed_mesh *mesh) {
  int status = convk_solid_check_(edge, height, 1, 0);
  double cosine, sine;
  convk_solid_ s;
  if (!status) status = convk_solid_prism_(&s, n, height, 1);
  s.kind = CONVK_SOLID_ROUND_;
  if (!status) {
    convk_turn_(1, 2 * (uint64_t)n, &cosine, &sine);
    s.size[0] = s.size[1] = edge / 2 / sine;
    if (!(s.size[0] <= CONVK_MESH_MOST_)) status = CONVK_ERR_RANGE;
  }
  return convk_solid_write_(&s, status, mesh);
}

CONVK_API_ int convk_mesh_ellipsoid(double rx, double ry, double rz, size_t n, convk_indexed_mesh *mesh) {
  int status = convk_solid_check_(rx, ry, rz, 0);
  convk_solid_ s;
  if (!status) status = convk_solid_sphere_(&s, n);
  s.size[0] = rx;
  s.size[1] = ry;
  s.size[2] = rz;
  return convk_solid_write_(&s, status, mesh);
}

CONVK_API_ int convk_mesh_sphere(double radius, size_t n, convk_indexed_mesh *mesh) {
  return convk_mesh_ellipsoid(radius, radius, radius, n, mesh);
}

CONVK_API_ int convk_mesh_polyhedron(int kind, double edge, double cut, convk_indexed_mesh *mesh) {
  int status = convk_solid_check_(edge, 1, 1, cut);
  convk_solid_ s;
  if (!status) status = convk_solid_polyhedron_(&s, kind, edge, cut);
  return convk_solid_write_(&s, status, mesh);
}

/* ---- directions ---- */

/* What is wrong with arrays that are written, of so many bytes each. */
CONVK_LOCAL_ int convk_directions_check_(convk_any_ *const *to, int arrays, size_t bytes) {
  int i, j;
  for (i = 0; i < arrays && bytes; i++)
    if (!to[i]) return CONVK_ERR_NULL;
  for (i = 0; i < arrays; i++)
    for (j = 0; j < i; j++)
      if (convk_overlap_(to[i], bytes, to[j], bytes)) return CONVK_ERR_OVERLAP;
  return CONVK_OK;
}

CONVK_API_ int convk_sphere_quadrature(size_t degree, int half, CONVK_T *nx, CONVK_T *ny, CONVK_T *nz, CONVK_T *weight) {
  const size_t n = degree / 2 + 1, count = degree + 1, total = convk_sphere_directions(degree, half);
  convk_any_ *to[4];
  size_t ring, k;
  int status;
  if (half & ~1) return CONVK_ERR_OPTION;
  if (total == (size_t)-1) return CONVK_ERR_OVERFLOW;
  to[0] = nx;
  to[1] = ny;
  to[2] = nz;
  to[3] = weight;
  status = convk_directions_check_(to, 4, total * sizeof(CONVK_T));
  if (status) return status;
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
      to[3][at] = (CONVK_T)(both * w / 2 / (double)count);
    }
  }
  return CONVK_OK;
}

CONVK_API_ int convk_sphere_spiral(size_t n, int half, CONVK_T *nx, CONVK_T *ny, CONVK_T *nz) {
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* of a turn of 2^64: the golden section */
  convk_any_ *to[3];
  size_t k, bytes;
  int status;
  if (half & ~1) return CONVK_ERR_OPTION;
  if (convk_mul_(n, 2 * sizeof(CONVK_T), &bytes)) return CONVK_ERR_OVERFLOW;
  to[0] = nx;
  to[1] = ny;
  to[2] = nz;
  status = convk_directions_check_(to, 3, bytes / 2);
  if (status) return status;
  for (k = 0; k < n; k++) {
    const double below = (2 * (double)k + 1) / ((double)n * (1 + half)), radius = convk_sqrt_(below * (2 - below));
    double cosine, sine;
    convk_turn_(golden * (uint64_t)k >> 32, (uint64_t)1 << 32, &cosine, &sine);
    to[0][k] = (CONVK_T)(radius * cosine);
    to[1][k] = (CONVK_T)(radius * sine);
    to[2][k] = (CONVK_T)(1 - below);
  }
  return CONVK_OK;
}
#endif
