/* What hamiltonian_apply adds up.  All zeros: H = 0.
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

/* The local Hamiltonian of BigDFT on orbitals in Daubechies-16 wavelets (L. Genovese et al., J. Chem. Phys. 129, 014109, 2008):
     H psi = DWT (T + IMF V MF + c) IDWT psi,   T = sum over axes of -1/2 D2 / h^2
   and at a point k of complex orbitals psi exp(i k r) (BigDFT's k has the other sign):
     T = sum over axes of 1/2 (-i d/dx + k)^2 = -1/2 D2 / h^2 - i k D1 / h + k^2 / 2
   IDWT and DWT are idwt3d and dwt3d, which come to scaling coefficients of the fine grid and back; MF and IMF the magic filter,
   V the potential on the values; D1 and D2 the derivatives' 29 taps, which beyond ends that are not periodic find zeros.
   shape     see above
   terms     see convk_hamiltonian_terms
   in, out   psi and H psi; in place: yes, `out` may be `in` (exactly, with the same stride).  Complex calls (c32, c64) take
             pairs of real and imaginary part
   energies  one struct for each vector, or NULL
   work      hamiltonian_apply_work_size bytes, or NULL; three arrays of an orbital (of complex numbers, four), or of as many
             as have a thread each
   Threads: orbitals, where all that is between fits into the caches and each thread gets one; else tiles, as sepconv3d.
   Errors: NULL, SIZE, ODD, OVERFLOW, PITCH (also: vectors overlap), BOUNDARY, SHRINK, OPTION (k of a real call), NONFINITE
   (also: a spacing so small that 1 / h^2 overflows, a k so large that k^2 does), OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Hardware: all.
   Accuracy: 2e-14 (f32: 1e-5) times max |psi| (max |V| + sum of 5 / h^2, and of 3 |k| / h + k^2).  The bits are those of
   idwt3d, magicfilter3d there with the potential and back, sumconv3d, and dwt3d, called one after another, whatever the threads
   and vectors; of complex numbers, of either part, but sumconv3d of both together, whose k^2 / 2 is added to tap 0 of -1/2 D2 /
   h^2 in doubles.
   558 flops per point: s1_to_r, r_to_s1 and the kinetic energy beside them would be 738.  psi and V are read and H psi is
   written once; between them are nine more passes over arrays of an orbital.  Complex numbers: twice that, with k 174 more, and
   four passes that take parts from pairs and make pairs of them. */
CONVK_OPERATION_ int convk_hamiltonian_apply(convk *hw, const convk_hamiltonian_shape *shape,
                                             const convk_hamiltonian_terms *terms, const CONVK_T *in, CONVK_T *out,
                                             convk_hamiltonian_energies *energies, void *work, size_t work_size);
CONVK_OPERATION_ int convk_hamiltonian_apply_complex(convk *hw, const convk_hamiltonian_shape *shape,
                                                     const convk_hamiltonian_terms *terms, const CONVK_T *in, CONVK_T *out,
                                                     convk_hamiltonian_energies *energies, void *work, size_t work_size);

/* Sizes: *resolved is the shape with both grids, full sizes and pitches, and strides.  hw may be NULL.  Status as
   hamiltonian_apply. */
CONVK_API_ int convk_hamiltonian_resolve(convk *hw, const convk_hamiltonian_shape *shape, convk_hamiltonian_shape *resolved);

/* Bytes of work for hamiltonian_apply on this handle (NULL: serial, default blocks), which are enough for every smaller grid
   and for fewer vectors, too, with energies and without.  Devices: 0.  Status as hamiltonian_apply; after an error *bytes is as
   it was. */
CONVK_API_ int convk_hamiltonian_apply_work_size(convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes);

/* The same for complex calls. */
CONVK_API_ int convk_hamiltonian_apply_work_size_complex(convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes);
