#include "formfactor/triangle.h"
#include "formfactor/per_q.h"
