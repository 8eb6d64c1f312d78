// To how many digits a file was written: the coarsest power of ten, 1e-3 to 1e-6, of which all numbers are multiples.
#pragma once

#include <span>

namespace prehend::model {

// 0: none, or fewer than ten different numbers beside 0 and 1, which say nothing. Coarser steps are a user's round numbers, finer ones matter to nobody.
double decimal_step(std::span<const double> numbers);

}  // namespace prehend::model
