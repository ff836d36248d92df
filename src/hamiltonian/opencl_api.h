/* As convk_hamiltonian_terms_f64, on a buffer; a mem of NULL: no potential. */
typedef struct convk_cl_hamiltonian_terms {
  double spacing[3];
  convk_cl_array potential;
  CONVK_T shift;
  double k[3];
} convk_cl_hamiltonian_terms;
