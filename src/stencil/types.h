
/* The weights of a point and of its six neighbours. */
typedef struct convk_stencil7_coefficients {
  CONVK_T centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus;
} convk_stencil7_coefficients;

/* What a kernel computes: nrows rows of n points, of nplanes = 1 .. 4 planes at once.  in[p], from the plane below to the one
   above, and out[p] point at the first row; in the planes between, the rows before and after lie at row_minus and row_plus. */
typedef struct convk_stencil_part_ {
  convk_stencil7_coefficients c;
  int isotropic, stream;
  int over; /* whether what lies up to 64 bytes behind a row and its neighbour may be read */
  size_t n, nrows, nplanes, ahead;
  size_t strip;         /* elements of a row that are swept through all rows before the next: whole lines */
  const CONVK_T *fetch; /* the first row of nfetch planes that a later step will read */
  size_t nfetch, fetch_plane, fetch_pitch;
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_], *stage; /* stage: nplanes rows on their way past the cache */
  size_t in_pitch[CONVK_STENCIL_PLANES_ + 2], out_pitch, stage_pitch;
  ptrdiff_t row_minus, row_plus;
  ptrdiff_t left, right; /* where the neighbours of a row's ends lie: -1 and n, or elsewhere on a periodic axis */
} convk_stencil_part_;

/* What an instruction set offers. */
typedef struct convk_stencil_kernels_ {
  void (*rows)(const convk_stencil_part_ *part);
  void (*fence)(void);
} convk_stencil_kernels_;

#if CONVK_HAS_STENCIL_ && CONVK_HAS_TYPE_
/* c0 for the point and c1 for each of its six neighbours: heat of diffusivity D has c1 = D dt / h^2 and c0 = 1 - 6 c1. */
CONVK_API_ convk_stencil7_coefficients convk_stencil7_isotropic(CONVK_T c0, CONVK_T c1);

/* Sets *bytes to the work that stencil7 takes on this handle as it is (NULL: serial, default blocks), and stencil7_box with
   steps = 1: enough for every smaller grid, with as many steps or fewer, too.  0: it takes none, as on devices.
   Errors, with *bytes as it was: NULL, SIZE, OVERFLOW, PITCH, BOUNDARY, HANDLE. */
CONVK_API_ int convk_stencil7_work_size(convk *hw, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
#endif
