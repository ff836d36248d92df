/* What a kernel sums: n triangles for nq vectors of q, whose arrays are filled up to whole vectors, and for order 0 to twice
   that; g = conj(q).a / |q|, and E = exp(i q.r) at the centroid, with a correction of `order`, or its mean over the triangle:
   (re, im) is minus the real part, and the imaginary part, of the sum of g (E - 1) / 2. */
typedef struct convk_formfactor_part_ {
  size_t n, nq;
  int imag, order;
  const convk_any_ *area[3], *at[3], *u[3], *w[3]; /* of the triangles */
  const CONVK_T *turns[3];                         /* q / (2 pi) */
  const CONVK_T *along[3];                         /* q / |q|, real parts */
  const CONVK_T *decay;                            /* - qz_imag log2 e */
  const CONVK_T *imag_along[3], *imag_turns[3];    /* imaginary parts of q / |q|, q / (2 pi) */
  /* for the mean, instead of what lies at centroids: vertices, and three of them for each triangle */
  size_t vertices;
  const CONVK_T *vertex[3];
  const unsigned short *corner;
  CONVK_T *re, *im;
} convk_formfactor_part_;

/* A tile of a tensor grid and a block of triangles.  Values of q on one axis lie in the lanes, a row is a pair of values on the
   two others.  With E = exp(i q_axis r_axis): per row and triangle, D is the product of the row's two E, less 1; the sum over
   triangles is of ((row's part of conj(q).a) D + q_lane (a_lane D)) E_lane.  With fourth order the factor of E_lane has the
   third degree in q_lane, and q_lane is that of lengths in units of 1 / per: powers of both keep within the numbers of the
   type. */
typedef struct convk_formfactor_tile_ {
  size_t lanes; /* filled up to a multiple of CONVK_FORMFACTOR_QUANTUM_ */
  int fourth_order;
  const CONVK_T *area[3], *at[3]; /* of CONVK_FORMFACTOR_BLOCK_ triangles, the lanes' axis first; filled up by zeros */
  const CONVK_T *corner[6];       /* and with fourth order u and w */
  CONVK_T per;
  const CONVK_T *q, *turns; /* of the lanes: q, q / (2 pi) */
  CONVK_T *phase;           /* E_lane: per vector and triangle, real and imaginary parts */
  CONVK_T *moment;          /* per axis, minus the real and the imaginary parts of the sum of a_axis (E_lane - 1) / 2 */
  CONVK_T *terms;           /* per row: real and imaginary parts of the factors of E_lane above */
  CONVK_T row_q[CONVK_FORMFACTOR_ROWS_][2], row_imag[CONVK_FORMFACTOR_ROWS_][2]; /* q of the rows, and its imaginary part */
  const CONVK_T *row_phase[CONVK_FORMFACTOR_ROWS_][2]; /* E - 1 of theirs: real, then imaginary parts */
  double *sum[CONVK_FORMFACTOR_ROWS_];                 /* real, then imaginary parts of the lanes */
} convk_formfactor_tile_;

/* What an instruction set offers. */
typedef struct convk_formfactor_kernels_ {
  void (*list)(const convk_formfactor_part_ *part);
  void (*faces)(const convk_formfactor_part_ *part);
  void (*lanes)(const convk_formfactor_tile_ *tile);
  void (*row)(const CONVK_T *at, CONVK_T turns, int imag, CONVK_T decay, CONVK_T *phase);
  void (*rows)(const convk_formfactor_tile_ *tile);
} convk_formfactor_kernels_;
