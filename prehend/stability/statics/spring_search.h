// A state of bodies on springs in which Coulomb's law holds at all contacts and every body is balanced (prestress.h), from nothing.
#pragma once

#include <limits>

#include <prehend/stability/statics/contact_springs.h>

namespace prehend::stability {

// As in ElasticOptions of prestress.h.
struct SpringSearchOptions {
  double tangential_ratio{1.0};
  double tolerance{1e-7};
  int max_rounds{200};
  // Of Newton's method, all rounds together; what is not found by then is not held.
  int max_steps{std::numeric_limits<int>::max()};
};

struct SpringSearch {
  Eigen::VectorXd u;  // the best that was found
  double residual{std::numeric_limits<double>::infinity()};
  int rounds{0}, steps{0};
};

SpringSearch search_springs(const SpringSystem& springs, const SpringSearchOptions& options);
// The first of its attempts alone: what does not hold costs no more than what does, but some that hold are missed.
SpringSearch try_springs(const SpringSystem& springs, const SpringSearchOptions& options);

// From a state with nearly that load, by friction discs that start with the forces there: bodies that lose their place find another, however
// far, where Newton's method finds none.
SpringSearch resume_springs(const SpringSystem& springs, const SpringSearchOptions& options,
                            const Eigen::VectorXd& state);

}  // namespace prehend::stability
