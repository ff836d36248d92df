enum { CONVK_CHEBYSHEV_LEVELS_ = 4 }; /* steps of a sweep over memory, at most */

/* Which part of a spectrum chebyshev3d damps.
   degree     1 or more
   low, high  the interval whose states are damped: within [-1, 1] times what they were, less the larger the degree
   lowest     below low: what state keeps its magnitude, those above it in between */
typedef struct convk_chebyshev {
  int degree;
  double low, high, lowest;
} convk_chebyshev;

/* Chebyshev filter: out = T_m((H - c) / e) / T_m((lowest - c) / e) x, with H of sumconv3d and m = degree, which enlarges states
   below `low` beside those of [low, high] (Y. Zhou, Y. Saad, M. L. Tiago, J. R. Chelikowsky, J. Comput. Phys. 219, 172, 2006):
     x(1) = s(0) (H - c) x(0),   x(k+1) = s(k) (H - c) x(k) - d(k) x(k-1)
     c = (high + low) / 2,   e = (high - low) / 2,   sigma(1) = e / (lowest - c),   sigma(k+1) = 1 / (2 / sigma(1) - sigma(k))
     s(0) = sigma(1) / e,   s(k) = 2 sigma(k+1) / e,   d(k) = sigma(k) sigma(k+1)
   shape    as of sumconv3d; all axes periodic or with zero ends
   terms    as of sumconv3d; add NULL
   filter   see above
   in, out  x and the result.  In place: no
   work     chebyshev3d_work_size bytes, or NULL
   Hardware, threads: as sumconv3d.
   Errors: as sumconv3d; OPTION (also: terms->add, a degree below 1, high above low above lowest is not so), BOUNDARY (also: an
   axis that grows or shrinks), NONFINITE (also: of what is multiplied below).
   Bits: those of calls of sumconv3d, for step k with terms that are multiplied in doubles and rounded once each: taps of filter
   and imag, mixed and potential_factor s(k) times what they are, shift s(k) (shift - c), add x(k-1), add_factor -d(k), and for
   the first step no add; c, e, sigma, s and d in doubles, as they stand above.
   degree times the flops of sumconv3d.  Where arrays exceed the caches, and filters have at most 13 taps and no i or mixed
   terms, up to four steps are made in one sweep over memory, tile by tile: 1.2 to 1.4 times as fast as calls of sumconv3d. */
#define CONVK_OP_CHEBYSHEV3D_(op, kind, member) \
  op(sepconv, kind, member, chebyshev3d, \
     (convk * hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, const convk_chebyshev *filter, \
      const CONVK_T *in, CONVK_T *out, void *work, size_t work_size), \
     (hw, shape, terms, filter, in, out, work, work_size))
