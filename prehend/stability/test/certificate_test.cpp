#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "contact_scenes.h"
#include <prehend/stability/certificate.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;
using Eigen::Vector3d;

// A cube of 1 m and 2 kg on a floor, pushed along +x at height h: closed-form proofs for slipping and toppling.
struct CubeCase {
  model::Scene scene;
  ContactSystem system;
  Load load;
  PushAnswer answer;
};

CubeCase pushed_cube(double height, double mu, double scale = 1.0,
                     const Vector3d& offset = Vector3d::Zero()) {
  CubeCase c;
  add_floor(c.scene, mu, math::Pose::translation(offset), 10.0 * scale);
  const Vector3d centre = offset + Vector3d(0, 0, 0.5 * scale);
  const auto body = add_box(c.scene, {.size = Vector3d::Constant(scale),
                                      .X_WB = math::Pose::translation(centre),
                                      .mass = 2.0,
                                      .friction = mu});
  c.scene.gravity_W = {0, 0, -10};
  ContactSystemOptions options;
  options.contact.gap_tolerance = 1e-4 * scale;
  c.system = build_contact_system(c.scene, options);
  const double h = height * scale;
  c.load = push_load(c.scene, c.system, {body, offset + Vector3d(-0.5 * scale, 0, h), Vector3d::UnitX()});
  // Slips at mu m g, topples at m g / (2 h / scale).
  const double slip = mu * 20.0, topple = 20.0 * 0.5 * scale / h;
  c.answer.status = AnswerStatus::ok;
  c.answer.robustness = c.answer.lower = c.answer.upper = std::min(slip, topple);
  Proof proof;
  const double r = c.answer.lower;
  for (const SystemContact& contact : c.system.contacts) {
    // Two corners at each end in x; the end at +x carries the moment of the push.
    const double front = contact.p_W.x() > offset.x() ? 1.0 : -1.0;
    const double n = 0.25 * 20.0 + front * 0.5 * r * h / scale;
    const double up = contact.n_W().z();  // +1: floor is body a
    proof.forces_W.push_back(up * Vector3d(-r * n / 20.0, 0, n));
  }
  math::Vector6d twist = math::Vector6d::Zero();
  if (slip < topple) {
    twist.tail<3>() = Vector3d(1, 0, mu);
  } else {
    const Vector3d edge = offset + Vector3d(0.5 * scale, 0, 0), w(0, 1, 0);
    twist << w, w.cross(c.system.origin_W - edge);
  }
  proof.multiple = r;
  proof.motion = {twist};
  c.answer.proof = std::make_shared<Proof>(proof);
  return c;
}

Certificate check_changed(const CubeCase& c, const std::function<void(PushAnswer&, Proof&)>& change) {
  PushAnswer answer = c.answer;
  Proof proof = *c.answer.proof;
  change(answer, proof);
  answer.proof = std::make_shared<Proof>(proof);
  return check_answer(c.system, c.load, answer);
}

TEST(Certificate, AcceptsClosedForms) {
  for (const double height : {0.2, 0.9}) {
    for (const double mu : {0.3, 0.8}) {
      const CubeCase c = pushed_cube(height, mu);
      ASSERT_EQ(c.system.contacts.size(), 4u);
      const Certificate certificate = check_answer(c.system, c.load, c.answer);
      EXPECT_TRUE(certificate.valid) << certificate.brief_report();
      EXPECT_LT(certificate.equilibrium_residual, 1e-12);
      EXPECT_LT(certificate.motion_violation, 1e-12);
      EXPECT_LT(certificate.power_residual, 1e-12);
      EXPECT_LT(certificate.weight_power, 0.0);
      EXPECT_EQ(certificate.gap, 0.0);
    }
  }
}

TEST(Certificate, DoesNotDependOnScaleOrPlace) {
  for (const double scale : {0.001, 1000.0}) {
    for (const Vector3d& offset : {Vector3d(0, 0, 0), Vector3d(40, -30, 7)}) {
      const CubeCase c = pushed_cube(0.9, 0.8, scale, offset);
      ASSERT_EQ(c.system.contacts.size(), 4u);
      EXPECT_TRUE(check_answer(c.system, c.load, c.answer).valid) << scale;
      const auto wrong = check_changed(c, [](PushAnswer&, Proof& p) { p.forces_W[1] *= 1.0001; });
      EXPECT_FALSE(wrong.valid) << scale;
    }
  }
}

TEST(Certificate, RefusesCorruptedProofs) {
  const CubeCase c = pushed_cube(0.2, 0.3);
  const struct {
    const char* problem;
    std::function<void(PushAnswer&, Proof&)> change;
  } cases[] = {
      {"do not balance", [](PushAnswer&, Proof& p) { p.forces_W[0] *= 1.001; }},
      {"do not balance", [](PushAnswer& a, Proof& p) { p.multiple = a.lower *= 0.99; }},
      {"another multiple", [](PushAnswer& a, Proof&) { a.lower *= 0.99; }},
      {"do not balance", [](PushAnswer&, Proof& p) { std::swap(p.forces_W[0], p.forces_W[2]); }},
      {"do not balance", [](PushAnswer&, Proof& p) { p.forces_W[0].x() = std::nan(""); }},
      {"outside its friction cone",
       [](PushAnswer&, Proof& p) {  // two corners pull on each other: still balanced
         p.forces_W[0].y() += 3.0;
         p.forces_W[1].y() -= 3.0;
         p.forces_W[2].y() += 3.0;
         p.forces_W[3].y() -= 3.0;
       }},
      {"forces for", [](PushAnswer&, Proof& p) { p.forces_W.pop_back(); }},
      {"resist the motion", [](PushAnswer&, Proof& p) { p.motion[0][5] *= 0.999; }},
      {"resist the motion", [](PushAnswer&, Proof& p) { p.motion[0] = -p.motion[0]; }},
      {"powers", [](PushAnswer&, Proof& p) { p.motion[0][5] *= 1.01; }},
      {"powers", [](PushAnswer& a, Proof&) { a.upper *= 1.01; }},
      {"not finite", [](PushAnswer&, Proof& p) { p.motion[0][3] = std::nan(""); }},
      {"nothing moves", [](PushAnswer&, Proof& p) { p.motion[0].setZero(); }},
      {"twists for", [](PushAnswer&, Proof& p) { p.motion.clear(); }},
      {"outside its bounds", [](PushAnswer& a, Proof&) { a.robustness *= 1.01; }},
      {"upper bound is", [](PushAnswer& a, Proof&) { a.upper = PushAnswer::kUnknown; }},
      {"claims nothing", [](PushAnswer& a, Proof&) { a.status = AnswerStatus::undetermined; }},
      {"finite value", [](PushAnswer& a, Proof&) { a.unbounded = true; }},
      {"no work", [](PushAnswer& a, Proof&) { a.status = AnswerStatus::unstable; }},
  };
  for (const auto& test : cases) {
    const Certificate certificate = check_changed(c, test.change);
    EXPECT_FALSE(certificate.valid) << test.problem;
    if (std::string(test.problem) != "finite value") {
      EXPECT_NE(certificate.problem.find(test.problem), std::string::npos)
          << certificate.problem << ", wanted: " << test.problem;
    }
  }
  PushAnswer bare = c.answer;
  bare.proof = nullptr;
  EXPECT_FALSE(check_answer(c.system, c.load, bare).valid);
  EXPECT_FALSE(check_answer(c.system, {}, c.answer).valid);
  EXPECT_FALSE(check_answer(c.system, {{NodeIndex(), c.load[0].wrench}}, c.answer).valid);
}

TEST(Certificate, UnboundedBalancesAFarLoad) {
  const CubeCase c = pushed_cube(0.2, 0.3);
  const Load down{{NodeIndex(0), c.system.force_wrench(-Vector3d::UnitZ(), {0, 0, 1})}};
  PushAnswer answer;
  answer.status = AnswerStatus::ok;
  answer.unbounded = true;
  answer.robustness = answer.lower = answer.upper = std::numeric_limits<double>::infinity();
  Proof proof;
  for (const SystemContact& contact : c.system.contacts)
    proof.forces_W.push_back({0, 0, 0.25 * contact.n_W().z() * (1e6 + c.system.weight)});
  proof.multiple = 1e6;
  answer.proof = std::make_shared<Proof>(proof);
  EXPECT_TRUE(check_answer(c.system, down, answer).valid);
  EXPECT_FALSE(check_answer(c.system, c.load, answer).valid);  // not the load these forces balance
  proof.forces_W[0] *= 2.0;
  answer.proof = std::make_shared<Proof>(proof);
  EXPECT_FALSE(check_answer(c.system, down, answer).valid);
  proof.multiple = 2.0;
  for (Vector3d& f : proof.forces_W) f = {0, 0, 0.25 * (2.0 + c.system.weight)};
  answer.proof = std::make_shared<Proof>(proof);
  EXPECT_NE(check_answer(c.system, down, answer).problem.find("only up to"), std::string::npos);
}

TEST(Certificate, RestAndFall) {
  const CubeCase c = pushed_cube(0.2, 0.3);
  std::vector<Vector3d> forces(4, 5.0 * c.system.contacts[0].n_W());
  EXPECT_TRUE(check_resting_forces(c.system, forces).valid);
  forces[0] *= 1.001;
  EXPECT_FALSE(check_resting_forces(c.system, forces).valid);

  // mu 0.5 on a slope of 30 degrees slides; on one of 25 degrees the same motion lifts the box.
  for (const double degrees : {30.0, 25.0}) {
    const double angle = degrees * std::acos(-1.0) / 180.0;
    const ContactSystem slope = build_contact_system(box_on_slope(angle, 0.5));
    math::Vector6d slide = math::Vector6d::Zero();
    slide.tail<3>() = tilted(angle).R() * Vector3d(1, 0, 0.5);
    const Certificate certificate = check_falling(slope, std::vector{slide});
    EXPECT_EQ(certificate.valid, degrees == 30.0) << certificate.brief_report();
    EXPECT_NEAR(certificate.weight_power * slide.tail<3>().norm(), std::sin(angle) - 0.5 * std::cos(angle),
                1e-9);
    slide.tail<3>() = tilted(angle).R() * Vector3d(1, 0, 0.49);
    EXPECT_FALSE(check_falling(slope, std::vector{slide}).valid);
  }
}

// A pebble beside a rock a million times heavier: half of its weight missing is 5e-7 of the total.
TEST(Certificate, LightBodiesCount) {
  HandSystem hand(1e6);
  ContactSystem& system = hand.system;
  system.bodies.push_back({model::BodyIndex(2), 1.0, Vector3d(2, 0, 0)});
  hand.touch({0, 0, 0}, Vector3d::UnitZ(), 0.5);
  hand.touch({2, 0, 0}, Vector3d::UnitZ(), 0.5);
  system.contacts[1].b = NodeIndex(1);
  EXPECT_TRUE(check_resting_forces(system, std::vector<Vector3d>{{0, 0, 1e7}, {0, 0, 10}}).valid);
  const Certificate wrong = check_resting_forces(system, std::vector<Vector3d>{{0, 0, 1e7}, {0, 0, 5}});
  EXPECT_LT(wrong.equilibrium_residual, 1e-6);
  EXPECT_FALSE(wrong.valid);
}

TEST(Certificate, OptionsAreChecked) {
  try {
    check_resting_forces(HandSystem().system, {}, {.tolerance = 0.0});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "CertificateOptions::tolerance is 0; it must be finite and above 0");
  }
}

}  // namespace
}  // namespace prehend::stability
