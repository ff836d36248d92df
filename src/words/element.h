/* What is in element.h of each family is one text for processors and devices: what happens to one element, or to the elements
   of a vector.  Besides vectors it is written in these words, here those of processors:
     ELEMENT, ELEMENT_RARE            what begins such a function, and one that stays out of line
     CONSTANT                         what begins a table of constants within it
     KERNEL(name), BOTH(name)         its name: one for each instruction set and precision; one for both precisions
     TO_BITS(u, v), FROM_BITS(v, u)   elements of v as an array of LANES unsigned integers of their size; and back
   OpenCL sources include words/opencl.cl, convk_cuda.h makes passes of its own with words/cuda.h. */
#define CONVK_ELEMENT_ CONVK_INLINE_
#define CONVK_ELEMENT_RARE_ CONVK_RARE_
#define CONVK_CONSTANT_ static const
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
#define CONVK_TO_BITS_(u, v) ((void)memcpy(u, &(v), sizeof(v)))
#define CONVK_FROM_BITS_(v, u) ((void)memcpy(&(v), u, sizeof(v)))
