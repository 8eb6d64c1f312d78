#include <prehend/math/solvers/decompositions.h>

PREHEND_LARGE_EIGENVALUES();
