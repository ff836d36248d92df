/* The one unit of the compiled library: what it holds is said by defines; see CMakeLists.txt and meson.build. */
#define CONVK_IMPLEMENT
#include "convk.h"
