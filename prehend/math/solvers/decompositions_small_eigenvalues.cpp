#include <prehend/math/solvers/decompositions.h>

PREHEND_DECOMPOSITIONS_SMALL_EIGENVALUES();
