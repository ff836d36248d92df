/* ---- the contract of words ----
   A kernel pass needs these words, CONVK_LOAD_ and so on.  A module defines them for its vectors, those that both precisions
   share once: CONVK_MORE_ keeps them for another pass.  Here, at the end of a pass, what is missing is an error, and all go.
     V, LANES                         the vector type and its number of elements
     LOAD(p), STORE(p, v)             at any alignment;  LOADK(p, k), STOREK(p, v, k): the first k <= LANES elements only,
                                      the others are 0 and untouched
     STREAM(p, v), FENCE              store past the cache, p aligned to 64 bytes; ends such stores
     SET(x), ADD(a, b), MUL(a, b), FMA(a, b, c)  a in every lane; a + b; a b; a b + c, fused where the class is
     FNMA(a, b, c), FMS(a, b, c)      c - a b and a b - c in the same way
     FUSES                            1 where FMA rounds once, 0 where it rounds twice
     REGISTERS                        vectors that a processor keeps, about
     SUB, DIV, MIN, MAX (a, b)        the last two are b where one of them is NaN
     LESS(a, b, x, y), ANY_LESS(a, b) x where a < b, y elsewhere; whether a < b anywhere;  WHICH_LESS(a, b): bits of the lanes where it is
     AND, OR, XOR, IADD, ISUB (a, b), SHL(a, k), SHR(a, k), BITS(u)  of the elements' bits, as unsigned integers of their size
     SCALE(v, n)                      v 2^n, with one rounding, where an instruction does it for all n
     NEARER(a, b)                     with SCALE: the sign of a and the smaller magnitude, b's where a is NaN
     LEFT(u)                          u less the nearest integer, of finite u, where one instruction does it
     MANTISSA(x), EXPONENT(x)         where instructions give them: m of x = 2^k m with 3/4 <= m < 3/2, and the e of 2^e <= x
     LOG_ENDS(y, x)                   with them: y, but the logarithm itself of all x that are not positive and finite
     BEFORE(p, u, v), AFTER(p, v, w)  what lies at p - 1 and at p + 1, where v lies at p, u before and w after it; u may have
                                      only its last element right
     BESIDE(p, ld), STORE_BESIDE(p, ld, v)   steps of ROW_BESIDE rows at p, p + ld .. beside each other in a vector; to such rows
     WINDOW(p, here, next, k)         the same from p + k on, k less than a step, by loads or from the vectors at p and a step later
     TRANSPOSE(v)                     of LANES vectors, in place;  TRANSPOSE_FROM(row, v): of what lies at row[0] ..; may be missing
     UNZIP(v), ZIP(v)                 two vectors of pairs become those of first and of second elements, in place; and back
     D, DLANES, DPART(v, h), DFMA, DADD, DZERO, DSET(x), DLOAD(p), DSTORE(p, d)   doubles for sums: part h of v as a vector of DLANES doubles;
                                      JOIN(d): the vector whose parts are d[0] ..
     KEEP(v), REREAD(f)               v is due in a register now; taps f come from memory again: compilers that put off one
                                      sum or hoist all taps spill sums instead (1.5 times as slow with 16 registers)
     LEAVE                            ends a kernel (vzeroupper)
     TILE_OUT, TILE_VEC               register tile of `columns`, outputs x vectors, or 0 where pairs are as fast;  TILE_16: 1 where 16 taps stay in registers too
     ROW_ROWS                         rows of a register tile of `rows` for 16 taps, 0 where the general text is as fast: a vector
                                      holds steps of ROW_BESIDE of them, and 16 / step sums for each vector hide latencies */
#if CONVK_PASS_ == CONVK_PASS_KERNEL_
#if !(defined CONVK_V && defined CONVK_LANES && defined CONVK_HW_ && defined CONVK_KERNEL_ && defined CONVK_ELEMENT_ \
      && defined CONVK_ELEMENT_RARE_ && defined CONVK_CONSTANT_ && defined CONVK_BOTH_ && defined CONVK_TO_BITS_ && \
      defined CONVK_FROM_BITS_)
#error "a kernel pass lacks one of these words: V LANES HW KERNEL ELEMENT ELEMENT_RARE CONSTANT BOTH TO_BITS FROM_BITS"
#endif
#if !(defined CONVK_LOAD_ && defined CONVK_STORE_ && defined CONVK_LOADK_ && defined CONVK_STOREK_ && defined \
      CONVK_STREAM_ && defined CONVK_FENCE_ && defined CONVK_LEAVE_)
#error "a kernel pass lacks one of these words: LOAD STORE LOADK STOREK STREAM FENCE LEAVE"
#endif
#if !(defined CONVK_SET_ && defined CONVK_ADD_ && defined CONVK_SUB_ && defined CONVK_MUL_ && defined CONVK_DIV_ && \
      defined CONVK_FMA_ && defined CONVK_FNMA_ && defined CONVK_FMS_ && defined CONVK_FUSES_ && \
      defined CONVK_REGISTERS_)
#error "a kernel pass lacks one of these words: SET ADD SUB MUL DIV FMA FNMA FMS FUSES REGISTERS"
#endif
#if !(defined CONVK_MIN_ && defined CONVK_MAX_ && defined CONVK_LESS_ && defined CONVK_ANY_LESS_ && defined \
      CONVK_WHICH_LESS_)
#error "a kernel pass lacks one of these words: MIN MAX LESS ANY_LESS WHICH_LESS"
#endif
#if !(defined CONVK_AND_ && defined CONVK_OR_ && defined CONVK_XOR_ && defined CONVK_IADD_ && defined CONVK_ISUB_ && \
      defined CONVK_SHL_ && defined CONVK_SHR_ && defined CONVK_BITS_ && defined CONVK_INT_)
#error "a kernel pass lacks one of these words: AND OR XOR IADD ISUB SHL SHR BITS INT"
#endif
#if !(defined CONVK_BEFORE_ && defined CONVK_AFTER_ && defined CONVK_TRANSPOSE_ && defined CONVK_UNZIP_ && defined \
      CONVK_ZIP_)
#error "a kernel pass lacks one of these words: BEFORE AFTER TRANSPOSE UNZIP ZIP"
#endif
#if !(defined CONVK_D && defined CONVK_DLANES_ && defined CONVK_DPART_ && defined CONVK_DFMA_ && defined CONVK_DADD_ \
      && defined CONVK_DZERO_ && defined CONVK_DSET_ && defined CONVK_DLOAD_ && defined CONVK_DSTORE_ && defined \
      CONVK_JOIN_)
#error "a kernel pass lacks one of these words: D DLANES DPART DFMA DADD DZERO DSET DLOAD DSTORE JOIN"
#endif
#if !(defined CONVK_TILE_OUT_ && defined CONVK_TILE_16_ && defined CONVK_ROW_ROWS_)
#error "a kernel pass lacks one of these words: TILE_OUT TILE_16 ROW_ROWS"
#endif
#endif
#if CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_ || CONVK_PASS_ == CONVK_PASS_BOTH_ || \
    CONVK_PASS_ == CONVK_PASS_PLAN_
#ifndef CONVK_MORE_
#undef CONVK_V
#undef CONVK_LANES
#undef CONVK_MM_
#undef CONVK_OWN_
#undef CONVK_INTEGER_
#undef CONVK_BITS_
#undef CONVK_INT_
#undef CONVK_REAL_
#undef CONVK_IS_LESS_
#undef CONVK_TILE_OUT_
#undef CONVK_TILE_VEC_
#undef CONVK_TILE_16_
#undef CONVK_ROW_ROWS_
#undef CONVK_ROW_BESIDE_
#undef CONVK_ELEMENT_
#undef CONVK_ELEMENT_RARE_
#undef CONVK_CONSTANT_
#undef CONVK_KERNEL_
#undef CONVK_BOTH_
#undef CONVK_TO_BITS_
#undef CONVK_FROM_BITS_
#undef CONVK_HW_
#undef CONVK_MM_PD_
#undef CONVK_LOAD_
#undef CONVK_STORE_
#undef CONVK_STREAM_
#undef CONVK_FENCE_
#undef CONVK_LOADK_
#undef CONVK_STOREK_
#undef CONVK_SET_
#undef CONVK_ADD_
#undef CONVK_MUL_
#undef CONVK_DIV_
#undef CONVK_FMA_
#undef CONVK_FNMA_
#undef CONVK_FMS_
#undef CONVK_FUSES_
#undef CONVK_REGISTERS_
#undef CONVK_SUB_
#undef CONVK_MIN_
#undef CONVK_MAX_
#undef CONVK_LESS_
#undef CONVK_ANY_LESS_
#undef CONVK_WHICH_LESS_
#undef CONVK_AND_
#undef CONVK_OR_
#undef CONVK_XOR_
#undef CONVK_IADD_
#undef CONVK_ISUB_
#undef CONVK_SHL_
#undef CONVK_SHR_
#undef CONVK_SCALE_
#undef CONVK_NEARER_
#undef CONVK_LEFT_
#undef CONVK_MANTISSA_
#undef CONVK_EXPONENT_
#undef CONVK_LOG_ENDS_
#undef CONVK_WINDOW_
#undef CONVK_BESIDE_
#undef CONVK_STORE_BESIDE_
#undef CONVK_BEFORE_
#undef CONVK_AFTER_
#undef CONVK_TRANSPOSE_
#undef CONVK_TRANSPOSE_FROM_
#undef CONVK_UNZIP_
#undef CONVK_ZIP_
#undef CONVK_D
#undef CONVK_DLANES_
#undef CONVK_DPART_
#undef CONVK_DFMA_
#undef CONVK_DZERO_
#undef CONVK_DSET_
#undef CONVK_DLOAD_
#undef CONVK_DSTORE_
#undef CONVK_DADD_
#undef CONVK_JOIN_
#undef CONVK_REREAD_
#undef CONVK_KEEP_
#undef CONVK_LEAVE_
#endif
#undef CONVK_MORE_
#endif
