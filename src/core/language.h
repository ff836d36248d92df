/* C before C99 has no `inline`; compilers that have it all the same are gcc and clang with -std=gnu89, and Microsoft's. */
#if !defined __cplusplus && !defined _MSC_VER && !(defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L) && \
    !(defined __GNUC__ && !defined __STRICT_ANSI__) && !defined CONVK_OLD_C_
#define CONVK_OLD_C_ /* nothing follows, so that this is the only error */
#error "convk needs C99 or C++11: compile with -std=c99 or a later standard; -std=gnu89 will do, too"
#endif
