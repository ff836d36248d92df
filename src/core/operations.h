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
  CONVK_SEPCONV_OPERATIONS_(op) CONVK_STENCIL_OPERATIONS_(op) CONVK_VMATH_OPERATIONS_(op) CONVK_GAUSSIAN_OPERATIONS_(op) \
  CONVK_FORM_OPERATIONS_(op) CONVK_FFT_OPERATIONS_(op) CONVK_PAIR_OPERATIONS_(op)

/* Those that are compiled in. */
#define CONVK_COMPILED_FAMILIES_(family) \
  CONVK_IF_(CONVK_HAS_SEPCONV_, family(sepconv)) CONVK_IF_(CONVK_HAS_STENCIL_, family(stencil)) \
  CONVK_IF_(CONVK_HAS_VMATH_, family(vmath)) CONVK_IF_(CONVK_HAS_GAUSSIAN_, family(gaussian)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, family(form)) CONVK_IF_(CONVK_HAS_FFT_, family(fft)) CONVK_IF_(CONVK_HAS_VMC_, family(pair))
#define CONVK_COMPILED_OPERATIONS_(op) \
  CONVK_IF_(CONVK_HAS_SEPCONV_, CONVK_SEPCONV_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_STENCIL_, CONVK_STENCIL_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_VMATH_, CONVK_VMATH_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_GAUSSIAN_, CONVK_GAUSSIAN_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, CONVK_FORM_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_FFT_, CONVK_FFT_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_VMC_, CONVK_PAIR_OPERATIONS_(op))

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
    return status ? status : !hw->CONVK_TYPE_.member ? CONVK_ERR_COMPILED : (hw->CONVK_TYPE_.member)arguments; \
  } \
  CONVK_LOCAL_ int CONVK_PRIVATE_(member##_bound) parameters { \
    return convk_##member##_cpu_(hw->CONVK_TYPE_.family##_kernels, CONVK_UNPACK_ arguments); \
  }
/* In passes over an instruction set: the function of this variant, and the handle that it is bound to.  A device that offers
   <family>_kernels, which then do all of an operation, has its functions in the same way. */
#define CONVK_OP_VARIANT_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_VARIANT_NAME_(name) parameters { \
    return convk_##member##_cpu_(convk_##family##_kernel_table_(), CONVK_UNPACK_ arguments); \
  }
#define CONVK_OP_BIND_(family, KIND, member, name, parameters, arguments) ops->member = CONVK_PRIVATE_(member##_bound);
#define CONVK_OP_BIND_VARIANT_(family, KIND, member, name, parameters, arguments) \
  ops->member = CONVK_##KIND##_VARIANT_NAME_(name);
#define CONVK_OP_VARIANT_PROTOTYPE_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_VARIANT_NAME_(name) parameters;
/* The parameters alone, for what is defined by hand. */
#define CONVK_OP_PARAMETERS_(family, KIND, member, name, parameters, arguments) parameters
#define CONVK_FAMILY_MEMBER_(family) const convk_##family##_kernels_ *family##_kernels; /* of processors */
#define CONVK_FAMILY_BIND_(family) ops->family##_kernels = convk_##family##_kernel_table_();

/* Opens a handle of a processor: it goes to the drivers, and they to the kernels of this instruction set. */
#define CONVK_OPENER_(hardware) \
  CONVK_LOCAL_ int convk_open_##hardware##_(convk *hw, const char *options) { \
    (void)options; \
    CONVK_IF_(CONVK_HAS_F32_, convk_bind_f32_##hardware##_(&hw->f32);) \
    CONVK_IF_(CONVK_HAS_F64_, convk_bind_f64_##hardware##_(&hw->f64);) \
    return CONVK_OK; \
  }
