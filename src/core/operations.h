/* ---- operations ----
   Every operation has a prototype in its room's api.h, CONVK_OPERATION_ int convk_<name>(parameters).  From these names.c makes
   the lists of rooms/lists.h, where each stands as
     op(room, kind, member, name, parameters, arguments)
   kind      reals: convk_<name>_f32 and _f64, or complexes: convk_<name>_c32 and _c64
   member    of convk_ops_f32 and convk_ops_f64; convk_<member>_cpu_(kernels, arguments) of the driver does it on processors
   From the lists come the types of functions, the struct of the handle, the public functions that go through a handle, and
   those of each hardware. */
#define CONVK_NAME_OF_reals_(name) CONVK_TYPED_(name)
#define CONVK_NAME_OF_complexes_(name) CONVK_COMPLEX_(name)
#define CONVK_VARIANT_OF_reals_(name) CONVK_VARIANT_(name)
#define CONVK_VARIANT_OF_complexes_(name) CONVK_COMPLEX_VARIANT_(name)

/* What a list becomes, of a precision. */
#define CONVK_OP_TYPE_(room, kind, member, name, parameters, arguments) typedef int CONVK_TYPED_(member##_fn) parameters;
#define CONVK_OP_MEMBER_(room, kind, member, name, parameters, arguments) CONVK_TYPED_(member##_fn) *member;
#define CONVK_ROOM_MEMBER_(room) const struct CONVK_PRIVATE_(room##_kernels) *room##_kernels; /* of processors */
/* The public function, and what a handle of a processor points to. */
#define CONVK_OP_DRIVER_(room, kind, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_NAME_OF_##kind##_(name) parameters { \
    const int status = convk_begin_call_(hw); \
    return status                               ? status \
           : !hw->ours.inside.CONVK_TYPE_.member ? convk_refuse_compiled_(hw, #name) \
                                                 : (hw->ours.inside.CONVK_TYPE_.member)arguments; \
  } \
  CONVK_LOCAL_ int CONVK_PRIVATE_(member##_bound) parameters { \
    return convk_##member##_cpu_(hw->ours.inside.CONVK_TYPE_.room##_kernels, CONVK_UNPACK_ arguments); \
  }
/* In passes over an instruction set: the function of this variant, and the handle that it is bound to.  A device that offers
   <room>_kernels, which then do all of an operation, has its functions in the same way. */
#define CONVK_OP_VARIANT_(room, kind, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_VARIANT_OF_##kind##_(name) parameters { \
    const int status = hw ? convk_begin_call_(hw) : CONVK_OK; \
    return status ? status : convk_##member##_cpu_(convk_##room##_kernel_table_(), CONVK_UNPACK_ arguments); \
  }
#define CONVK_OP_BIND_(room, kind, member, name, parameters, arguments) ops->member = CONVK_PRIVATE_(member##_bound);
#define CONVK_OP_BIND_VARIANT_(room, kind, member, name, parameters, arguments) ops->member = CONVK_VARIANT_OF_##kind##_(name);
#define CONVK_OP_VARIANT_PROTOTYPE_(room, kind, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_VARIANT_OF_##kind##_(name) parameters;

/* In passes over an instruction set, or over a device: the pointers of one room of a handle.  It is called by the opener of
   its hardware, which may be in another unit (CONVK_ONLY_CORE), so that its name is made of the room's and the hardware's. */
#define CONVK_BINDER_NAME_(room) CONVK_HARDWARE_(bind_##room)
#define CONVK_ROOM_BINDER_(room, operations) \
  CONVK_ACROSS_ void CONVK_BINDER_NAME_(room)(CONVK_TYPED_(ops) *ops) { \
    operations(CONVK_OP_BIND_) ops->room##_kernels = convk_##room##_kernel_table_(); \
  }
#define CONVK_ROOM_DEVICE_BINDER_(room, operations) \
  CONVK_ACROSS_ void CONVK_BINDER_NAME_(room)(CONVK_TYPED_(ops) *ops) { operations(CONVK_OP_BIND_VARIANT_) }
#define CONVK_DECLARE_BINDER_(room, hardware) \
  CONVK_IF_(CONVK_HAS_F32_, CONVK_ACROSS_ void convk_bind_##room##_f32_##hardware##_(convk_ops_f32 *ops);) \
  CONVK_IF_(CONVK_HAS_F64_, CONVK_ACROSS_ void convk_bind_##room##_f64_##hardware##_(convk_ops_f64 *ops);)
#define CONVK_CALL_BINDER_(room, hardware) \
  CONVK_IF_(CONVK_HAS_F32_, convk_bind_##room##_f32_##hardware##_(&hw->ours.inside.f32);) \
  CONVK_IF_(CONVK_HAS_F64_, convk_bind_##room##_f64_##hardware##_(&hw->ours.inside.f64);)

/* The pointers of all rooms that this unit finds. */
#define CONVK_BIND_ALL_(hardware) \
  CONVK_FOUND_ROOMS_(CONVK_DECLARE_BINDER_, hardware) \
  CONVK_LOCAL_ void convk_bind_##hardware##_(convk *hw) { \
    (void)hw; \
    CONVK_FOUND_ROOMS_(CONVK_CALL_BINDER_, hardware) \
  }
/* Opens a handle of a processor: it goes to the drivers, and they to the kernels of this instruction set. */
#define CONVK_OPENER_(hardware) \
  CONVK_BIND_ALL_(hardware) \
  CONVK_LOCAL_ int convk_open_##hardware##_(convk *hw, const char *options) { \
    (void)options; \
    convk_bind_##hardware##_(hw); \
    return CONVK_OK; \
  }
