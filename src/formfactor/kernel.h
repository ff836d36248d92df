#define CONVK_FORMFACTOR_V_ 2

/* The sum for so many vectors of q; element.h says of what.
   loss: (1 - e) / 2 of the triangles where all of these q have one imaginary part, or NULL.  A triangle's u and e
   are taken while the one before is summed: 5 to 12% faster. */
CONVK_INLINE_ void convk_formfactor_list_of_(const convk_formfactor_part_ *p, size_t i, const CONVK_T *loss, const int vectors_,
                                             const int imag, const int order) {
  const int full = imag && order; /* q in all components, else in z alone */
  const convk_any_ *ax = p->area[0], *ay = p->area[1], *az = p->area[2], *x = p->at[0], *y = p->at[1], *z = p->at[2];
  CONVK_V turns[CONVK_FORMFACTOR_V_][3], along[CONVK_FORMFACTOR_V_][3], decay[CONVK_FORMFACTOR_V_], it[CONVK_FORMFACTOR_V_][3],
      ia[CONVK_FORMFACTOR_V_][3];
  CONVK_V left[CONVK_FORMFACTOR_V_], gone[CONVK_FORMFACTOR_V_];
  CONVK_V re[CONVK_FORMFACTOR_V_], im[CONVK_FORMFACTOR_V_], re_z[CONVK_FORMFACTOR_V_], im_z[CONVK_FORMFACTOR_V_];
  size_t t;
  int v, d;
  CONVK_UNROLL_
  for (v = 0; v < vectors_; v++, i += CONVK_LANES) {
    const CONVK_V first[3] = {CONVK_SET_(x[0]), CONVK_SET_(y[0]), CONVK_SET_(z[0])};
    CONVK_EACH_(d, 3) {
      turns[v][d] = CONVK_LOAD_(p->turns[d] + i);
      along[v][d] = CONVK_LOAD_(p->along[d] + i);
    }
    re[v] = im[v] = re_z[v] = im_z[v] = gone[v] = CONVK_SET_(0);
    left[v] = convk_turn_left_(convk_formfactor_dot_(turns[v], first));
    if (imag) {
      if (full)
        CONVK_EACH_(d, 3) {
          it[v][d] = CONVK_LOAD_(p->imag_turns[d] + i);
          ia[v][d] = CONVK_LOAD_(p->imag_along[d] + i);
        }
      decay[v] = CONVK_LOAD_(p->decay + i);
      gone[v] = convk_formfactor_half_loss_(full ? convk_formfactor_exponent_(convk_formfactor_dot_(it[v], first))
                                                 : CONVK_MUL_(decay[v], first[2]));
    }
  }
  for (t = 0; t < p->n; t++) {
    const size_t next = t + 1 < p->n ? t + 1 : t;
    const CONVK_V at[3] = {CONVK_SET_(x[next]), CONVK_SET_(y[next]), CONVK_SET_(z[next])};
    const CONVK_V area[3] = {CONVK_SET_(ax[t]), CONVK_SET_(ay[t]), CONVK_SET_(az[t])};
    CONVK_V g[CONVK_FORMFACTOR_V_], s[CONVK_FORMFACTOR_V_], c[CONVK_FORMFACTOR_V_], a[CONVK_FORMFACTOR_V_],
        b[CONVK_FORMFACTOR_V_];
    CONVK_EACH_(v, vectors_) g[v] = convk_formfactor_dot_(along[v], area);
    convk_half_turns_(left, s, c, vectors_);
    CONVK_EACH_(v, vectors_) left[v] = convk_turn_left_(convk_formfactor_dot_(turns[v], at));
    CONVK_EACH_(v, vectors_) {
      convk_formfactor_damp_(imag, imag && loss ? CONVK_SET_(loss[t]) : gone[v], s[v], c[v], &a[v], &b[v]);
      if (full) gone[v] = convk_formfactor_exponent_(convk_formfactor_dot_(it[v], at));
      else if (imag) gone[v] = CONVK_MUL_(decay[v], at[2]);
    }
    if (imag) convk_formfactor_half_losses_(gone, vectors_);
    if (order)
      CONVK_EACH_(v, vectors_) {
        const CONVK_V u[3] = {CONVK_SET_(p->u[0][t]), CONVK_SET_(p->u[1][t]), CONVK_SET_(p->u[2][t])};
        const CONVK_V w[3] = {CONVK_SET_(p->w[0][t]), CONVK_SET_(p->w[1][t]), CONVK_SET_(p->w[2][t])};
        const CONVK_V du[2] = {convk_formfactor_dot_(turns[v], u), full   ? convk_formfactor_dot_(it[v], u)
                                                                   : imag ? CONVK_MUL_(it[v][2], u[2])
                                                                          : g[v]};
        const CONVK_V dw[2] = {convk_formfactor_dot_(turns[v], w), full   ? convk_formfactor_dot_(it[v], w)
                                                                   : imag ? CONVK_MUL_(it[v][2], w[2])
                                                                          : g[v]};
        convk_formfactor_bend_(order, p->order, du, dw, imag, &a[v], &b[v]);
      }
    CONVK_EACH_(v, vectors_) {
      if (full) convk_formfactor_add_full_(1, g[v], convk_formfactor_dot_(ia[v], area), a[v], b[v], &re[v], &im[v]);
      else convk_formfactor_add_(g[v], area[2], a[v], b[v], imag, &re[v], &im[v], &re_z[v], &im_z[v]);
    }
  }
  CONVK_UNROLL_
  for (v = vectors_ - 1; v >= 0; v--) {
    i -= CONVK_LANES;
    if (imag && !full) {
      const CONVK_V along_z = CONVK_LOAD_(p->imag_along[2] + i);
      re[v] = CONVK_FNMA_(along_z, re_z[v], re[v]);
      im[v] = CONVK_FMA_(along_z, im_z[v], im[v]);
    }
    CONVK_STORE_(p->re + i, re[v]);
    CONVK_STORE_(p->im + i, im[v]);
  }
}

/* Whether so many vectors have one imaginary part, as the rows of a detector do: then what the triangles lose, once for all. */
CONVK_INLINE_ int convk_formfactor_loss_(const convk_formfactor_part_ *p, size_t i, const int vectors_, CONVK_T *loss) {
  const CONVK_T *z = (const CONVK_T *)(const void *)p->at[2];
  const CONVK_V decay = CONVK_SET_(p->decay[i]);
  size_t k;
  for (k = 1; k < (size_t)vectors_ * CONVK_LANES; k++)
    if (p->decay[i + k] < p->decay[i] || p->decay[i + k] > p->decay[i]) return 0;
  for (k = 0; k + CONVK_LANES <= p->n; k += CONVK_LANES)
    CONVK_STORE_(loss + k, convk_formfactor_half_loss_(CONVK_MUL_(decay, CONVK_LOAD_(z + k))));
  if (k < p->n)
    CONVK_STOREK_(loss + k, convk_formfactor_half_loss_(CONVK_MUL_(decay, CONVK_LOADK_(z + k, p->n - k))), p->n - k);
  return 1;
}

#if CONVK_TERSE_
static void convk_formfactor_list_(const convk_formfactor_part_ *p) {
  size_t i;
  for (i = 0; i < p->nq; i += CONVK_LANES)
    if (p->imag && p->order) convk_formfactor_list_of_(p, i, NULL, 1, 1, 2);
    else if (p->imag) convk_formfactor_list_of_(p, i, NULL, 1, 1, 0);
    else if (p->order) convk_formfactor_list_of_(p, i, NULL, 1, 0, p->order);
    else convk_formfactor_list_of_(p, i, NULL, 1, 0, 0);
  CONVK_LEAVE_
}
#else
static void convk_formfactor_list_(const convk_formfactor_part_ *p) {
  enum { vectors_ = CONVK_REGISTERS_ > 16 || !CONVK_FUSES_ ? CONVK_FORMFACTOR_V_ : 1 };
  CONVK_T loss[CONVK_FORMFACTOR_TRIANGLES_];
  const size_t step = (p->order ? 1 : CONVK_FORMFACTOR_V_) * CONVK_LANES;
  size_t i, k;
  for (i = 0; i < p->nq; i += step)
    if (p->order) { /* one vector of q at a time: more of them are rarely faster, and a text less to compile */
      if (p->imag) convk_formfactor_list_of_(p, i, NULL, 1, 1, 2); /* and any above */
      else if (p->order == 2) convk_formfactor_list_of_(p, i, NULL, 1, 0, 2);
      else if (p->order == 4) convk_formfactor_list_of_(p, i, NULL, 1, 0, 4);
      else if (p->order == 8) convk_formfactor_list_of_(p, i, NULL, 1, 0, 8);
      else convk_formfactor_list_of_(p, i, NULL, 1, 0, 16);
    } else if (p->imag && convk_formfactor_loss_(p, i, CONVK_FORMFACTOR_V_, loss)) {
      convk_formfactor_list_of_(p, i, loss, CONVK_FORMFACTOR_V_, 1, 0);
    } else { /* exponentials of two vectors together, or all of two without as many registers, wait for each other's places */
      for (k = 0; p->imag && k < CONVK_FORMFACTOR_V_; k++) convk_formfactor_list_of_(p, i + k * CONVK_LANES, NULL, 1, 1, 0);
      for (k = 0; !p->imag && k < CONVK_FORMFACTOR_V_; k += vectors_)
        convk_formfactor_list_of_(p, i + k * CONVK_LANES, NULL, vectors_, 0, 0);
    }
  CONVK_LEAVE_
}

#endif

/* The exact sum for one vector of q: sines and cosines at the vertices, then faces. */
CONVK_INLINE_ void convk_formfactor_faces_of_(const convk_formfactor_part_ *p, size_t i, CONVK_V *phase, const int imag) {
  const convk_any_ *x = p->vertex[0], *y = p->vertex[1], *z = p->vertex[2];
  const unsigned short *corner = p->corner;
  const CONVK_V zero = CONVK_SET_(0);
  CONVK_V turns[3], along[3], it[3], ia[3], re = zero, im = zero;
  size_t t;
  int d, k;
  CONVK_EACH_(d, 3) {
    turns[d] = CONVK_LOAD_(p->turns[d] + i);
    along[d] = CONVK_LOAD_(p->along[d] + i);
    it[d] = ia[d] = zero;
    if (imag) {
      it[d] = CONVK_LOAD_(p->imag_turns[d] + i);
      ia[d] = CONVK_LOAD_(p->imag_along[d] + i);
    }
  }
  for (t = 0; t < p->vertices; t++) {
    const CONVK_V at[3] = {CONVK_SET_(x[t]), CONVK_SET_(y[t]), CONVK_SET_(z[t])};
    CONVK_V s, c, loss = zero, *to = phase + 4 * t;
    to[0] = convk_formfactor_dot_(turns, at);
    convk_half_turn_(convk_turn_left_(to[0]), &s, &c);
    if (imag) {
      to[1] = convk_formfactor_dot_(it, at);
      loss = convk_formfactor_half_loss_(convk_formfactor_exponent_(to[1]));
    }
    convk_formfactor_damp_(imag, loss, s, c, &to[2], &to[3]);
  }
  for (t = 0; t < p->n; t++, corner += 3) {
    const CONVK_V area[3] = {CONVK_SET_(p->area[0][t]), CONVK_SET_(p->area[1][t]), CONVK_SET_(p->area[2][t])};
    CONVK_V u[3][2], a[3], b[3], mean_a = zero, mean_b = zero;
    CONVK_EACH_(k, 3) {
      const CONVK_V *from = phase + 4 * (size_t)corner[k];
      u[k][0] = from[0];
      if (imag) u[k][1] = from[1];
      a[k] = from[2];
      b[k] = from[3];
    }
    convk_formfactor_mean_((const CONVK_V(*)[2])u, a, b, imag, &mean_a, &mean_b);
    convk_formfactor_add_full_(imag, convk_formfactor_dot_(along, area), imag ? convk_formfactor_dot_(ia, area) : area[0],
                               mean_a, mean_b, &re, &im);
  }
  CONVK_STORE_(p->re + i, re);
  CONVK_STORE_(p->im + i, im);
}

static void convk_formfactor_faces_(const convk_formfactor_part_ *p) {
  CONVK_V phase[4 * CONVK_FORMFACTOR_VERTICES_];
  size_t i;
  for (i = 0; i < p->nq; i += CONVK_LANES)
    if (p->imag) convk_formfactor_faces_of_(p, i, phase, 1);
    else convk_formfactor_faces_of_(p, i, phase, 0);
  CONVK_LEAVE_
}

/* E of the lanes and their moments, for a block of triangles. */
static void convk_formfactor_lanes_(const convk_formfactor_tile_ *p) {
  const CONVK_V one = CONVK_SET_(1);
  CONVK_T *phase = p->phase;
  size_t i, t;
  int d;
  for (i = 0; i < p->lanes; i += CONVK_LANES) {
    const CONVK_V turns = CONVK_LOAD_(p->turns + i);
    CONVK_V re[3], im[3];
    for (d = 0; d < 3; d++) re[d] = im[d] = CONVK_SET_(0);
    for (t = 0; t < CONVK_FORMFACTOR_BLOCK_; t++, phase += 2 * CONVK_LANES) {
      CONVK_V s, c, a, b;
      convk_half_turn_(convk_turn_product_left_(turns, CONVK_SET_(p->at[0][t])), &s, &c);
      convk_formfactor_damp_(0, one, s, c, &a, &b);
      CONVK_STORE_(phase, CONVK_SUB_(one, CONVK_ADD_(a, a)));
      CONVK_STORE_(phase + CONVK_LANES, CONVK_ADD_(b, b));
      CONVK_EACH_(d, 3) {
        const CONVK_V area = CONVK_SET_(p->area[d][t]);
        re[d] = CONVK_FMA_(area, a, re[d]);
        im[d] = CONVK_FMA_(area, b, im[d]);
      }
    }
    for (d = 0; d < 3; d++) {
      CONVK_STORE_(p->moment + 2 * (size_t)d * p->lanes + i, re[d]);
      CONVK_STORE_(p->moment + (2 * (size_t)d + 1) * p->lanes + i, im[d]);
    }
  }
  CONVK_LEAVE_
}

/* E - 1 of one value of q of the rows, for the coordinates of a block: real parts, then imaginary parts. */
static void convk_formfactor_row_(const CONVK_T *at, CONVK_T turns, int imag, CONVK_T decay, CONVK_T *phase) {
  const CONVK_V zero = CONVK_SET_(0);
  size_t t;
  for (t = 0; t < CONVK_FORMFACTOR_BLOCK_; t += CONVK_LANES) {
    const CONVK_V r = CONVK_LOAD_(at + t);
    CONVK_V s, c, a, b, loss = zero;
    convk_half_turn_(convk_turn_product_left_(CONVK_SET_(turns), r), &s, &c);
    if (imag) loss = convk_formfactor_half_loss_(CONVK_MUL_(CONVK_SET_(decay), r));
    convk_formfactor_damp_(imag, loss, s, c, &a, &b);
    CONVK_STORE_(phase + t, CONVK_SUB_(zero, CONVK_ADD_(a, a)));
    CONVK_STORE_(phase + CONVK_FORMFACTOR_BLOCK_ + t, CONVK_ADD_(b, b));
  }
  CONVK_LEAVE_
}

/* The factors of E_lane of one row. */
CONVK_INLINE_ void convk_formfactor_row_terms_(const convk_formfactor_tile_ *p, int r, const int fourth_order) {
  const size_t count = fourth_order ? 8 : 4;
  const CONVK_V q[2] = {CONVK_SET_(p->row_q[r][0]), CONVK_SET_(p->row_q[r][1])};
  const CONVK_V imag[2] = {CONVK_SET_(p->row_imag[r][0]), CONVK_SET_(p->row_imag[r][1])};
  const CONVK_T *e = p->row_phase[r][0], *f = p->row_phase[r][1];
  CONVK_T *to = p->terms + count * CONVK_FORMFACTOR_BLOCK_ * (size_t)r;
  size_t t, k;
  for (t = 0; t < CONVK_FORMFACTOR_BLOCK_; t += CONVK_LANES, to += CONVK_LANES) {
    const CONVK_V area[3] = {CONVK_LOAD_(p->area[0] + t), CONVK_LOAD_(p->area[1] + t), CONVK_LOAD_(p->area[2] + t)};
    CONVK_V corner[6], term[8];
    CONVK_EACH_(k, 6) corner[k] = fourth_order ? CONVK_LOAD_(p->corner[k] + t) : area[0];
    convk_formfactor_terms_(q, imag, area, corner, CONVK_SET_(p->per), CONVK_LOAD_(e + t),
                            CONVK_LOAD_(e + CONVK_FORMFACTOR_BLOCK_ + t), CONVK_LOAD_(f + t),
                            CONVK_LOAD_(f + CONVK_FORMFACTOR_BLOCK_ + t), fourth_order, term);
    CONVK_EACH_(k, count) CONVK_STORE_(to + k * CONVK_FORMFACTOR_BLOCK_, term[k]);
  }
}

/* The product for the four rows and so many vectors of lanes from i on, with `count` factors. */
CONVK_INLINE_ void convk_formfactor_product_(const convk_formfactor_tile_ *p, size_t i, const int vectors_, const int count) {
  const CONVK_T *phase = p->phase + 2 * CONVK_FORMFACTOR_BLOCK_ * i, *terms = p->terms;
  CONVK_V q[CONVK_FORMFACTOR_V_], re[CONVK_FORMFACTOR_ROWS_][CONVK_FORMFACTOR_V_],
      im[CONVK_FORMFACTOR_ROWS_][CONVK_FORMFACTOR_V_];
  size_t t, h;
  int v, r, k;
  CONVK_EACH_(v, vectors_) {
    q[v] = CONVK_LOAD_(p->q + i + (size_t)v * CONVK_LANES);
    CONVK_EACH_(r, CONVK_FORMFACTOR_ROWS_) re[r][v] = im[r][v] = CONVK_SET_(0);
  }
  for (t = 0; t < CONVK_FORMFACTOR_BLOCK_; t++, terms++, phase += 2 * CONVK_LANES) {
    CONVK_EACH_(r, CONVK_FORMFACTOR_ROWS_) {
      CONVK_V term[8];
      CONVK_EACH_(k, 2 * count) term[k] = CONVK_SET_(terms[(2 * count * r + k) * (int)CONVK_FORMFACTOR_BLOCK_]);
      CONVK_EACH_(v, vectors_) {
        const CONVK_V er = CONVK_LOAD_(phase + 2 * CONVK_FORMFACTOR_BLOCK_ * CONVK_LANES * (size_t)v);
        const CONVK_V ei = CONVK_LOAD_(phase + 2 * CONVK_FORMFACTOR_BLOCK_ * CONVK_LANES * (size_t)v + CONVK_LANES);
        convk_formfactor_multiply_(q[v], term, count, er, ei, &re[r][v], &im[r][v]);
      }
    }
  }
  CONVK_EACH_(r, CONVK_FORMFACTOR_ROWS_)
    CONVK_EACH_(v, vectors_)
      for (h = 0; h < CONVK_LANES / CONVK_DLANES_; h++) {
        double *sum = p->sum[r] + i + (size_t)v * CONVK_LANES + h * CONVK_DLANES_;
        CONVK_DSTORE_(sum, CONVK_DADD_(CONVK_DLOAD_(sum), CONVK_DPART_(re[r][v], h)));
        CONVK_DSTORE_(sum + p->lanes, CONVK_DADD_(CONVK_DLOAD_(sum + p->lanes), CONVK_DPART_(im[r][v], h)));
      }
}

static void convk_formfactor_rows_(const convk_formfactor_tile_ *p) {
  /* two vectors read the factors half as often, but need more registers; of fourth order, fused, one is enough */
  enum { tail_ = CONVK_FORMFACTOR_V_ * CONVK_LANES > CONVK_FORMFACTOR_QUANTUM_ };
  enum {
    vectors_ = CONVK_REGISTERS_ > 16 || !CONVK_FUSES_ ? CONVK_FORMFACTOR_V_ : 1,
    fourth_vectors_ = CONVK_FUSES_ != 0 || tail_ != 0 ? 1 : CONVK_FORMFACTOR_V_
  };
  size_t i = 0;
  int r;
  for (r = 0; r < CONVK_FORMFACTOR_ROWS_; r++) {
    if (p->fourth_order) convk_formfactor_row_terms_(p, r, 1);
    else convk_formfactor_row_terms_(p, r, 0);
  }
  for (; p->fourth_order && i < p->lanes; i += fourth_vectors_ * CONVK_LANES)
    convk_formfactor_product_(p, i, fourth_vectors_, 4);
  for (; i + vectors_ * CONVK_LANES <= p->lanes; i += vectors_ * CONVK_LANES) convk_formfactor_product_(p, i, vectors_, 2);
  for (; tail_ && i < p->lanes; i += CONVK_LANES) convk_formfactor_product_(p, i, 1, 2);
  CONVK_LEAVE_
}

CONVK_LOCAL_ const convk_formfactor_kernels_ *convk_formfactor_kernel_table_(void) {
  static const convk_formfactor_kernels_ kernels = {convk_formfactor_list_, convk_formfactor_faces_, convk_formfactor_lanes_,
                                                    convk_formfactor_row_, convk_formfactor_rows_};
  return &kernels;
}
