/* One pass of radix r over `count` groups of points of each of some lines: point q of a group lies `from` elements after point
   q - 1, its imaginary part `imag` elements after the real part (before it: the transform is then the inverse one).  All
   pointers are to the first element of a vector. */
typedef struct convk_fft_pass_ {
  const CONVK_T *src;
  CONVK_T *dst;
  size_t from, to, count, from_step, to_step, lines, from_line, to_line;
  ptrdiff_t imag;
  const convk_any_ *twiddle;         /* of points 1 .. r - 1, or NULL */
  size_t twiddle_step, twiddle_line; /* from group to group; of passes on pairs from line to line instead */
  int half;                          /* 1: points r / 2 .. are zeros, 2: results r / 2 .. are not stored */
  const convk_any_ *factor;          /* of point 0 of the first group: the pass multiplies and goes back; or NULL */
  size_t factor_step, factor_next, factor_line, factor_imag; /* to the next point, group and line, the imaginary part */
  int wide;                                                  /* factors are vectors */
  int pairs; /* src is two vectors of interleaved pairs, anywhere in memory; 2: that change places */
  /* The rest is of passes on pairs. */
  int apart;                   /* 1: the pairs of a vector come from rows, 2: they go to rows */
  size_t from_pitch, pitch;    /* from row to row */
  const convk_any_u32_ *order; /* of a last pass: where the points lie that make the first frequency of each line; or NULL */
  CONVK_T scale;               /* above 0: an inverse transform, scaled at its end */
  uintptr_t next, next_to;     /* what comes next from memory and goes there, as much as the pass has; or 0 */
} convk_fft_pass_;

/* Squares of as many rows as there are lanes, transposed: element j of what lies at from[i] goes to element i of to[j]. */
typedef struct convk_fft_square_ {
  const convk_any_ *from[CONVK_FFT_LANES_];
  convk_any_ *to[CONVK_FFT_LANES_];
  size_t from_rows, to_rows;        /* further rows count as zeros, and are not stored */
  size_t from_n, to_n;              /* elements of a row that are loaded and stored, at most as many as there are lanes */
  size_t count, from_step, to_step; /* of squares, and from one to the next */
  int parts;                        /* 2: again for rows one vector further, imaginary parts */
  const convk_any_u32_ *order;      /* NULL, or which square of `from` comes next */
  CONVK_T scale;                    /* that elements are multiplied by; 0: they are not */
} convk_fft_square_;

/* As many rows of one item as there are lanes, or less: those of which columns were transformed, to lines along x, a row per
   lane; and lines to rows of results. */
typedef struct convk_fft_rows_ {
  size_t rows, n;                       /* n: points of a row */
  const CONVK_T *plane;                 /* row i lies at row[i] plane_pitch, by vectors of real and of imaginary parts */
  const convk_any_u32_ *row, *position; /* position[k]: where frequency k lies in a line */
  size_t plane_pitch;
  CONVK_T *lines;
  convk_any_ *to;
  size_t pitch;            /* elements from row to row of results */
  size_t swap;             /* 1: imaginary parts come first */
  uintptr_t next, next_to; /* rows that come next from memory and go there, or 0 */
  size_t next_pitch;       /* elements */
  CONVK_T scale;           /* as of squares */
} convk_fft_rows_;

struct convk_fft_job_;

/* What an instruction set offers. */
typedef struct convk_fft_kernels_ {
  size_t lanes;
  size_t most_pairs;                             /* points of an axis that passes on pairs are for */
  void (*pairs[3])(const convk_fft_pass_ *pass); /* of radix 4, 8, 16, on pairs */
  void (*pass[17])(const convk_fft_pass_ *pass); /* by radix */
  void (*square)(const convk_fft_square_ *square);
  void (*to_lines)(const convk_fft_rows_ *rows);
  void (*to_rows)(const convk_fft_rows_ *rows);
  /* Rows of an item, from this column on, to vectors `step` apart, and back. */
  void (*unzip)(const struct convk_fft_job_ *job, const convk_any_ *in, size_t column, CONVK_T *to, size_t step);
  void (*zip)(const struct convk_fft_job_ *job, size_t column);
  void (*unpack)(const CONVK_T *z, const convk_any_u32_ *position, size_t n, CONVK_T *a, CONVK_T *b);
  void (*pack)(CONVK_T *z, const convk_any_u32_ *position, size_t n, const CONVK_T *a, const CONVK_T *b);
  void (*blend)(const convk_any_ *first, const convk_any_ *second, size_t lanes, size_t pitch, size_t n, CONVK_T *to);
} convk_fft_kernels_;

/* One block of items, or one item, on its way. */
typedef struct convk_fft_job_ {
  const convk_fft_kernels_ *kernels;
  const convk_fft_plan_ *plan;
  const convk_any_ *tables, *spectra;
  const convk_any_u32_ *position[2];
  int across, transform, swap;                 /* lanes are items; fft2d; real and imaginary parts change places */
  CONVK_T scale;                               /* of fft2d */
  size_t items;                                /* in lanes, or one after the other */
  const convk_any_ *const *in, *const *factor; /* of each lane's item */
  convk_any_ *const *out;
  size_t in_pitch, out_pitch, in_row, out_row; /* in elements of the type, two for a complex number; of a row */
  size_t in_stride, out_stride;
  size_t more;             /* items to come after these */
  size_t skip[2];          /* rows and columns of a tile before those that are wanted */
  CONVK_T *a, *b, *s;      /* lines along y, by columns; lines along x; factors by lanes */
  size_t a_pitch, b_pitch; /* from column to column */
} convk_fft_job_;
