/* ---- edges of indexed meshes, of either precision ---- */

#define CONVK_FACES_MAX_ ((size_t)1 << 30) /* counts of edges fit 32 bits */

/* Mixes bits: the finisher of splitmix64. */
CONVK_LOCAL_ uint64_t convk_mix_(uint64_t h) {
  h = (h ^ (h >> 30)) * (((uint64_t)0xbf58476d << 32) | 0x1ce4e5b9);
  h = (h ^ (h >> 27)) * (((uint64_t)0x94d049bb << 32) | 0x133111eb);
  return h ^ (h >> 31);
}

/* A number for the edge between two vertices, whichever way. */
CONVK_LOCAL_ uint64_t convk_edge_number_(uint32_t a, uint32_t b) {
  return convk_mix_(a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b);
}

/* Whether a surface is closed, without a table of its edges: their numbers, counted up one way and down the other, cancel if
   every edge has as many faces on one side as on the other.  OPEN_MESH or ORIENTATION (closed, but some faces are inside out)
   otherwise; another mesh passes by accident with a probability of 2^-64. */
CONVK_RARE_ int convk_faces_closed_(const convk_any_u32_ *face, size_t faces) {
  uint64_t balance = 0, parity = 0;
  size_t i, k;
  for (i = 0; i < faces; i++, face += 3)
    for (k = 0; k < 3; k++) {
      const uint32_t a = face[k], b = face[k < 2 ? k + 1 : 0];
      const uint64_t number = convk_edge_number_(a, b);
      if (a == b) continue;
      balance += a < b ? number : 0 - number;
      parity ^= number;
    }
  return !balance ? CONVK_OK : parity ? CONVK_ERR_OPEN_MESH : CONVK_ERR_ORIENTATION;
}

/* Slots of a hash table for 3 `faces` edges or vertices: a power of two, a quarter of them free. */
CONVK_LOCAL_ size_t convk_mesh_slots_(size_t faces) {
  size_t places = 4;
  while (places < 4 * faces) places *= 2;
  return places;
}

/* An edge, faces that run along it from the lower to the higher vertex and back; none: a free slot. */
typedef struct convk_edge_ {
  uint32_t low, high, up, down;
} convk_edge_;

/* Bytes of work of mesh_join and mesh_check; OVERFLOW. */
CONVK_LOCAL_ int convk_mesh_need_(char *message, size_t vertices, size_t faces, size_t *need) {
  size_t bytes;
  if (faces > CONVK_FACES_MAX_) return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "faces is above 2^%", 30, 0, 0);
  if (convk_mul_(convk_mesh_slots_(faces), sizeof(convk_edge_), &bytes) || vertices > (size_t)-1 - bytes ||
      vertices + bytes > (size_t)-1 - 64)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "vertices or faces is too large");
  *need = bytes + vertices + 64;
  return CONVK_OK;
}

CONVK_API_ int convk_mesh_work_size(convk *hw, size_t vertices, size_t faces, size_t *bytes) {
  int status = convk_formfactor_begin_(hw);
  if (!status) status = convk_need_(convk_formfactor_message_(hw), "bytes", bytes);
  return status ? status : convk_mesh_need_(convk_formfactor_message_(hw), vertices, faces, bytes);
}

/* Counts every edge of a mesh whose indices are right. */
CONVK_RARE_ void convk_mesh_edges_(const convk_any_u32_ *face, size_t faces, convk_edge_ *table, convk_mesh_report *r) {
  const size_t places = convk_mesh_slots_(faces);
  size_t i, k;
  memset(table, 0, places * sizeof *table);
  for (i = 0; i < faces; i++)
    for (k = 0; k < 3; k++) {
      const uint32_t a = face[3 * i + k], b = face[3 * i + (k < 2 ? k + 1 : 0)];
      size_t at = (size_t)convk_edge_number_(a, b) & (places - 1);
      if (a == b) continue;
      while ((table[at].up || table[at].down) && (table[at].low != (a < b ? a : b) || table[at].high != (a < b ? b : a)))
        at = (at + 1) & (places - 1);
      table[at].low = a < b ? a : b;
      table[at].high = a < b ? b : a;
      if (a < b) table[at].up++;
      else table[at].down++;
    }
  r->closed = r->manifold = 1;
  for (i = 0; i < places; i++) {
    const convk_edge_ *e = &table[i];
    if (!e->up && !e->down) continue;
    r->edges++;
    if (e->up + e->down == 1) r->border++;
    if (e->up + e->down == 2 && e->up != 1) r->turned++;
    if (e->up + e->down > 2) r->crowded++;
    if (e->up != 1 || e->down != 1) r->manifold = 0;
    if (e->up == e->down) continue;
    r->closed = 0;
  }
}
