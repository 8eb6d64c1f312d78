// How a body may move that touches another, to second order: what curvature adds to the first-order freedoms.
//
// A motion x -> x + theta (s1 x x + s2) + theta^2/2 (s3 x x + s4 + s1 x (s1 x x + s2)) changes the distance at a contact by
//   N.(s1 x xc + s2) theta + (N.(s3 x xc + s4) + h(s1, s2)) theta^2/2          (3.70) of Takamatsu 2004.
// A screw [s1, s2] is maintaining when some [s3, s4] keeps every contact at zero, detaching when some leaves none negative, illegal otherwise:
// a linear program over the contacts that first order leaves closed. [s3, s4] proves the one; weights >= 0 of rows that add up to nothing
// while the weighted h is negative prove the other. Rows that depend on each other give quadratic forms of the screws.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <prehend/math/spatial.h>
#include <prehend/observation/contact_relation.h>
#include <prehend/observation/motion_freedom.h>

namespace prehend::observation {

struct SecondOrderOptions {
  FreedomOptions first{};
  // [forms] Dependent sets of rows beyond this are not listed; 10 points have at most 210.
  int most_forms{1000};
  // [combinations] of one plane per singular contact that are tried for one screw.
  int most_combinations{4096};

  void validate() const;
};

// A contact row in a dependency: sum of weight * row = 0. Rows are [p x n, n] with unit n, moments about any one point.
struct DependencyTerm {
  int contact{0}, point{0}, plane{0};
  double weight{0.0};
};

struct JudgedScrew {
  ScrewVerdict verdict{ScrewVerdict::illegal};
  // h per contact, unit normal, [m/rad^2 for a screw of unit angular velocity]; the least of its points, the largest of its planes. Not
  // finite: -infinity where the distance falls faster than theta^2, +infinity where the features no longer face each other.
  std::vector<double> coefficients;
  // Not illegal: the least one, in the contacts' size, v of the world's origin.
  std::optional<math::Vector6d> s3_s4_W;
  std::vector<DependencyTerm> dependency;  // illegal by second order; of the first combination of planes
  std::string reason;                      // illegal: one sentence
};

// A dependency of contact rows, and the quadratic form sum of weight * h over the screws that keep every contact to first order.
struct DependentForm {
  int positive{0}, negative{0}, zero{0};  // signature
  bool one_sided{false};  // all weights positive: it bounds what is legal, not only what maintains
  std::vector<DependencyTerm> terms;  // the largest weight is 1
  math::Matrix6d matrix_W{
      math::Matrix6d::Zero()};  // [m] sum of weight * h = s'matrix s for screws s of `basis_W`
};

struct ScrewSubspace {
  std::vector<math::Vector6d> basis_W;
};

struct SecondOrderFreedom {
  MotionFreedom first;
  std::vector<math::Vector6d> basis_W;  // of the screws the forms are over
  std::vector<DependentForm> forms;
  struct Maintaining {
    bool linear{false};
    std::vector<ScrewSubspace> components;  // their union, where linear; else what holds it
  } maintaining;
  struct Legal {
    bool linear{false};
    int dimension{0};  // of the set of legal screws
  } legal;
  std::vector<JudgedScrew> screws;
  std::vector<std::string> notes;

  // The document of MotionFreedom with the verdicts of second order, and "second":{"forms":[],"maintaining":{},"legal":{}}.
  std::string to_json() const;
  std::string brief_report() const;
};

// A screw that would need more combinations of planes than allowed.
class UndecidedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Contacts made ready, to judge many screws.
class SecondOrderContacts {
 public:
  // Throws ContactError: a curvature, a tangent or a normal that cannot be, bodies that overlap.
  explicit SecondOrderContacts(const ContactRelation& relation, const SecondOrderOptions& options = {});
  ~SecondOrderContacts();
  SecondOrderContacts(SecondOrderContacts&&) noexcept;
  SecondOrderContacts& operator=(SecondOrderContacts&&) noexcept;

  // Throws std::invalid_argument: zero or not finite; UndecidedError.
  JudgedScrew judge(const math::Vector6d& screw_W) const;
  // Forms, sets of screws and their dimension.
  void describe(SecondOrderFreedom& freedom) const;
  const std::vector<std::string>& notes() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Throws as the above.
SecondOrderFreedom second_order_freedom(const ContactRelation& relation,
                                        const std::vector<math::Vector6d>& screws_W = {},
                                        const SecondOrderOptions& options = {});

}  // namespace prehend::observation
