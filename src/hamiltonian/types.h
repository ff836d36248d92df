/* The grids of hamiltonian_apply.
   wavelets    of psi and H psi: 2 n coefficients along each axis, in eight blocks, as the coarse grid of dwt3d
   values      of the potential: 2 n points, along free axes 2 n + 29, from point -14 on, as the values of s1_to_r
               Of either, sizes of 0, all three: those that follow from the other
   boundary    of x, y, z: CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, or free: CONVK_BOUNDARY_GROW or, the same,
               CONVK_BOUNDARY_SHRINK
   vectors     how many orbitals; 0: one
   in_stride, out_stride   elements from one to the next; 0: nz pitch_z of `wavelets`
   Complex calls count complex numbers; the potential is real. */
typedef struct convk_hamiltonian_shape {
  convk_grid3 wavelets, values;
  int boundary[3];
  size_t vectors, in_stride, out_stride;
} convk_hamiltonian_shape;

/* Energies of an orbital, sums over points (times no volume).
   kinetic    <psi|T_d psi> of x, y, z; its real part
   potential  <psi|V|psi> */
typedef struct convk_hamiltonian_energies {
  double kinetic[3], potential;
} convk_hamiltonian_energies;
