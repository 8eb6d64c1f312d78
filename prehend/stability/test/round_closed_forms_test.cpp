// Round bodies in grooves, cones, cradles and on edges against closed forms, to 0.5 %.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/test/unit_weight.h>

namespace prehend::stability {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::kDegree;
using math::kPi;

std::string geom_text(const std::string& shape, const Vector3d& p, const Quaterniond& q, double mu) {
  char text[400];
  std::snprintf(text, sizeof text,
                "<geom %s friction=\"%.17g\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"",
                shape.c_str(), mu, p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z());
  return text;
}

// A board that rises outwards at `angle`, its inner face through `p`, whose normal points at `azimuth` + 180 degrees.
std::string board(const Vector3d& p, double angle, double azimuth, double mu, double width = 1.0) {
  const Quaterniond q =
      Eigen::AngleAxisd(azimuth, Vector3d::UnitZ()) * Eigen::AngleAxisd(-angle, Vector3d::UnitY());
  const std::string shape =
      "type=\"box\" size=\"0.5 " + std::to_string(width) + " 0.05\" contype=\"1\" conaffinity=\"1\"";
  return geom_text(shape, p - q * Vector3d(0, 0, 0.05), q, mu) + "/>";
}

model::Scene with_body(const std::string& fixed, const std::string& geom, const Vector3d& p,
                       const Quaterniond& q, double mu) {
  char pose[300];
  std::snprintf(pose, sizeof pose, "pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", p.x(), p.y(),
                p.z(), q.w(), q.x(), q.y(), q.z());
  return model::read_scene_text("<mujoco><option gravity=\"0 0 -9.81\"/><worldbody>" + fixed +
                                    "<body name=\"body\" " + pose + "><freejoint/><geom mass=\"1\" " + geom +
                                    " friction=\"" + std::to_string(mu) + "\"/></body></worldbody></mujoco>",
                                model::SceneFormat::mjcf, "closed_form.xml");
}

PushAnswer pushed(const model::Scene& scene, const Vector3d& p, const Vector3d& d) {
  RobustnessOptions options;
  options.check_points = false;  // a push may also act on the axis
  const RobustnessResult result =
      robustness(scene, std::vector<Push>{{scene.find_body("body"), p, d}}, options);
  if (result.answers.empty()) ADD_FAILURE() << to_string(result.status) << ": " << result.brief_report();
  return result.answers.empty() ? PushAnswer{} : result.answers.front();
}

void expect_both(const PushAnswer& answer, double truth) {
  EXPECT_NEAR(answer.robustness, truth, 0.005 * truth);
  EXPECT_NEAR(answer.without_prestress, truth, 0.005 * truth);
}

// A can in a V whose sides rise at `a`. Along its axis Coulomb's law holds mu W / cos a; statics lets the sides squeeze: with normal force N and
// transverse friction T = (N cos a - W / 2) / sin a on either side, the axial rest sqrt(mu^2 N^2 - T^2) is largest at
// N = W cos a / 2 / (cos^2 a - mu^2 sin^2 a). Across its axis it rolls over one side at W tan a.
TEST(RoundClosedForms, ACanInAVAtTenAngles) {
  const double mu = 0.5, radius = 0.05;
  for (int degrees = 15; degrees <= 60; degrees += 5) {
    SCOPED_TRACE(degrees);
    const double a = degrees * kDegree, c = std::cos(a), s = std::sin(a);
    std::string sides;
    for (const double azimuth : {0.0, kPi})
      sides += board({0.45 * c * std::cos(azimuth), 0, 0.45 * s}, a, azimuth, mu);
    const Vector3d at(0, 0, radius / c);
    const model::Scene scene = with_body(sides, "type=\"cylinder\" size=\"0.05 0.2\"", at,
                                         Quaterniond(Eigen::AngleAxisd(kPi / 2, Vector3d::UnitX())), mu);
    const PushAnswer along = pushed(scene, at + Vector3d(0, -0.2, 0), {0, 1, 0});
    const double N = 0.5 * kWeight * c / (c * c - mu * mu * s * s), T = (N * c - 0.5 * kWeight) / s;
    EXPECT_NEAR(along.robustness, 2.0 * std::sqrt(mu * mu * N * N - T * T), 0.005 * along.robustness);
    EXPECT_NEAR(along.without_prestress, mu * kWeight / c, 0.005 * mu * kWeight / c);
    EXPECT_EQ(along.load_caused_less, mu * kWeight / c < 0.95 * along.robustness);
    expect_both(pushed(scene, at, {1, 0, 0}), kWeight * std::tan(a));
    expect_both(pushed(scene, at, {-1, 0, 0}), kWeight * std::tan(a));
  }
}

// A ball in a cone that rises at `a`, made of 24 boards: pushed at its centre it rolls over the one before it at W tan a. All other contacts open,
// with v_t = v_n tan a, so that friction below 1 / tan a is of no help to them.
TEST(RoundClosedForms, ABallInACone) {
  const double mu = 0.5, radius = 0.05;
  constexpr int kBoards = 24;
  for (const int degrees : {15, 25, 35, 45, 55}) {
    const double a = degrees * kDegree;
    std::string cone;
    for (int k = 0; k < kBoards; ++k) {
      const double azimuth = 2.0 * kPi * k / kBoards;
      // Just long enough for the ball, so that the scene is as large as what is in it.
      cone += board({0.45 * std::cos(a) * std::cos(azimuth), 0.45 * std::cos(a) * std::sin(azimuth),
                     0.45 * std::sin(a)},
                    a, azimuth, mu, 0.002);
    }
    const Vector3d at(0, 0, radius / std::cos(a));
    const model::Scene scene =
        with_body(cone, "type=\"sphere\" size=\"0.05\"", at, Quaterniond::Identity(), mu);
    for (const int k : {0, 5, 17}) {
      SCOPED_TRACE(std::to_string(degrees) + " degrees, towards board " + std::to_string(k));
      const double azimuth = 2.0 * kPi * k / kBoards;
      expect_both(pushed(scene, at, {std::cos(azimuth), std::sin(azimuth), 0}), kWeight * std::tan(a));
    }
  }
}

// A ball on three balls that are fixed, contacts at `a` off the vertical: towards one of them it rolls over that one at W tan a, away from it over
// the other two at half of that.
TEST(RoundClosedForms, ABallOnThreeBalls) {
  const double mu = 0.6, r = 0.05;
  for (const double top : {0.04, 0.05, 0.08, 0.12}) {
    const double ring = 2.0 * r / std::sqrt(3.0), a = std::asin(ring / (r + top));
    std::string balls;
    for (int k = 0; k < 3; ++k) {
      const double azimuth = 2.0 * kPi * k / 3.0;
      balls +=
          geom_text("type=\"sphere\" size=\"0.05\"", {ring * std::cos(azimuth), ring * std::sin(azimuth), r},
                    Quaterniond::Identity(), mu) +
          "/>";
    }
    const Vector3d at(0, 0, r + (r + top) * std::cos(a));
    const model::Scene scene = with_body(balls, "type=\"sphere\" size=\"" + std::to_string(top) + "\"", at,
                                         Quaterniond::Identity(), mu);
    for (int k = 0; k < 3; ++k) {
      SCOPED_TRACE(std::to_string(top) + " m, ball " + std::to_string(k));
      const double azimuth = 2.0 * kPi * k / 3.0;
      const Vector3d towards(std::cos(azimuth), std::sin(azimuth), 0);
      expect_both(pushed(scene, at, towards), kWeight * std::tan(a));
      expect_both(pushed(scene, at, -towards), 0.5 * kWeight * std::tan(a));
    }
  }
}

// A capsule with one end A on the floor (friction mu) that leans at `b` on the edge of a box without friction, at `e` along its axis; centre of mass
// at h. Pushed at A away from the box it slips at F = mu N_A - N_E sin b, with moments about A: e N_E + r mu N_A = W h cos b, and N_A = W - N_E cos b.
TEST(RoundClosedForms, ACapsuleOnAnEdge) {
  const double r = 0.03, h = 0.2, mu = 0.8;
  for (const double e : {0.33, 0.36, 0.39}) {
    for (int degrees = 10; degrees <= 35; degrees += 5) {
      SCOPED_TRACE(std::to_string(degrees) + " degrees, edge at " + std::to_string(e));
      const double b = degrees * kDegree;
      const Vector3d along(std::cos(b), 0, std::sin(b)), n(-std::sin(b), 0, std::cos(b)), A(0, 0, r);
      const Vector3d edge = A + e * along - r * n;  // of a box that stands beyond it
      char box[300];
      std::snprintf(box, sizeof box,
                    "<geom type=\"box\" size=\"0.1 0.3 %.17g\" pos=\"%.17g 0 %.17g\" friction=\"0\" "
                    "priority=\"1\"/>",
                    0.5 * edge.z(), edge.x() + 0.1, 0.5 * edge.z());
      const std::string floor = "<geom type=\"plane\" size=\"5 5 1\" friction=\"0.8\"/>";
      // The capsule's axis is its z.
      const Quaterniond q = math::rotation_between(Vector3d::UnitZ(), along);
      const model::Scene scene =
          with_body(floor + box, "type=\"capsule\" size=\"0.03 0.2\"", A + h * along, q, mu);
      const double edge_force = kWeight * (h * std::cos(b) - mu * r) / (e - mu * r * std::cos(b));
      const double truth = mu * (kWeight - edge_force * std::cos(b)) - edge_force * std::sin(b);
      expect_both(pushed(scene, A, {-1, 0, 0}), truth);
    }
  }
}

}  // namespace
}  // namespace prehend::stability
