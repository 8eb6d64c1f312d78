#include <prehend/math/solvers/decompositions.h>

PREHEND_ORTHOGONAL();
