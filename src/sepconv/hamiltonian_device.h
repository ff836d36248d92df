#if CONVK_HAS_SEPCONV_
/* ---- the Hamiltonian in wavelets, which devices do not offer ---- */

CONVK_API_ int convk_hamiltonian_apply_device CONVK_OP_HAMILTONIAN_APPLY_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)terms, (void)in, (void)out, (void)energies, (void)work, (void)work_size;
  return convk_segments_lacks_(hw, "hamiltonian_apply");
}
#endif
