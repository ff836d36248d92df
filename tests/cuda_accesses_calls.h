// What the compiler's passes call, in terms of convk_counting::access and pieces of the file that includes this; libc's functions by
// the linker's --wrap, which newer compilers give names of their own.

#define PLACE __builtin_return_address(0)
#define CONVK_COUNTS_CALL(name, bytes, kind) \
  void __tsan_##name##bytes(void *p) { \
    if (!convk_counting::inside) convk_counting::access(p, bytes, convk_counting::kind, PLACE, 0); \
  }
#define CONVK_COUNTS_ACCESS(bytes) \
  CONVK_COUNTS_CALL(read, bytes, kLoad) \
  CONVK_COUNTS_CALL(write, bytes, kStore) \
  CONVK_COUNTS_CALL(unaligned_read, bytes, kLoad) \
  CONVK_COUNTS_CALL(unaligned_write, bytes, kStore)
extern "C" {
CONVK_COUNTS_ACCESS(1)
CONVK_COUNTS_ACCESS(2)
CONVK_COUNTS_ACCESS(4)
CONVK_COUNTS_ACCESS(8)
CONVK_COUNTS_ACCESS(16)
void __tsan_init() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes) {
  convk_counting::pieces(from, bytes, convk_counting::kLoad, PLACE);
  convk_counting::pieces(to, bytes, convk_counting::kStore, PLACE);
  return __real_memcpy(to, from, bytes);
}
void *__wrap_memset(void *to, int value, size_t bytes) {
  convk_counting::pieces(to, bytes, convk_counting::kStore, PLACE);
  return __real_memset(to, value, bytes);
}
}
#undef CONVK_COUNTS_ACCESS
#undef CONVK_COUNTS_CALL
#undef PLACE
