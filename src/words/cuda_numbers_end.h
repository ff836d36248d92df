#undef CONVK_MUL_
#undef CONVK_FMA_
#undef CONVK_KERNEL_
