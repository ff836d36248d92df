/* Pointers of a handle, one per operation; NULL where an operation is not compiled in. */
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_OPERATIONS_(CONVK_OP_TYPE_)
typedef struct convk_ops_f32 {
  CONVK_OPERATIONS_(CONVK_OP_MEMBER_)
  CONVK_ROOMS_(CONVK_ROOM_MEMBER_)
} convk_ops_f32;
#undef CONVK_TYPE_
#undef CONVK_T
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_OPERATIONS_(CONVK_OP_TYPE_)
typedef struct convk_ops_f64 {
  CONVK_OPERATIONS_(CONVK_OP_MEMBER_)
  CONVK_ROOMS_(CONVK_ROOM_MEMBER_)
} convk_ops_f64;
#undef CONVK_TYPE_
#undef CONVK_T
