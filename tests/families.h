/* All families, unless the command line names some: comes before convk.h. */
#if !(defined CONVK_WITH_ALL || defined CONVK_WITH_SEPCONV || defined CONVK_WITH_FILTERS || defined CONVK_WITH_WAVELETS || \
      defined CONVK_WITH_SUMS || defined CONVK_WITH_HAMILTONIAN || defined CONVK_WITH_STENCIL || defined CONVK_WITH_VMATH || \
      defined CONVK_WITH_GAUSSIAN || defined CONVK_WITH_GAUSSIAN_POINTS || defined CONVK_WITH_GAUSSIAN_GRIDS || \
      defined CONVK_WITH_GAUSSIAN_CELLS || defined CONVK_WITH_FORMFACTOR || defined CONVK_WITH_DISTANCES || \
      defined CONVK_WITH_AMPLITUDES || defined CONVK_WITH_FFT || defined CONVK_WITH_PAIRS || defined CONVK_WITH_VMC)
#define CONVK_WITH_ALL
#endif
