#if CONVK_X86_
CONVK_LOCAL_ void convk_cpuid_(unsigned leaf, unsigned sub, unsigned out[4]) {
#ifdef __i386__ /* ebx may hold the position-independent base */
  __asm__ volatile("xchgl %%ebx, %1\n\tcpuid\n\txchgl %%ebx, %1"
                   : "=a"(out[0]), "=&r"(out[1]), "=c"(out[2]), "=d"(out[3])
                   : "0"(leaf), "2"(sub));
#else
  __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "0"(leaf), "2"(sub));
#endif
}

CONVK_LOCAL_ unsigned convk_cpu_features_(void) {
  unsigned leaf1[4], leaf7[4], last[4], have = 0, low = 0;
  convk_cpuid_(0, 0, last);
  if (last[0] < 1) return 0;
  convk_cpuid_(1, 0, leaf1);
  if (leaf1[3] >> 26 & 1) have |= CONVK_CPU_SSE2_;
  if (!(leaf1[2] >> 26 & 1) || !(leaf1[2] >> 27 & 1)) return have;         /* XSAVE and OSXSAVE */
  __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low) : "c"(0) : "edx"); /* xgetbv */
  if ((low & 0x6) != 0x6) return have;                                     /* the system saves XMM and YMM */
  if (leaf1[2] >> 28 & 1) have |= CONVK_CPU_AVX_;
  if (last[0] < 7 || !(have & CONVK_CPU_AVX_)) return have;
  convk_cpuid_(7, 0, leaf7);
  if ((leaf7[1] >> 5 & 1) && (leaf1[2] >> 12 & 1)) have |= CONVK_CPU_AVX2_;
  if ((have & CONVK_CPU_AVX2_) && (low & 0xe0) == 0xe0 && /* masks and ZMM saved */
      (leaf1[2] >> 23 & 1) &&                             /* POPCNT */
      (leaf7[1] >> 16 & 1) && (leaf7[1] >> 17 & 1) && (leaf7[1] >> 30 & 1) && (leaf7[1] >> 31 & 1))
    have |= CONVK_CPU_AVX512_;
  return have;
}

/* Sizes of caches as cpuid says, corrected. */
CONVK_RARE_ void convk_cpu_caches_(convk_tuning *t) {
  unsigned r[4], leaf, i, guest = 0;
  convk_cpuid_(0, 0, r);
  if (r[0] >= 1) {
    unsigned features[4];
    convk_cpuid_(1, 0, features);
    guest = features[2] >> 31; /* under a hypervisor */
  }
  leaf = r[0] >= 4 ? 4 : 0;
  if (r[1] == 0x68747541) { /* AMD says it elsewhere */
    convk_cpuid_(0x80000000u, 0, r);
    leaf = r[0] >= 0x8000001du ? 0x8000001du : 0;
  }
  for (i = 0; leaf && i < 16; i++) {
    size_t bytes;
    convk_cpuid_(leaf, i, r);
    if (!(r[0] & 31)) break;
    if ((r[0] & 31) == 2) continue; /* instructions */
    bytes = (size_t)((r[1] >> 22) + 1) * ((r[1] >> 12 & 1023) + 1) * ((r[1] & 4095) + 1) * ((size_t)r[2] + 1);
    if ((r[0] >> 5 & 7) == 2) t->l2_bytes = bytes;
    if ((r[0] >> 5 & 7) == 3) {
      t->l3_bytes = bytes;
      t->l3_threads = (r[0] >> 14 & 4095) + 1;
    }
  }
  convk_caches_correct_(t, guest != 0);
}

CONVK_RARE_ void convk_cpu_name_(char name[64]) {
  unsigned r[4], i;
  convk_cpuid_(0x80000000u, 0, r);
  if (r[0] < 0x80000004u) return;
  for (i = 0; i < 3; i++) {
    convk_cpuid_(0x80000002u + i, 0, r);
    memcpy(name + 16 * i, r, sizeof r);
  }
}
#else
CONVK_LOCAL_ unsigned convk_cpu_features_(void) { return 0; }
CONVK_RARE_ void convk_cpu_caches_(convk_tuning *t) { (void)t; }
CONVK_RARE_ void convk_cpu_name_(char name[64]) { (void)name; }
#endif

/* A name as one word: blanks at the ends go, others and what is not printable become _; "unknown" for none. */
CONVK_RARE_ void convk_one_word_(char *name) {
  size_t i, end = 0, begin = 0;
  while (name[begin] && (name[begin] <= ' ' || name[begin] > '~')) begin++;
  for (i = 0; name[begin + i]; i++) {
    name[i] = name[begin + i] > ' ' && name[begin + i] <= '~' ? name[begin + i] : '_';
    if (name[i] != '_') end = i + 1;
  }
  name[end] = 0;
  if (!end) memcpy(name, "unknown", 8);
}

#ifdef CONVK_OPENMP
CONVK_LOCAL_ int convk_run_openmp_(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  ptrdiff_t i, n = (ptrdiff_t)ntasks;
  (void)ctx;
#pragma omp parallel for schedule(static, 1)
  for (i = 0; i < n; i++) task(arg, (size_t)i);
  return 0;
}
#endif

/* Whether hw is a handle of this minor version: CONVK_OK, CONVK_ERR_NULL or CONVK_ERR_HANDLE. */
CONVK_LOCAL_ int convk_check_handle_(convk *hw) {
  if (!hw) return CONVK_ERR_NULL;
  return hw->size == sizeof(convk) && hw->version / 100 == CONVK_VERSION / 100 ? CONVK_OK : CONVK_ERR_HANDLE;
}

/* Threads that calls on a handle use; 1 without a handle or a hook. */
CONVK_LOCAL_ size_t convk_threads_(convk *hw) {
  return hw && hw->parallel.run && hw->parallel.threads > 1 ? (size_t)hw->parallel.threads : 1;
}

/* ---- tasks, which have the settings of the thread that calls, and may flush subnormals ---- */

#if CONVK_X86_
typedef unsigned convk_control_;
#define CONVK_FLUSH_ 0x8040u /* of MXCSR: FTZ and DAZ */
#define CONVK_STICKY_ 0x3fu  /* and what has been raised, which is no setting */
#define CONVK_GET_CONTROL_(to) __asm__ volatile("stmxcsr %0" : "=m"(to))
#define CONVK_SET_CONTROL_(from) __asm__ volatile("ldmxcsr %0" : : "m"(from) : "memory")
#elif defined __aarch64__ && (defined __GNUC__ || defined __clang__)
typedef uint64_t convk_control_;
#define CONVK_FLUSH_ ((uint64_t)1 << 24) /* of FPCR: FZ */
#define CONVK_STICKY_ 0u                 /* FPSR has that */
#define CONVK_GET_CONTROL_(to) __asm__ volatile("mrs %0, fpcr" : "=r"(to))
#define CONVK_SET_CONTROL_(from) __asm__ volatile("msr fpcr, %0" : : "r"(from) : "memory")
#else
typedef unsigned convk_control_;
#define CONVK_FLUSH_ 0u
#define CONVK_STICKY_ 0u
#define CONVK_GET_CONTROL_(to) ((void)((to) = 0))
#define CONVK_SET_CONTROL_(from) ((void)(from))
#endif

/* Tasks of a call, and what the control register is for them. */
typedef struct convk_tasks_ {
  void (*task)(void *arg, size_t index);
  void *arg;
  convk_control_ control;
} convk_tasks_;

/* Runs one task on a thread of the pool with the settings of `arg`, a convk_tasks_; then restores the thread's own, on x86 with
   its exception flags.  A thread that has these settings is left alone, as the calling one is unless tasks flush; one of a pool
   may be older than what a program, or a library that it uses, has set since. */
CONVK_RARE_ void convk_controlled_task_(void *arg, size_t index) {
  const convk_tasks_ *t = (const convk_tasks_ *)arg;
  convk_control_ before;
  CONVK_GET_CONTROL_(before);
  if (((before ^ t->control) & ~(convk_control_)CONVK_STICKY_) == 0) {
    t->task(t->arg, index);
    return;
  }
  CONVK_SET_CONTROL_(t->control);
  t->task(t->arg, index);
  CONVK_SET_CONTROL_(before);
}

/* Calls task(arg, 0 .. ntasks - 1), each once: on the handle's threads, or here where there is one task or one thread, no
   handle or no hook.  All have the control register (MXCSR, FPCR) of this thread, with flushing if the handle wants it, so
   that the number of threads changes no bits.  CONVK_ERR_THREADS: the hook failed. */
CONVK_LOCAL_ int convk_run_tasks_(convk *hw, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  const int threads = ntasks > 1 && convk_threads_(hw) > 1;
  convk_tasks_ tasks;
  size_t i;
  if (threads || (hw && hw->flush_subnormals)) {
    tasks.task = task;
    tasks.arg = arg;
    CONVK_GET_CONTROL_(tasks.control);
    if (hw->flush_subnormals) tasks.control |= CONVK_FLUSH_;
    task = convk_controlled_task_;
    arg = &tasks;
  }
  if (threads) return hw->parallel.run(hw->parallel.ctx, ntasks, task, arg) ? CONVK_ERR_THREADS : CONVK_OK;
  for (i = 0; i < ntasks; i++) task(arg, i);
  return CONVK_OK;
}

/* The hook of a part of a call that flushes: it finds the caller's settings, which threads that it makes inherit. */
typedef struct convk_flush_hook_ {
  convk_parallel parallel;
  convk_control_ before;
} convk_flush_hook_;

CONVK_RARE_ int convk_flush_run_(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  const convk_flush_hook_ *hook = (const convk_flush_hook_ *)ctx;
  convk_control_ flush;
  int failed;
  CONVK_GET_CONTROL_(flush);
  CONVK_SET_CONTROL_(hook->before);
  failed = hook->parallel.run(hook->parallel.ctx, ntasks, task, arg);
  CONVK_SET_CONTROL_(flush);
  return failed;
}

/* Runs `part` here, with flushing if the handle wants it.  The part may hand out tasks by the handle that it is given, which
   flush as it does.  It is not inlined, so that no arithmetic leaves it. */
CONVK_RARE_ int convk_run_here_(convk *hw, int (*part)(void *arg, convk *hw), void *arg) {
  convk_flush_hook_ hook;
  convk_control_ flush;
  convk own;
  int status;
  if (!hw || !hw->flush_subnormals) return part(arg, hw);
  own = *hw;
  hook.parallel = hw->parallel;
  own.parallel.ctx = &hook;
  if (hw->parallel.run) own.parallel.run = convk_flush_run_;
  CONVK_GET_CONTROL_(hook.before);
  flush = hook.before | CONVK_FLUSH_;
  CONVK_SET_CONTROL_(flush);
  status = part(arg, &own);
  CONVK_SET_CONTROL_(hook.before);
  return status;
}
