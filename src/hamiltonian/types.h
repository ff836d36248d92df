/* What hamiltonian_apply adds up.  Good as zeros: H = 0.
   spacing    h of x, y, z between points of the fine grid, which has 2 n along an axis; 0: no kinetic energy along it
   potential  V, real, on shape->values, for all vectors; NULL: none
   shift      c
   k          of complex calls: a point k in 1 / (unit of spacing), of x, y, z; the orbital is exp(i k r) times psi.  Where
              there is no kinetic energy it does not count */
typedef struct convk_hamiltonian_terms {
  double spacing[3];
  const CONVK_T *potential;
  CONVK_T shift;
  double k[3];
} convk_hamiltonian_terms;

#if CONVK_HAS_SEPCONV_ && CONVK_HAS_TYPE_
/* Sizes: *resolved is the shape with both grids, full sizes and pitches, and strides.  hw may be NULL.  Status as
   hamiltonian_apply. */
CONVK_API_ int convk_hamiltonian_resolve(convk *hw, const convk_hamiltonian_shape *shape, convk_hamiltonian_shape *resolved);

/* Bytes of work for hamiltonian_apply on this handle (NULL: serial, default blocks), which are enough for every smaller grid
   and for fewer vectors, too, with energies and without.  Devices: 0.  Status as hamiltonian_apply; after an error *bytes is as
   it was. */
CONVK_API_ int convk_hamiltonian_apply_work_size(convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes);
/* The same for complex calls. */
CONVK_API_ int convk_hamiltonian_apply_work_size_complex(convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes);
#endif
