static const convk_hamiltonian_kernels_ convk_hamiltonian_table_ = {&convk_filters_table_, &convk_wavelets_table_,
                                                                    &convk_sums_table_};
CONVK_LOCAL_ const convk_hamiltonian_kernels_ *convk_hamiltonian_kernel_table_(void) { return &convk_hamiltonian_table_; }
