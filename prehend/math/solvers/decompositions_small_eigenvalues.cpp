#include <prehend/math/solvers/decompositions.h>

PREHEND_SMALL_EIGENVALUES();
