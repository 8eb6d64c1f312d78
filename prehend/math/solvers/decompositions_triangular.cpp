#include <prehend/math/solvers/decompositions.h>

PREHEND_CHOLESKYS();
PREHEND_ELIMINATION();
