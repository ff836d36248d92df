/* What kernels need of a q, and F from what they sum: once for drivers of processors, OpenCL and CUDA, in doubles (on a device
   without them in its floats), which CONVK_R is.  q: x, y, z, and the imaginary parts of z, x, y. */
#ifdef CONVK_PASS_
#define CONVK_R double
#define CONVK_ROF_(f32, f64) f64
#if CONVK_PASS_ == CONVK_PASS_DRIVER_ /* which has no words of its own */
#define CONVK_ELEMENT_ CONVK_LOCAL_
#define CONVK_ADD_(a, b) ((a) + (b))
#define CONVK_MUL_(a, b) ((a) * (b))
#define CONVK_DIV_(a, b) ((a) / (b))
#define CONVK_ROOT_(x) convk_sqrt_(x)
#else
#define CONVK_RBITS_(x) convk_cuda_bits_(x)
#define CONVK_RREAL_(u) convk_cuda_real_((uint64_t)(u))
#endif
#endif

/* As convk_sqrt_, once for both precisions. */
#ifndef CONVK_ROOT_
#ifndef CONVK_FORMFACTOR_ROOT_
#define CONVK_FORMFACTOR_ROOT_
CONVK_ELEMENT_ CONVK_R convk_formfactor_root_(CONVK_R x) {
  CONVK_R y;
  int i;
  if (!(x > 0)) return 0;
  y = CONVK_RREAL_((CONVK_RBITS_(x) >> 1) + ((uint64_t)1023 << 51));
  for (i = 0; i < 5; i++) y = CONVK_MUL_(0.5, CONVK_ADD_(y, CONVK_DIV_(x, y)));
  return y;
}
#endif
#define CONVK_ROOT_(x) convk_formfactor_root_(x)
#endif

#define CONVK_FORMFACTOR_MINUS_(x) \
  CONVK_MUL_(-1, x) /* clang 14 lets -ffast-math have its way with a sign, wherever it stands */
#define CONVK_FORMFACTOR_SQUARE_(q) \
  CONVK_ADD_( \
      CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(CONVK_MUL_(q[0], q[0]), CONVK_MUL_(q[1], q[1])), CONVK_MUL_(q[2], q[2])), \
                            CONVK_MUL_(q[3], q[3])), \
                 CONVK_MUL_(q[4], q[4])), \
      CONVK_MUL_(q[5], q[5]))
#define CONVK_FORMFACTOR_TURN_ CONVK_ROF_(0.15915494f, 0.15915494309189535) /* 1 / (2 pi) */
#define CONVK_FORMFACTOR_DECAY_ CONVK_ROF_(-1.442695f, -1.4426950408889634) /* - log2 e */

/* q / (2 pi), q / |q|, - imag log2 e, imag / |q|, imag / (2 pi) of z, then the last two of x and y.  norm: |q| */
CONVK_ELEMENT_ void convk_formfactor_scaled_(const CONVK_R *q, CONVK_T *scaled, CONVK_R *norm) {
  const CONVK_R root = CONVK_ROOT_(CONVK_FORMFACTOR_SQUARE_(q)), per = root > 0 ? CONVK_DIV_(1, root) : 0;
  int d;
  CONVK_EACH_(d, 3) {
    scaled[d] = (CONVK_T)CONVK_MUL_(q[d], CONVK_FORMFACTOR_TURN_);
    scaled[3 + d] = (CONVK_T)CONVK_MUL_(q[d], per);
  }
  scaled[6] = (CONVK_T)CONVK_MUL_(q[3], CONVK_FORMFACTOR_DECAY_);
  scaled[7] = (CONVK_T)CONVK_MUL_(q[3], per);
  scaled[8] = (CONVK_T)CONVK_MUL_(q[3], CONVK_FORMFACTOR_TURN_);
  *norm = root;
  CONVK_EACH_(d, 2) {
    scaled[9 + 2 * d] = (CONVK_T)CONVK_MUL_(q[4 + d], per);
    scaled[10 + 2 * d] = (CONVK_T)CONVK_MUL_(q[4 + d], CONVK_FORMFACTOR_TURN_);
  }
}

/* The order of the series that leaves no more of F(0) than is allowed, or CONVK_FORMFACTOR_MEAN_.  With g = |q| edge, the mean
   of exp(i q.r) over a triangle lacks less than c g^n after an order, and F that times area / (|q| volume): c g^(n - 1) is
   compared with m->limit, what is allowed times volume / (area edge). */
CONVK_ELEMENT_ void convk_formfactor_order_(const convk_formfactor_body_ *m, CONVK_R norm, CONVK_T *order) {
  const CONVK_R g = CONVK_MUL_(norm, m->edge), g2 = CONVK_MUL_(g, g), g4 = CONVK_MUL_(g2, g2);
  const CONVK_R g5 = CONVK_MUL_(g4, g), g9 = CONVK_MUL_(g5, g4);
  int k = CONVK_FORMFACTOR_MEAN_;
  if (CONVK_MUL_(CONVK_MUL_(CONVK_ROF_(2.5e-22f, 2.5e-22), CONVK_MUL_(g9, g4)), g4) <= m->limit && g < 4) k = 16;
  if (CONVK_MUL_(CONVK_ROF_(1.5e-16f, 1.5e-16), CONVK_MUL_(g9, g4)) <= m->limit) k = 12;
  if (CONVK_MUL_(CONVK_ROF_(3.3e-11f, 3.3e-11), g9) <= m->limit) k = 8;
  if (CONVK_MUL_(CONVK_ROF_(2.2e-6f, 2.2e-6), g5) <= m->limit) k = 4;
  if (CONVK_MUL_(CONVK_ROF_(3.2e-3f, 3.2e-3), g2) <= m->limit) k = 2;
  if (CONVK_MUL_(CONVK_ROF_(0.0278f, 0.0278), g) <= m->limit) k = 0;
  *order = (CONVK_T)(k < m->least ? m->least : k);
}

/* The same of a value on one axis of a grid. */
CONVK_ELEMENT_ void convk_formfactor_rate_(CONVK_R q, CONVK_R imag, CONVK_T *turns, CONVK_T *decay) {
  *turns = (CONVK_T)CONVK_MUL_(q, CONVK_FORMFACTOR_TURN_);
  *decay = (CONVK_T)CONVK_MUL_(imag, CONVK_FORMFACTOR_DECAY_);
}

/* F from re + i im, the sum of conj(q).a (exp(i q.r) - 1).  The volume where phases vanish. */
CONVK_ELEMENT_ void convk_formfactor_value_(const convk_formfactor_body_ *m, const CONVK_R *q, CONVK_R re, CONVK_R im,
                                            CONVK_T *f) {
  const CONVK_R square = CONVK_FORMFACTOR_SQUARE_(q);
  CONVK_R real = m->volume, imag = 0;
  if (CONVK_MUL_(CONVK_MUL_(square, m->extent), m->extent) > CONVK_OF_(1e-18f, 1e-36)) {
    real = CONVK_DIV_(im, square);
    imag = CONVK_DIV_(CONVK_FORMFACTOR_MINUS_(re), square);
  }
  if (!m->closed && square > 0) { /* exp(i q.r) without the -1 */
    const CONVK_R flow =
        CONVK_ADD_(CONVK_ADD_(CONVK_MUL_(q[0], m->gap[0]), CONVK_MUL_(q[1], m->gap[1])), CONVK_MUL_(q[2], m->gap[2]));
    real = CONVK_ADD_(real, CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(CONVK_DIV_(q[3], square), m->gap[2])));
    real = CONVK_ADD_(real, CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(CONVK_DIV_(q[4], square), m->gap[0])));
    real = CONVK_ADD_(real, CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(CONVK_DIV_(q[5], square), m->gap[1])));
    imag = CONVK_ADD_(imag, CONVK_FORMFACTOR_MINUS_(CONVK_DIV_(flow, square)));
  }
  f[0] = (CONVK_T)real;
  f[1] = (CONVK_T)imag;
}

/* F from the kernel's sums over a list, which are of q / |q| and half of exp(i q.r) - 1.  norm: |q| */
CONVK_ELEMENT_ void convk_formfactor_list_value_(const convk_formfactor_body_ *m, const CONVK_R *q, CONVK_R norm, CONVK_R re,
                                                 CONVK_R im, CONVK_T *f) {
  const CONVK_R twice = CONVK_MUL_(2, norm);
  convk_formfactor_value_(m, q, CONVK_MUL_(-twice, re), CONVK_MUL_(twice, im), f);
}

/* F from a grid's sums and the moments of the lanes' axis.  own: q on the axes of the grid, which are x, y, z as `axis` says, z
   being the complex one, or 3. */
CONVK_ELEMENT_ void convk_formfactor_grid_value_(const convk_formfactor_body_ *m, const int *axis, int z, const CONVK_R *own,
                                                 const CONVK_R *moment, CONVK_R re, CONVK_R im, CONVK_T *f) {
  CONVK_R q[6];
  int d;
  q[0] = q[1] = q[2] = q[4] = q[5] = 0;
  q[3] = own[3];
  CONVK_EACH_(d, 3) {
    const CONVK_R real = CONVK_MUL_(-2, moment[2 * d]), imag = CONVK_MUL_(2, moment[2 * d + 1]);
    if (axis[d] == 0) q[0] = own[d]; /* no index that is known late: registers have none */
    else if (axis[d] == 1) q[1] = own[d];
    else q[2] = own[d];
    re = CONVK_ADD_(re, CONVK_ADD_(CONVK_MUL_(own[d], real), d == z ? CONVK_MUL_(q[3], imag) : 0));
    im = CONVK_ADD_(im, CONVK_ADD_(CONVK_MUL_(own[d], imag), d == z ? CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(q[3], real)) : 0));
  }
  convk_formfactor_value_(m, q, re, im, f);
}

#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_
#undef CONVK_ELEMENT_
#undef CONVK_ADD_
#undef CONVK_MUL_
#undef CONVK_DIV_
#endif
#undef CONVK_R
#undef CONVK_ROF_
#undef CONVK_RBITS_
#undef CONVK_RREAL_
#undef CONVK_ROOT_
#undef CONVK_FORMFACTOR_MINUS_
#undef CONVK_FORMFACTOR_SQUARE_
#undef CONVK_FORMFACTOR_TURN_
#undef CONVK_FORMFACTOR_DECAY_
