/* What a kernel of lists sums: n atoms of a block for nq vectors of q, both filled up to whole vectors.  Of complex q_z weights
   are times exp(decay z), and `damped` is their sum. */
typedef struct convk_amplitudes_part_ {
  size_t n, nq;
  const CONVK_T *at[3], *weight, *turns[3]; /* q.r = 2 pi sum of at turns */
  const CONVK_T *decay;                     /* NULL: q is real, and `damped` is not written */
  CONVK_T *re, *im, *damped;
} convk_amplitudes_part_;

/* Rows of a tensor grid and a block of atoms.  A row is a pair of values of q on two axes, with P = w E E of them; values on
   the third axis lie in the lanes.  A pair has 2 real factors, Re P and Im P, or where all axes have q and -q 4:
   w c c, w s c, w c s, w s s of the cosines and sines of its values.  Sums over atoms are of each factor times c, and times s,
   of the lanes. */
typedef struct convk_amplitudes_rows_ {
  size_t n, lanes, pitch; /* atoms; lanes, and those filled up */
  size_t pairs;
  int octant;
  const CONVK_T *phase;                                       /* of the lanes: per vector and atom, c and s */
  const CONVK_T *row_phase[CONVK_AMPLITUDES_FACTORS_ / 2][2]; /* of the pairs: c of a block, then s; times w of the second */
  CONVK_T *factors;                                           /* room for CONVK_AMPLITUDES_FACTORS_ blocks */
  double *sum;                                                /* per factor: c of the lanes, then s */
} convk_amplitudes_rows_;

/* What an instruction set offers; and what a device has in place of all of a call, of a list where `tensor` is 0. */
typedef struct convk_amplitudes_kernels_ {
  void (*list)(const convk_amplitudes_part_ *part);
  void (*lanes)(const CONVK_T *at, size_t n, const CONVK_T *turns, const CONVK_T *rest, size_t lanes, CONVK_T *phase);
  void (*row)(const CONVK_T *at, const CONVK_T *weight, size_t n, CONVK_T turns, CONVK_T rest, CONVK_T *phase);
  void (*rows)(const convk_amplitudes_rows_ *rows);
  int (*device)(convk *hw, const convk_atoms *atoms, int tensor, const convk_grid3 *grid, const convk_q *q,
                const convk_amplitude_options *options, CONVK_T *f, void *work, size_t work_size);
} convk_amplitudes_kernels_;
