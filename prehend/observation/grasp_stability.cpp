#include <algorithm>
#include <cmath>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/random.h>
#include <prehend/observation/cones/contact_planes.h>
#include <prehend/observation/grasp_stability.h>

namespace prehend::observation {
namespace {

using math::Vector6d;

// Narrower, equal or wider: -1, 0, 1. Shares that differ by less than what counting resolves are equal.
int compared(const MotionRange& a, const MotionRange& b) {
  constexpr double kSameShare = 0.03;
  if (a.dimension != b.dimension) return a.dimension < b.dimension ? -1 : 1;
  if (std::abs(a.share - b.share) > kSameShare) return a.share < b.share ? -1 : 1;
  return 0;
}

// A random screw of the first-order cone, in directions that are even in the contacts' size.
Vector6d random_screw(const LegalCone& cone, const ContactPlanes& planes, math::RandomStream& random) {
  Vector6d screw = Vector6d::Zero();
  for (const Vector6d& basis : cone.lineality_W)
    screw += random.normal() * basis / planes.scaled(basis).norm();
  for (const Vector6d& ray : cone.rays_W)
    screw += std::abs(random.normal()) * ray / planes.scaled(ray).norm();
  return screw;
}

Contact finger(const Eigen::Vector3d& p, double body, double finger) {
  const Eigen::Vector3d n = -p;
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose();
  Contact contact{"face-face", {p}, {n}};
  contact.moving.face_curvature_W = body * across;
  contact.fixed.face_curvature_W = finger * across;
  return contact;
}

}  // namespace

const char* to_string(GraspOrder order) { return enum_text(order); }

void GraspStabilityOptions::validate() const {
  math::OptionCheck("GraspStabilityOptions").at_least("screws", screws, 1);
  second.validate();
}

GraspStability grasp_stability(const std::string& name, const ContactRelation& relation,
                               const GraspStabilityOptions& options) {
  options.validate();
  GraspStability grasp;
  grasp.name = name;
  grasp.freedom = second_order_freedom(relation, {}, options.second);
  grasp.first_order_mobility = static_cast<int>(grasp.freedom.basis_W.size());
  for (const ScrewSubspace& component : grasp.freedom.maintaining.components)
    grasp.maintaining_dimension =
        std::max(grasp.maintaining_dimension, static_cast<int>(component.basis_W.size()));
  // Zeros of a form in what is left: one dimension less than it.
  if (!grasp.freedom.maintaining.linear) --grasp.maintaining_dimension;
  if (grasp.freedom.forms.size() == 1 && grasp.freedom.forms[0].one_sided)
    grasp.second_order_mobility = grasp.freedom.forms[0].positive + grasp.freedom.forms[0].zero;
  grasp.legal.dimension = grasp.freedom.legal.dimension;
  const SecondOrderContacts contacts(relation, options.second);
  const ContactPlanes planes(relation);
  math::RandomStream random(options.seed);
  int legal = 0, detaching = 0, all = 0;
  for (int i = 0; i < options.screws && !grasp.freedom.first.legal.empty(); ++i) {
    const LegalCone& cone =
        grasp.freedom.first.legal[static_cast<std::size_t>(i) % grasp.freedom.first.legal.size()];
    const Vector6d screw = random_screw(cone, planes, random);
    if (screw.isZero(0.0)) continue;
    ++all;
    const ScrewVerdict verdict = contacts.judge(screw).verdict;
    legal += verdict != ScrewVerdict::illegal;
    detaching += verdict == ScrewVerdict::detaching;
  }
  if (all > 0) {
    grasp.legal.share = static_cast<double>(legal) / all;
    grasp.detaching.share = static_cast<double>(detaching) / all;
  }
  // Legal motions that are not maintaining: all of the legal ones but a smaller set, or none.
  if (detaching > 0 || grasp.legal.dimension > grasp.maintaining_dimension)
    grasp.detaching.dimension = grasp.legal.dimension;
  return grasp;
}

GraspOrder compare(const GraspStability& a, const GraspStability& b) {
  const int legal = compared(a.legal, b.legal);
  int detaching = compared(a.detaching, b.detaching);
  // The same share, but more of the rest stays in touch: narrower.
  if (detaching == 0 && a.detaching.dimension >= 0 && a.maintaining_dimension != b.maintaining_dimension)
    detaching = a.maintaining_dimension > b.maintaining_dimension ? -1 : 1;
  if (legal == 0 && detaching == 0) return GraspOrder::equal;
  if (legal <= 0 && detaching <= 0) return GraspOrder::stabler;
  if (legal >= 0 && detaching >= 0) return GraspOrder::less_stable;
  return GraspOrder::not_comparable;
}

std::vector<NamedGrasp> grasps_of_figure_3_5() {
  std::vector<NamedGrasp> grasps{{"a", "ball between flat fingers", 1.0, 0.0, {}},
                                 {"b", "box between round fingers", 0.0, 1.0, {}},
                                 {"c", "ball between equal balls", 1.0, 1.0, {}},
                                 {"d", "ball between balls twice as large", 1.0, 0.5, {}},
                                 {"e", "ball between balls half as large", 1.0, 2.0, {}},
                                 {"f", "wide ellipsoid between balls", 0.5, 1.0, {}},
                                 {"g", "narrow ellipsoid between balls", 2.0, 1.0, {}}};
  for (NamedGrasp& grasp : grasps)
    grasp.relation.contacts = {finger({0, 0, 1}, grasp.body_curvature, grasp.finger_curvature),
                               finger({0, 0, -1}, grasp.body_curvature, grasp.finger_curvature)};
  return grasps;
}

}  // namespace prehend::observation
