/* Families: all, unless some are asked for by name.  A misspelt family looks like none named; then a message says that all are
   compiled. */
#ifdef CONVK_WITH_ALL
#define CONVK_ALL_ 1
#elif !CONVK_NAMED_
#define CONVK_ALL_ 1
#if CONVK_MODE_ != 1 && CONVK_HERE_ && (defined __GNUC__ || defined __clang__)
#pragma message( \
    "convk: all families are compiled, since none is named, or one is misspelt: define some of " CONVK_NAMES_ \
    ", or CONVK_WITH_ALL to have them all")
#endif
#else
#define CONVK_ALL_ 0
#endif
