#include <algorithm>
#include <stdexcept>

#include <prehend/math/house/option_check.h>
#include <prehend/math/progress.h>
#include <prehend/math/random.h>
#include <prehend/observation/second/dependent_forms.h>
#include <prehend/observation/second/judge.h>
#include <prehend/observation/second_order.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using math::Vector6d;

Rows stacked(const Rows& a, const Rows& b) {
  Rows rows(a.rows() + b.rows(), 6);
  rows << a, b;
  return rows;
}

// Screws that keep every contact to first order, where no flat surfaces are tilted; columns, orthonormal in scaled units.
MatrixXd first_order_space(const FormContacts& contacts) {
  Rows rows = stacked(contacts.rows, contacts.others);
  for (const GapForm& form : contacts.forms) rows = stacked(rows, form.bounded);
  return null_space(rows);
}

// A cone of a singular relation counts when a screw inside it is legal.
int sampled_dimension(const PreparedContacts& contacts, const MotionFreedom& first,
                      const SecondOrderOptions& options) {
  int dimension = -1;
  math::RandomStream random(1);
  for (const LegalCone& cone : first.legal) {
    std::vector<Vector6d> all = cone.lineality_W;
    all.insert(all.end(), cone.rays_W.begin(), cone.rays_W.end());
    Rows rows(static_cast<Index>(all.size()), 6);
    for (std::size_t i = 0; i < all.size(); ++i)
      rows.row(static_cast<Index>(i)) = contacts.planes.scaled(all[i]).normalized();
    const int size = rank_of(rows);
    // Of 100 random screws inside, one legal one suffices; a part of less than a hundredth of the cone may be missed.
    for (int trial = 0; trial < 100 && size > dimension; ++trial) {
      math::check_interrupt();
      Vector6d screw = Vector6d::Zero();
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double weight = random.normal();
        screw += (i < cone.lineality_W.size() ? weight : std::abs(weight)) * all[i];
      }
      if (judge_screw(contacts, screw, options).verdict != ScrewVerdict::illegal) dimension = size;
    }
  }
  return dimension;
}

}  // namespace

void SecondOrderOptions::validate() const {
  first.validate();
  const math::OptionCheck check("SecondOrderOptions");
  check.at_least("most_forms", most_forms, 1);
  check.at_least("most_combinations", most_combinations, 1);
}

struct SecondOrderContacts::Implementation {
  SecondOrderOptions options;
  PreparedContacts contacts;
};

namespace {

const ContactRelation& validated(const ContactRelation& relation) {
  relation.validate();
  return relation;
}

}  // namespace

SecondOrderContacts::SecondOrderContacts(const ContactRelation& relation, const SecondOrderOptions& options)
    : implementation_(new Implementation{options, PreparedContacts(validated(relation))}) {
  options.validate();
}
SecondOrderContacts::~SecondOrderContacts() = default;
SecondOrderContacts::SecondOrderContacts(SecondOrderContacts&&) noexcept = default;
SecondOrderContacts& SecondOrderContacts::operator=(SecondOrderContacts&&) noexcept = default;

const std::vector<std::string>& SecondOrderContacts::notes() const { return implementation_->contacts.notes; }

JudgedScrew SecondOrderContacts::judge(const Vector6d& screw_W) const {
  if (!screw_W.allFinite() || screw_W.isZero(0.0))
    throw std::invalid_argument("a screw is zero or not finite");
  return judge_screw(implementation_->contacts, screw_W, implementation_->options);
}

void SecondOrderContacts::describe(SecondOrderFreedom& freedom) const {
  const PreparedContacts& prepared = implementation_->contacts;
  const SecondOrderOptions& options = implementation_->options;
  const FormContacts contacts(prepared);
  const MatrixXd space = first_order_space(contacts);
  for (Index k = 0; k < space.cols(); ++k) freedom.basis_W.push_back(prepared.planes.unscaled(space.col(k)));
  math::Matrix6d to_scaled;
  for (Index k = 0; k < 6; ++k) to_scaled.col(k) = prepared.planes.scaled(Vector6d::Unit(k));
  std::vector<MatrixXd> forms;
  std::vector<double> sizes;
  bool is_all = true;
  if (space.cols() > 0) {
    std::vector<Eigen::VectorXd> dependencies;
    is_all = minimal_dependencies(contacts.rows, options.most_forms, dependencies);
    for (const Eigen::VectorXd& y : dependencies) {
      DependentForm& listed = freedom.forms.emplace_back();
      MatrixXd form = MatrixXd::Zero(6, 6);
      double size = 0.0;
      for (Index i = 0; i < y.size(); ++i) {
        if (y[i] == 0.0) continue;
        const auto at = static_cast<std::size_t>(i);
        form += y[i] * contacts.forms[at].Q;
        size += std::abs(y[i]) * contacts.forms[at].Q.norm();
        listed.terms.push_back({contacts.points[at]->contact, contacts.points[at]->point, 0, y[i]});
      }
      listed.one_sided = y.minCoeff() >= 0.0;
      forms.push_back(space.transpose() * form * space);
      sizes.push_back(size);
      const Signature signature = signature_of(forms.back(), size);
      listed.positive = signature.positive;
      listed.negative = signature.negative;
      listed.zero = signature.zero;
      listed.matrix_W = to_scaled.transpose() * form * to_scaled / prepared.planes.length;
    }
  }
  if (!is_all)
    freedom.notes.push_back("more than " + std::to_string(options.most_forms) +
                            " sets of contacts depend on each other; not all forms are listed");
  std::vector<MatrixXd> components{MatrixXd::Identity(space.cols(), space.cols())};
  freedom.maintaining.linear = decompose_maintaining(forms, sizes, components) && is_all;
  for (const MatrixXd& component : components) {
    ScrewSubspace& listed = freedom.maintaining.components.emplace_back();
    for (Index k = 0; k < component.cols(); ++k)
      listed.basis_W.push_back(prepared.planes.unscaled(space * component.col(k)));
  }
  if (contacts.is_complete) {
    const LegalSet legal = legal_set(contacts, options.most_forms);
    freedom.legal = {legal.linear,
                     legal.complete ? legal.dimension : sampled_dimension(prepared, freedom.first, options)};
  } else {
    freedom.maintaining.linear = false;
    freedom.legal = {false, sampled_dimension(prepared, freedom.first, options)};
    freedom.notes.push_back(
        "forms are of the contacts with one plane and features that do not end at the point; the others are "
        "judged screw by screw");
  }
  if (freedom.legal.dimension < 0) {
    freedom.legal.dimension = 0;
    freedom.notes.push_back("no legal screw was found; those of a small set may have been missed");
  }
}

SecondOrderFreedom second_order_freedom(const ContactRelation& relation,
                                        const std::vector<Vector6d>& screws_W,
                                        const SecondOrderOptions& options) {
  options.validate();
  const SecondOrderContacts contacts(relation, options);
  SecondOrderFreedom freedom;
  freedom.first = motion_freedom(relation, screws_W, options.first);
  freedom.notes = contacts.notes();
  contacts.describe(freedom);
  math::Progress progress("screws", screws_W.size());
  for (const Vector6d& screw : screws_W) {
    freedom.screws.push_back(contacts.judge(screw));
    progress.advance();
  }
  return freedom;
}

}  // namespace prehend::observation
