/* Prototypes of the operations of CONVK_HW_, which then goes. */
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#undef CONVK_HW_
