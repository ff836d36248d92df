/* Functions of arrays, as drivers and devices number them. */
enum { CONVK_MAP_EXP_, CONVK_MAP_EXPM1_, CONVK_MAP_LOG_, CONVK_MAP_SINCOS_ };
