/* Adds one triangle to the sums of one q, as devices do it.  scaled: what form_scaled makes of q; order: as form_order says, of
   which a compiler may know more or less; corners: 0 where it is surely 0, and u, w are not there. */
CONVK_ELEMENT_ void convk_formfactor_triangle_(const int corners, const int order, const CONVK_V *scaled, const CONVK_V *area,
                                               const CONVK_V *at, const CONVK_V *u, const CONVK_V *w, const int imag,
                                               CONVK_V *re, CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {
  const CONVK_V *turns = scaled, *along = scaled + 3, it[3] = {scaled[10], scaled[12], scaled[8]};
  const CONVK_V g = convk_formfactor_dot_(along, area), center = convk_formfactor_dot_(turns, at);
  const int full = imag && order; /* all components of q may be complex, else z alone */
  CONVK_V du[2] = {0, 0}, dw[2] = {0, 0}, a = 0, b = 0, s, c, loss = 0;
  if (corners) {
    du[0] = convk_formfactor_dot_(turns, u);
    dw[0] = convk_formfactor_dot_(turns, w);
    if (imag) du[1] = convk_formfactor_dot_(it, u);
    if (imag) dw[1] = convk_formfactor_dot_(it, w);
  }
  if (corners && order == CONVK_FORMFACTOR_MEAN_) {
    const CONVK_V middle[2] = {center, imag ? convk_formfactor_dot_(it, at) : 0};
    CONVK_V turned[3][2], p[3], q[3];
    int d, k;
    CONVK_EACH_(d, 1 + imag) {
      turned[0][d] = CONVK_ADD_(middle[d], du[d]);
      turned[1][d] = CONVK_ADD_(middle[d], dw[d]);
      turned[2][d] = CONVK_SUB_(middle[d], CONVK_ADD_(du[d], dw[d]));
    }
    CONVK_EACH_(k, 3) {
      convk_half_turn_(convk_turn_left_(turned[k][0]), &s, &c);
      if (imag) loss = convk_formfactor_half_loss_(convk_formfactor_exponent_(turned[k][1]));
      convk_formfactor_damp_(imag, loss, s, c, &p[k], &q[k]);
    }
    convk_formfactor_mean_((const CONVK_V(*)[2])turned, p, q, imag, &a, &b);
  } else {
    convk_half_turn_(convk_turn_left_(center), &s, &c);
    if (imag)
      loss = convk_formfactor_half_loss_(full ? convk_formfactor_exponent_(convk_formfactor_dot_(it, at))
                                              : CONVK_MUL_(scaled[6], at[2]));
    convk_formfactor_damp_(imag, loss, s, c, &a, &b);
    if (corners && imag && order) convk_formfactor_bend_(2, order, du, dw, 1, &a, &b);
    if (corners && !imag && order == 2) convk_formfactor_bend_(2, 2, du, dw, 0, &a, &b);
    if (corners && !imag && order == 4) convk_formfactor_bend_(4, 4, du, dw, 0, &a, &b);
    if (corners && !imag && order == 8) convk_formfactor_bend_(8, 8, du, dw, 0, &a, &b);
    if (corners && !imag && order > 8) convk_formfactor_bend_(16, order, du, dw, 0, &a, &b);
  }
  if (full) {
    const CONVK_V ia[3] = {scaled[9], scaled[11], scaled[7]};
    convk_formfactor_add_full_(1, g, convk_formfactor_dot_(ia, area), a, b, re, im);
  } else {
    convk_formfactor_add_(g, area[2], a, b, imag, re, im, re_z, im_z);
  }
}
