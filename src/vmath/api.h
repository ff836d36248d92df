/* y[i] = exp(x[i]) for i = 0 .. n - 1.
   n      any, also 0
   x, y   of n elements at any alignment.  In place: y == x; else they must not overlap.
   Threads: chunks of at least 16384 elements; what is less stays on the caller's thread.
   Errors: NULL, OVERFLOW, OVERLAP, HANDLE, THREADS.
   Special values: NaN gives NaN, +inf and what lies above 88.7228 (f32) or 709.7827 (f64) +inf, -inf and what lies below
   -103.9721 or -745.1332 +0, both zeros 1.
   Accuracy: 1 ulp, in the fused class 0.92, also where the result is subnormal.  A result depends on its argument alone;
   the variants of a class agree to the last bit.
   Results that are subnormal, or 0 because they are too small, are made without operations on subnormal numbers: they take
   about half as long again, and no more, on processors that are slow at those. */
CONVK_OPERATION_ int convk_exp(convk *hw, size_t n, const CONVK_T *x, CONVK_T *y);

/* y[i] = exp(x[i]) - 1, without the loss of digits where x[i] is small.
   Special values: NaN gives NaN, +inf and what lies above 88.7228 or 709.7827 +inf, -inf -1, a zero itself.
   Accuracy: 0.95 ulp.
   Everything else as exp. */
CONVK_OPERATION_ int convk_expm1(convk *hw, size_t n, const CONVK_T *x, CONVK_T *y);

/* y[i] = log(x[i]), the natural logarithm.
   Special values: NaN and what lies below 0 give NaN, both zeros -inf, +inf itself, 1 gives +0.
   Accuracy: 1 ulp, in the fused class 0.93, for subnormal arguments too.
   Everything else as exp. */
CONVK_OPERATION_ int convk_log(convk *hw, size_t n, const CONVK_T *x, CONVK_T *y);

/* s[i] = sin(x[i]) and c[i] = cos(x[i]).
   s, c   of n elements; either may be x itself (in place), else no two of the three may overlap.
   Special values: NaN and infinities give NaN, a zero itself and 1.
   Accuracy: 0.85 ulp for every argument.  Beyond 131072 (f32) or 2^30 (f64) a vector takes some hundred times as long.
   Everything else as exp. */
CONVK_OPERATION_ int convk_sincos(convk *hw, size_t n, const CONVK_T *x, CONVK_T *s, CONVK_T *c);
