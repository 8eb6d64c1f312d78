#include <prehend/math/solvers/decompositions.h>

PREHEND_DECOMPOSITIONS_ELIMINATION();
