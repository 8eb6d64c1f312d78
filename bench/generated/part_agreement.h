// How well two labellings of the same points agree.
#pragma once

#include <vector>

namespace prehend::generated {

struct Agreement {
  // One minus purity: the share of points outside the most frequent true part of their segment. What table 3.6 of source N calls
  // undersegmentation error, equal to the third digit on the authors' files; it is not Levinshtein's.
  double use{0.0};
  double gce{0.0};  // Martin's global consistency error
  double ari{0.0};  // adjusted Rand index: 1 equal, 0 chance; falls with too many parts too
};

// Points with a label below zero in `found` are left out.
Agreement agreement(const std::vector<int>& found, const std::vector<int>& truth);

}  // namespace prehend::generated
