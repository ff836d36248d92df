/* The unit that implements for hpp.cpp: portable C alone, which compiles soonest. */
#define CONVK_WITH_ALL
#define CONVK_IMPLEMENT
#include "convk.h"
