/* As convk_sepconv_epilogue_f64, on buffers; `dot` and `energy` are arrays of one double.  No sum waits: it is there when the
   call's event is complete. */
typedef struct convk_cl_sepconv_epilogue {
  convk_cl_array potential, density;
  CONVK_T density_factor;
  convk_cl_array dot, energy;
  int update;
  CONVK_T a, b;
} convk_cl_sepconv_epilogue;
