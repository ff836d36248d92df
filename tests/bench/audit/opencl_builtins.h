/* SPDX-License-Identifier: MIT
   The functions of OpenCL C that the kernels call, for compilers without a device library (-cl-no-stdinc): one instruction where the
   device has one, and about as long as a vendor's where it has not.  For counts of registers, not for results. */
#define CONVK_F_ static inline __attribute__((overloadable, always_inline, unused, const))
#define CONVK_M_ static inline __attribute__((overloadable, always_inline, unused))

#if defined __AMDGCN__
CONVK_F_ size_t get_local_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workitem_id_x() : d == 1 ? __builtin_amdgcn_workitem_id_y() : 0;
}
CONVK_F_ size_t get_group_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_id_x() : d == 1 ? __builtin_amdgcn_workgroup_id_y() : 0;
}
CONVK_F_ size_t get_local_size(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_size_x() : d == 1 ? __builtin_amdgcn_workgroup_size_y() : 1;
}
CONVK_F_ size_t get_global_size(uint d) {
  return d == 0 ? __builtin_amdgcn_grid_size_x() : d == 1 ? __builtin_amdgcn_grid_size_y() : 1;
}
CONVK_M_ void barrier(cl_mem_fence_flags flags) {
  (void)flags;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
CONVK_F_ size_t get_local_id(uint d) {
  return d == 0 ? __nvvm_read_ptx_sreg_tid_x() : d == 1 ? __nvvm_read_ptx_sreg_tid_y() : 0;
}
CONVK_F_ size_t get_group_id(uint d) {
  return d == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : d == 1 ? __nvvm_read_ptx_sreg_ctaid_y() : 0;
}
CONVK_F_ size_t get_local_size(uint d) {
  return d == 0 ? __nvvm_read_ptx_sreg_ntid_x() : d == 1 ? __nvvm_read_ptx_sreg_ntid_y() : 1;
}
CONVK_F_ size_t get_global_size(uint d) {
  return d == 0   ? (size_t)__nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_nctaid_x()
         : d == 1 ? (size_t)__nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_nctaid_y()
                  : 1;
}
CONVK_M_ void barrier(cl_mem_fence_flags flags) {
  (void)flags;
  __nvvm_bar_sync(0);
}
#endif
CONVK_F_ size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
CONVK_F_ size_t get_num_groups(uint d) { return get_global_size(d) / get_local_size(d); }

CONVK_F_ float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CONVK_F_ float fabs(float a) { return __builtin_fabsf(a); }
CONVK_F_ double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
CONVK_F_ double sqrt(double a) { return __builtin_sqrt(a); }
CONVK_M_ uint atomic_add(volatile global uint *p, uint v) { return __sync_fetch_and_add(p, v); }
CONVK_M_ uint atomic_add(volatile local uint *p, uint v) { return __sync_fetch_and_add(p, v); }
CONVK_F_ double fabs(double a) { return __builtin_fabs(a); }
CONVK_F_ int clz(int a) { return a ? __builtin_clz((uint)a) : 32; }
CONVK_F_ int isfinite(double a) { return __builtin_isfinite(a); }
CONVK_F_ double exp(double a) {
  const double k = __builtin_rint(a * 1.4426950408889634), r = fma(k, -1.9e-10, fma(k, -0.6931471803691238, a));
  double p = 2.5e-8;
  p = fma(p, r, 2.8e-7);
  p = fma(p, r, 2.8e-6);
  p = fma(p, r, 2.5e-5);
  p = fma(p, r, 2.0e-4);
  p = fma(p, r, 1.4e-3);
  p = fma(p, r, 8.4e-3);
  p = fma(p, r, 4.2e-2);
  p = fma(p, r, 1.7e-1);
  p = fma(p, r, 0.5);
  p = fma(p, r, 1);
  p = fma(p, r, 1) * __builtin_astype((ulong)((long)k + 1023) << 52, double);
  return a > 710 ? __builtin_inf() : a < -745 ? 0 : p;
}

#define CONVK_WHOLE_(type) \
  CONVK_F_ type min(type a, type b) { return b < a ? b : a; } \
  CONVK_F_ type max(type a, type b) { return a < b ? b : a; } \
  CONVK_F_ type clamp(type a, type from, type to) { return min(max(a, from), to); }
CONVK_WHOLE_(int)
CONVK_WHOLE_(uint)
CONVK_WHOLE_(long)
CONVK_WHOLE_(ulong)
CONVK_F_ float max(float a, float b) { return a < b ? b : a; }
CONVK_F_ double max(double a, double b) { return a < b ? b : a; }

#define CONVK_LOADS_(space, n, t) \
  CONVK_M_ t##n vload##n(size_t i, const space t *p) { \
    typedef struct __attribute__((packed, aligned(sizeof(t)))) { \
      t##n v; \
    } at; \
    return ((const space at *)(p + n * i))->v; \
  } \
  CONVK_M_ void vstore##n(t##n v, size_t i, space t *p) { \
    typedef struct __attribute__((packed, aligned(sizeof(t)))) { \
      t##n v; \
    } at; \
    ((space at *)(p + n * i))->v = v; \
  }
#define CONVK_VECTOR_(n, t) \
  CONVK_F_ t##n fma(t##n a, t##n b, t##n c) { return CONVK_FMAS_(n, t, a, b, c); } \
  CONVK_LOADS_(global, n, t) CONVK_LOADS_(local, n, t) CONVK_LOADS_(private, n, t)
#define CONVK_FMA2_(t, a, b, c) ((t##2)(fma((a).x, (b).x, (c).x), fma((a).y, (b).y, (c).y)))
#define CONVK_FMA4_(t, a, b, c) \
  ((t##4)(fma((a).x, (b).x, (c).x), fma((a).y, (b).y, (c).y), fma((a).z, (b).z, (c).z), fma((a).w, (b).w, (c).w)))
#define CONVK_FMAS_(n, t, a, b, c) CONVK_FMA##n##_(t, a, b, c)
CONVK_VECTOR_(2, float)
CONVK_VECTOR_(4, float)
CONVK_VECTOR_(2, double)
CONVK_VECTOR_(4, double)
CONVK_F_ double2 convert_double2(float2 a) { return __builtin_convertvector(a, double2); }
CONVK_F_ double2 convert_double2(double2 a) { return a; }
CONVK_F_ double4 convert_double4(float4 a) { return __builtin_convertvector(a, double4); }
CONVK_F_ double4 convert_double4(double4 a) { return a; }
CONVK_F_ float convert_float(double a) { return (float)a; }
CONVK_F_ double convert_double(float a) { return a; }
CONVK_F_ double convert_double(double a) { return a; }
