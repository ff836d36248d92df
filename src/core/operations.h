/* ---- operations ----
   Every operation stands once, in the list of its family (<family>/api.h), as
     op(family, KIND, member, name, parameters, arguments)
   KIND      REAL: convk_<name>_f32 and _f64, or COMPLEX: convk_<name>_c32 and _c64
   member    of convk_ops_f32 and convk_ops_f64; <member>_cpu(kernels, arguments) of the driver does it on processors
   From the lists come the types of functions, the struct of the handle, prototypes, the public functions that go through a
   handle, and those of each hardware. */
#define CONVK_FAMILIES_(family) \
  family(sepconv) family(stencil) family(vmath) family(gaussian) family(form) family(fft) family(pair)
#define CONVK_OPERATIONS_(op) \
  CONVK_FILTERS_OPERATIONS_(op) CONVK_STENCIL_OPERATIONS_(op) CONVK_VMATH_OPERATIONS_(op) CONVK_GAUSSIAN_OPERATIONS_(op) \
  CONVK_FORMFACTOR_OPERATIONS_(op) CONVK_FFT_OPERATIONS_(op) CONVK_PAIRS_OPERATIONS_(op)

/* Those that a handle opened here finds, as family(name, with). */
#define CONVK_FOUND_FAMILIES_(family, with) \
  CONVK_IF_(CONVK_FINDS_SEPCONV_, family(sepconv, with)) CONVK_IF_(CONVK_FINDS_STENCIL_, family(stencil, with)) \
  CONVK_IF_(CONVK_FINDS_VMATH_, family(vmath, with)) CONVK_IF_(CONVK_FINDS_GAUSSIAN_, family(gaussian, with)) \
  CONVK_IF_(CONVK_FINDS_FORMFACTOR_, family(form, with)) CONVK_IF_(CONVK_FINDS_FFT_, family(fft, with)) \
  CONVK_IF_(CONVK_FINDS_VMC_, family(pair, with))
/* Those that are compiled in: what binder(family, its list of operations) makes of each, and all their operations. */
#define CONVK_COMPILED_FAMILIES_(binder) \
  CONVK_IF_(CONVK_HAS_SEPCONV_, binder(sepconv, CONVK_FILTERS_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_STENCIL_, binder(stencil, CONVK_STENCIL_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_VMATH_, binder(vmath, CONVK_VMATH_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_GAUSSIAN_, binder(gaussian, CONVK_GAUSSIAN_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, binder(form, CONVK_FORMFACTOR_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_FFT_, binder(fft, CONVK_FFT_OPERATIONS_)) CONVK_IF_(CONVK_HAS_VMC_, binder(pair, CONVK_PAIRS_OPERATIONS_))
#define CONVK_COMPILED_OPERATIONS_(op) \
  CONVK_IF_(CONVK_HAS_SEPCONV_, CONVK_FILTERS_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_STENCIL_, CONVK_STENCIL_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_VMATH_, CONVK_VMATH_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_GAUSSIAN_, CONVK_GAUSSIAN_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, CONVK_FORMFACTOR_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_FFT_, CONVK_FFT_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_VMC_, CONVK_PAIRS_OPERATIONS_(op))

#define CONVK_REAL_NAME_(name) CONVK_TYPED_(name)
#define CONVK_COMPLEX_NAME_(name) CONVK_COMPLEX_(name)
#define CONVK_REAL_VARIANT_NAME_(name) CONVK_VARIANT_(name)
#define CONVK_COMPLEX_VARIANT_NAME_(name) CONVK_COMPLEX_VARIANT_(name)

/* What a list becomes, in passes over a precision. */
#define CONVK_OP_TYPE_(family, KIND, member, name, parameters, arguments) typedef int CONVK_TYPED_(member##_fn) parameters;
#define CONVK_OP_MEMBER_(family, KIND, member, name, parameters, arguments) CONVK_TYPED_(member##_fn) *member;
#define CONVK_OP_PROTOTYPE_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_NAME_(name) parameters;
/* The public function, and what a handle of a processor points to. */
#define CONVK_OP_DRIVER_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_NAME_(name) parameters { \
    const int status = convk_begin_call_(hw); \
    return status                               ? status \
           : !hw->ours.inside.CONVK_TYPE_.member ? convk_refuse_compiled_(hw, #name) \
                                                 : (hw->ours.inside.CONVK_TYPE_.member)arguments; \
  } \
  CONVK_LOCAL_ int CONVK_PRIVATE_(member##_bound) parameters { \
    return convk_##member##_cpu_(hw->ours.inside.CONVK_TYPE_.family##_kernels, CONVK_UNPACK_ arguments); \
  }
/* In passes over an instruction set: the function of this variant, and the handle that it is bound to.  A device that offers
   <family>_kernels, which then do all of an operation, has its functions in the same way. */
#define CONVK_OP_VARIANT_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_VARIANT_NAME_(name) parameters { \
    const int status = hw ? convk_begin_call_(hw) : CONVK_OK; \
    return status ? status : convk_##member##_cpu_(convk_##family##_kernel_table_(), CONVK_UNPACK_ arguments); \
  }
#define CONVK_OP_BIND_(family, KIND, member, name, parameters, arguments) ops->member = CONVK_PRIVATE_(member##_bound);
#define CONVK_OP_BIND_VARIANT_(family, KIND, member, name, parameters, arguments) \
  ops->member = CONVK_##KIND##_VARIANT_NAME_(name);
#define CONVK_OP_VARIANT_PROTOTYPE_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_VARIANT_NAME_(name) parameters;
/* The parameters alone, for what is defined by hand. */
#define CONVK_OP_PARAMETERS_(family, KIND, member, name, parameters, arguments) parameters
#define CONVK_FAMILY_MEMBER_(family) const convk_##family##_kernels_ *family##_kernels; /* of processors */

/* In passes over an instruction set, or over a device: the pointers of one family of a handle.  It is called by the opener of
   its hardware, which may be in another unit (CONVK_ONLY_CORE), so that its name is made of the family's and the hardware's. */
#define CONVK_BINDER_NAME_(family) CONVK_HARDWARE_(bind_##family)
#define CONVK_FAMILY_BINDER_(family, operations) \
  CONVK_ACROSS_ void CONVK_BINDER_NAME_(family)(convk_ops *ops) { \
    operations(CONVK_OP_BIND_) ops->family##_kernels = convk_##family##_kernel_table_(); \
  }
#define CONVK_FAMILY_DEVICE_BINDER_(family, operations) \
  CONVK_ACROSS_ void CONVK_BINDER_NAME_(family)(convk_ops *ops) { operations(CONVK_OP_BIND_VARIANT_) }
#define CONVK_DECLARE_BINDER_(family, hardware) \
  CONVK_IF_(CONVK_HAS_F32_, CONVK_ACROSS_ void convk_bind_##family##_f32_##hardware##_(convk_ops_f32 *ops);) \
  CONVK_IF_(CONVK_HAS_F64_, CONVK_ACROSS_ void convk_bind_##family##_f64_##hardware##_(convk_ops_f64 *ops);)
#define CONVK_CALL_BINDER_(family, hardware) \
  CONVK_IF_(CONVK_HAS_F32_, convk_bind_##family##_f32_##hardware##_(&hw->ours.inside.f32);) \
  CONVK_IF_(CONVK_HAS_F64_, convk_bind_##family##_f64_##hardware##_(&hw->ours.inside.f64);)

/* The pointers of all families that this unit finds. */
#define CONVK_BIND_ALL_(hardware) \
  CONVK_FOUND_FAMILIES_(CONVK_DECLARE_BINDER_, hardware) \
  CONVK_LOCAL_ void convk_bind_##hardware##_(convk *hw) { \
    (void)hw; \
    CONVK_FOUND_FAMILIES_(CONVK_CALL_BINDER_, hardware) \
  }
/* Opens a handle of a processor: it goes to the drivers, and they to the kernels of this instruction set. */
#define CONVK_OPENER_(hardware) \
  CONVK_BIND_ALL_(hardware) \
  CONVK_LOCAL_ int convk_open_##hardware##_(convk *hw, const char *options) { \
    (void)options; \
    convk_bind_##hardware##_(hw); \
    return CONVK_OK; \
  }
