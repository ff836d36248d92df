/* ---- the contract of words ----
   A kernel pass needs these words, CONVK_LOAD_ and so on, of one instruction set: a module defines them for both precisions,
   and words/passes.h makes the passes.  CONVK_MORE_ keeps the words for another pass.  Here, at the end of a pass, what is
   missing is an error, and after the last pass all words go.
   The examples have eight lanes; p points at 10 11 12 13 14 15 16 17 18 ..., and 9 lies before it.

   Vectors
     V, LANES                 the type, and its number of elements
     REGISTERS                how many of them a processor keeps, about
     TERSE                    1 where few texts to compile matter more than speed: in portable C beside an instruction set; else
                              0, which a pass may leave out
     LOAD(p), STORE(p, v)     10 .. 17, at any alignment
     LOADK(p, k)              the first k <= LANES: k = 3 gives 10 11 12 0 0 0 0 0, and reads nothing behind them
     LOAD_HALF(p)             LOADK(p, LANES / 2) without a mask: 10 11 12 13 0 0 0 0.  AVX and AVX2 alone have it
     STOREK(p, v, k)          writes the first k, and touches nothing behind them
     STREAM(p, v), FENCE      a store past the cache, p aligned to 64 bytes; the end of such stores
     LEAVE                    ends a kernel (vzeroupper)

   Arithmetic, lane by lane
     SET(x)                   x x x x x x x x
     ADD, SUB, MUL, DIV (a, b)
     MIN, MAX (a, b)          b where one of them is NaN
     FMA(a, b, c)             a b + c;  FNMA(a, b, c): c - a b;  FMS(a, b, c): a b - c
     FUSES                    1 where these three round once, 0 where they round twice
     LESS(a, b, x, y)         x where a < b, y elsewhere
     ANY_LESS(a, b)           whether a < b in any lane
     WHICH_LESS(a, b)         bit i is set where a < b in lane i
     AND, OR, XOR (a, b)      of the elements' bits
     IADD, ISUB (a, b)        of the bits as unsigned integers of the elements' size
     SHL(a, k), SHR(a, k)     the same, shifted by k
     BITS(u), INT(a)          the vector of these bits in each lane; the bits of a

   Arithmetic where one instruction does it: another pass leaves these words out
     ROOT(v)                  the square root, rounded once
     SCALE(v, n)              v 2^n with one rounding, for all n: 3 and 4 give 48
     NEARER(a, b)             with SCALE: the smaller magnitude with the sign of a: -3 and 2 give -2.  Where a is NaN: of b
     LEFT(u)                  u less the nearest integer, of finite u: 2.75 gives -0.25
     MANTISSA(x)              m of x = 2^k m with 3/4 <= m < 3/2: 12 gives 0.75, 10 gives 1.25
     EXPONENT(x)              e of 2^e <= x < 2^(e+1): 12 and 10 give 3
     MUL_LANE(a, k, b)        b times lane k of a, which is known when compiling;  FMA_LANE(a, k, b, c): that + c
     CHOOSE(to, apart, from, rows, nrows, columns, ncolumns, pitch, n, counts)
                              of n elements of 8 bytes, those with bit r in their number of rows, and bit c in that of columns:
                              counts[r pitch + c] of them, at 8 (r pitch + c) apart bytes behind `to`, for each r < nrows <= 16,
                              c < ncolumns <= 8.  ncolumns <= 1: by rows alone, as if pitch = 1.  apart: at least n, rounded up
                              to a multiple of 8, as places up to there may be written.  Reads 7 numbers behind the n ones
     SLIDE(v, w, k)           with v = 10 .. 17 and w = 18 .. 25 and k = 3: 13 .. 20; k <= LANES is known when running
     LOG_ENDS(y, x)           y; but the logarithm of x where x is zero, negative, infinite or NaN
     ALL_NORMAL(a, b)         whether all elements of a and b are positive, finite and normal

   Order of elements
     BEFORE(p, u, v)          9 10 .. 16: what lies at p - 1, where v is what lies at p, and the last of u what lies before it
     AFTER(p, v, w)           11 12 .. 18: what lies at p + 1, where the first of w is what lies behind v
     TRANSPOSE(v)             of LANES vectors in place: element j of v[i] becomes element i of v[j]
     TRANSPOSE_FROM(row, v)   the same, but v[i] comes from memory at row[i]; may be left out
     UNZIP(v)                 v[0] = 0 1 2 .. 7, v[1] = 8 9 10 .. 15 become 0 2 4 .. 14 and 1 3 5 .. 15, in place
     ZIP(v)                   and back
     EXCHANGE(v)              11 10 13 12 .. 17 16; may be left out with ALTERNATE, PAIRS_FROM and PAIRS_TO
     ALTERNATE(a, b)          a b a b .. of two numbers
     PAIRS_FROM(p, pitch, v)  v[0]: of LANES / 2 rows the two numbers at p, at p + pitch ..; v[1]: those at p + 2, ..
     PAIRS_TO(p, pitch, v)    and back

   Steps of several rows beside each other, here of ROW_BESIDE = 2 rows: a0 a1 a2 .. lie at p, b0 b1 b2 .. at p + ld
     BESIDE(p, ld)            a0 a1 a2 a3 b0 b1 b2 b3: a step of 8 / 2 elements of each row.  Of one row: LOAD(p)
     STORE_BESIDE(p, ld, v)   and back
     WINDOW(p, here, next, k) the same from p + k on: k = 1 gives a1 a2 a3 a4 b1 b2 b3 b4.  here is BESIDE(p, ld), next the
                              step behind it: some modules shift these two, others load

   Where registers are so many that blocks of LANES rows are transposed on their way out; another pass leaves it out
     STORE_HALVES(p, q, v)    0 .. 3 at p, 4 .. 7 at q

   Sums in doubles, of a vector of LANES / DLANES parts
     D, DLANES                the type of a vector of doubles, and its number of elements, here 4
     DPART(v, h)              part h of v: 14 15 16 17 as doubles, for h = 1
     JOIN(d)                  and back: the vector of parts d[0], d[1]
     DFMA, DADD, DSUB, DMUL, DMIN, DZERO, DSET(x), DLOAD(p), DSTORE(p, d)   what they are to vectors
     DMUL(a, b)               is rounded by itself: no compiler fuses it with a sum.  DROOT(a): the square root, rounded once
     DNEAR_ROOT(a)            the square root but for 2^-51 of it, of normal numbers, where that is faster: another pass leaves
                              it out.  DALL_WITHIN(a, b): whether |a| < b in all lanes; goes with it
     DSHR(a, k), DAND, DOR (a, b)   of the bits of doubles, as integers of 64 bits
     DMUL_LOW(a, b)           the product of the lower 32 bits of two such integers
     ADD_TWO(p, a, b)         adds the integers at a and b to p[0] and p[1]

   What compilers need to be told: no number changes
     KEEP(v)                  v is complete in a register here
     REREAD(f)                the array f comes from memory again here
                              Without them compilers put off one sum, or hoist all taps, and spill sums instead: with 16
                              registers that was 1.5 times as slow

   Tiles in registers, for kernels of filters (filters/kernel.h)
     TILE_OUT, TILE_VEC       of `columns`: outputs, vectors.  TILE_OUT is 0 where registers are few: then 4 taps or more take
                              tiles of four outputs (convk_filters_columns_flow_)
     TILE_16                  vectors of a tile whose 16 taps stay in registers, too; 0: they do not
     ROW_ROWS                 of `rows` for 16 taps: rows; 0 where the text for any number of taps is as fast
     ROW_BESIDE               of these rows, those of which a vector holds a step each, beside each other
     ROW_TURN                 steps of a turn of the loop: behind it sums move to the registers of those that began before */
#if CONVK_PASS_ == CONVK_PASS_KERNEL_
#if !(defined CONVK_V && defined CONVK_LANES && defined CONVK_HW_ && defined CONVK_KERNEL_ && defined CONVK_ELEMENT_ && \
      defined CONVK_ELEMENT_RARE_ && defined CONVK_CONSTANT_ && defined CONVK_BOTH_ && defined CONVK_TO_BITS_ && \
      defined CONVK_FROM_BITS_)
#error "a kernel pass lacks one of these words: V LANES HW KERNEL ELEMENT ELEMENT_RARE CONSTANT BOTH TO_BITS FROM_BITS"
#endif
#if !(defined CONVK_LOAD_ && defined CONVK_STORE_ && defined CONVK_LOADK_ && defined CONVK_STOREK_ && defined CONVK_STREAM_ && \
      defined CONVK_FENCE_ && defined CONVK_LEAVE_)
#error "a kernel pass lacks one of these words: LOAD STORE LOADK STOREK STREAM FENCE LEAVE"
#endif
#if !(defined CONVK_SET_ && defined CONVK_ADD_ && defined CONVK_SUB_ && defined CONVK_MUL_ && defined CONVK_DIV_ && \
      defined CONVK_FMA_ && defined CONVK_FNMA_ && defined CONVK_FMS_ && defined CONVK_FUSES_ && defined CONVK_REGISTERS_)
#error "a kernel pass lacks one of these words: SET ADD SUB MUL DIV FMA FNMA FMS FUSES REGISTERS"
#endif
#if !(defined CONVK_MIN_ && defined CONVK_MAX_ && defined CONVK_LESS_ && defined CONVK_ANY_LESS_ && defined CONVK_WHICH_LESS_)
#error "a kernel pass lacks one of these words: MIN MAX LESS ANY_LESS WHICH_LESS"
#endif
#if !(defined CONVK_AND_ && defined CONVK_OR_ && defined CONVK_XOR_ && defined CONVK_IADD_ && defined CONVK_ISUB_ && \
      defined CONVK_SHL_ && defined CONVK_SHR_ && defined CONVK_BITS_ && defined CONVK_INT_)
#error "a kernel pass lacks one of these words: AND OR XOR IADD ISUB SHL SHR BITS INT"
#endif
#if !(defined CONVK_BEFORE_ && defined CONVK_AFTER_ && defined CONVK_TRANSPOSE_ && defined CONVK_UNZIP_ && defined CONVK_ZIP_)
#error "a kernel pass lacks one of these words: BEFORE AFTER TRANSPOSE UNZIP ZIP"
#endif
#if !(defined CONVK_D && defined CONVK_DLANES_ && defined CONVK_DPART_ && defined CONVK_DFMA_ && defined CONVK_DADD_ && \
      defined CONVK_DZERO_ && defined CONVK_DSET_ && defined CONVK_DLOAD_ && defined CONVK_DSTORE_ && defined CONVK_JOIN_ && \
      defined CONVK_DSUB_ && defined CONVK_DMUL_ && defined CONVK_DMIN_ && defined CONVK_DROOT_)
#error "a kernel pass lacks one of these words: D DLANES DPART DFMA DADD DSUB DMUL DMIN DROOT DZERO DSET DLOAD DSTORE JOIN"
#endif
#if !(defined CONVK_DSHR_ && defined CONVK_DAND_ && defined CONVK_DOR_ && defined CONVK_DMUL_LOW_ && defined CONVK_ADD_TWO_)
#error "a kernel pass lacks one of these words: DSHR DAND DOR DMUL_LOW ADD_TWO"
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
#undef CONVK_ROW_TURN_
#undef CONVK_ELEMENT_
#undef CONVK_ELEMENT_RARE_
#undef CONVK_CONSTANT_
#undef CONVK_KERNEL_
#undef CONVK_TO_BITS_
#undef CONVK_FROM_BITS_
#undef CONVK_HW_
#undef CONVK_MM_PD_
#undef CONVK_LOAD_
#undef CONVK_STORE_
#undef CONVK_STREAM_
#undef CONVK_FENCE_
#undef CONVK_LOADK_
#undef CONVK_LOAD_HALF_
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
#undef CONVK_TERSE_
#undef CONVK_SUB_
#undef CONVK_ROOT_
#undef CONVK_MIN_
#undef CONVK_MAX_
#undef CONVK_LESS_
#undef CONVK_ANY_LESS_
#undef CONVK_WHICH_LESS_
#undef CONVK_CHOOSE_
#undef CONVK_SLIDE_
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
#undef CONVK_ALL_NORMAL_
#undef CONVK_NORMAL_
#undef CONVK_MUL_LANE_
#undef CONVK_FMA_LANE_
#undef CONVK_WINDOW_
#undef CONVK_BESIDE_
#undef CONVK_STORE_BESIDE_
#undef CONVK_STORE_HALVES_
#undef CONVK_BEFORE_
#undef CONVK_AFTER_
#undef CONVK_TRANSPOSE_
#undef CONVK_TRANSPOSE_FROM_
#undef CONVK_UNZIP_
#undef CONVK_ZIP_
#undef CONVK_EXCHANGE_
#undef CONVK_ALTERNATE_
#undef CONVK_PAIRS_FROM_
#undef CONVK_PAIRS_TO_
#undef CONVK_D
#undef CONVK_DLANES_
#undef CONVK_DPART_
#undef CONVK_DFMA_
#undef CONVK_DZERO_
#undef CONVK_DSET_
#undef CONVK_DLOAD_
#undef CONVK_DSTORE_
#undef CONVK_DADD_
#undef CONVK_DSUB_
#undef CONVK_DMUL_
#undef CONVK_DPRODUCT_
#undef CONVK_DMIN_
#undef CONVK_DROOT_
#undef CONVK_DNEAR_ROOT_
#undef CONVK_DALL_WITHIN_
#undef CONVK_DINT_
#undef CONVK_DREAL_
#undef CONVK_DINTEGER_
#undef CONVK_DSHR_
#undef CONVK_DAND_
#undef CONVK_DOR_
#undef CONVK_DMUL_LOW_
#undef CONVK_ADD_TWO_
#undef CONVK_JOIN_
#undef CONVK_REREAD_
#undef CONVK_KEEP_
#undef CONVK_LEAVE_
#endif
#undef CONVK_MORE_
#endif
