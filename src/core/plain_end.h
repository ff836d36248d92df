#ifdef CONVK_ADD_
#undef convk_to_bits_
#undef convk_from_bits_
#endif
#undef CONVK_PLAIN_
#undef CONVK_PLAIN_RARE_
#undef CONVK_PLAIN_CONSTANT_
#undef CONVK_PLAIN_MUL_
#undef CONVK_PLAIN_LESS_EQUAL_
#undef CONVK_PLAIN_FAR_
