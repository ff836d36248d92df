/* Atoms in device memory; the struct is on the host.  Everything else as convk_atoms: kind and weight may be none. */
typedef struct convk_atoms_resident {
  size_t n, frames, stride;
  CONVK_ARRAY_(const CONVK_T) x;
  CONVK_ARRAY_(const CONVK_T) y;
  CONVK_ARRAY_(const CONVK_T) z;
  CONVK_ARRAY_(const uint32_t) kind;
  CONVK_ARRAY_(const CONVK_T) weight;
} convk_atoms_resident;
