/* ---- amplitudes: an atom and values of q ---- */

/* Adds an atom of weights w, one for each vector, to the sums of a list: with h half the phase, w sin(h)^2 and w sin(h) cos(h),
   of which exp(2 i h) - 1 = -2 sin(h)^2 + 2 i sin(h) cos(h) follows. */
CONVK_ELEMENT_ void convk_amplitudes_atom_(CONVK_V (*turns)[3], CONVK_V x, CONVK_V y, CONVK_V z, const CONVK_V *w, CONVK_V *re,
                                           CONVK_V *im, const int vectors_) {
  CONVK_V left[2], s[2], c[2];
  int v;
  CONVK_EACH_(v, vectors_)
    left[v] = convk_turn_left_(CONVK_FMA_(turns[v][2], z, CONVK_FMA_(turns[v][1], y, CONVK_MUL_(turns[v][0], x))));
  convk_half_turns_(left, s, c, vectors_);
  CONVK_EACH_(v, vectors_) {
    const CONVK_V part = CONVK_MUL_(w[v], s[v]);
    re[v] = CONVK_FMA_(part, s[v], re[v]);
    im[v] = CONVK_FMA_(part, c[v], im[v]);
  }
}

/* Weights of an atom at height z, one for each vector: w exp(decay z). */
CONVK_ELEMENT_ void convk_amplitudes_damped_(const CONVK_V *decay, CONVK_V z, CONVK_V w, CONVK_V *to, const int vectors_) {
  int v;
  CONVK_EACH_(v, vectors_) to[v] = CONVK_MUL_(decay[v], z);
  convk_vexp_of_(to, vectors_);
  CONVK_EACH_(v, vectors_) to[v] = CONVK_MUL_(w, to[v]);
}

/* Cosine and sine of 2 pi (turns + rest) at. */
CONVK_ELEMENT_ void convk_amplitudes_phase_(CONVK_V turns, CONVK_V rest, CONVK_V at, CONVK_V *c, CONVK_V *s) {
  CONVK_V sine, cosine, twice;
  convk_half_turn_(CONVK_FMA_(rest, at, convk_turn_product_left_(turns, at)), &sine, &cosine);
  twice = CONVK_ADD_(sine, sine);
  *c = CONVK_FNMA_(twice, sine, CONVK_SET_(1));
  *s = CONVK_MUL_(twice, cosine);
}

/* The factors of a pair of values, of their cosines and sines; and those of octants. */
CONVK_ELEMENT_ void convk_amplitudes_pair_(CONVK_V ec, CONVK_V es, CONVK_V fc, CONVK_V fs, CONVK_V *to) {
  to[0] = CONVK_FNMA_(es, fs, CONVK_MUL_(ec, fc));
  to[1] = CONVK_FMA_(ec, fs, CONVK_MUL_(es, fc));
}
CONVK_ELEMENT_ void convk_amplitudes_octants_(CONVK_V ec, CONVK_V es, CONVK_V fc, CONVK_V fs, CONVK_V *to) {
  to[0] = CONVK_MUL_(ec, fc);
  to[1] = CONVK_MUL_(es, fc);
  to[2] = CONVK_MUL_(ec, fs);
  to[3] = CONVK_MUL_(es, fs);
}
