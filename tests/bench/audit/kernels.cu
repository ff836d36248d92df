/* Every kernel of convk_cuda.h, for the compiler: tests/bench/audit/audit_cuda.py reads what it makes of them. */
#include "../../families.h"
#include "convk_cuda.h"
int every_kernel(convk *hw) { return convk_open(hw, "cuda"); }
