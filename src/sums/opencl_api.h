/* As convk_sumconv_terms_f64, on buffers; a mem of NULL: none. */
typedef struct convk_cl_sumconv_terms {
  convk_filter filter[3], imag[3], first[3];
  CONVK_T mixed[3];
  double phase[3][2];
  convk_cl_array potential;
  CONVK_T potential_factor, shift;
  convk_cl_array add;
  CONVK_T add_factor;
} convk_cl_sumconv_terms;
