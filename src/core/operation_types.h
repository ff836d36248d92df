
/* Pointers of a handle, one per operation; NULL where an operation is not compiled in. */
CONVK_OPERATIONS_(CONVK_OP_TYPE_)
typedef struct convk_ops {
  CONVK_OPERATIONS_(CONVK_OP_MEMBER_)
  CONVK_FAMILIES_(CONVK_FAMILY_MEMBER_)
} convk_ops;
#if CONVK_HAS_TYPE_
CONVK_COMPILED_OPERATIONS_(CONVK_OP_PROTOTYPE_)
#endif
