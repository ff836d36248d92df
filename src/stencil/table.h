/* What a kernel computes: nrows rows of n points, of nplanes = 1 .. 4 planes at once.  in[p], from the plane below to the one
   above, and out[p] point at the first row; in the planes between, the row before it lies at row_minus of it, and the row
   after the last one at row_plus of that. */
typedef struct convk_stencil_part_ {
  convk_stencil7_coefficients c;
  int isotropic, stream;
  int over; /* whether what lies up to 64 bytes behind a row and its neighbour may be read */
  size_t n, nrows, nplanes, ahead;
  size_t strip; /* elements of a row that are swept through all rows before the next: whole lines */
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_], *stage; /* stage: nplanes rows on their way past the cache */
  size_t in_pitch[CONVK_STENCIL_PLANES_ + 2], out_pitch, stage_pitch;
  ptrdiff_t row_minus, row_plus;
  ptrdiff_t left, right; /* where the neighbours of a row's ends lie: -1 and n, or elsewhere on a periodic axis */
} convk_stencil_part_;

/* What an instruction set offers. */
typedef struct convk_stencil_kernels_ {
  size_t lanes; /* points of a vector */
  int parts;    /* whether parts of vectors are loaded and stored as fast as whole ones */
  void (*points)(const convk_stencil_part_ *part, const CONVK_T *const *in, CONVK_T *const *out, const size_t *pitch,
                 size_t nplanes, size_t i, size_t end, ptrdiff_t left, ptrdiff_t right);
  void (*vectors)(const convk_stencil_part_ *part, size_t i, size_t end, int wide);
  void (*rows)(const convk_stencil_part_ *part, const CONVK_T *const *in, CONVK_T *const *out, size_t i, size_t end,
               size_t nplanes, int stream);
  void (*past)(const CONVK_T *from, CONVK_T *to, size_t n);
  void (*fence)(void);
} convk_stencil_kernels_;
