#include <prehend/math/decompositions.h>

PREHEND_DECOMPOSITIONS();
