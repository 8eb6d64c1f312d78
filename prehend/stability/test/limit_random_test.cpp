// Proofs of `exact` on a thousand random scenes, checked by certificate.h; and the laws that limits obey.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "random_scenes.h"
#include <prehend/stability/certificate.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;
using Eigen::Vector3d;

TEST(LimitRandom, EveryAnswerOfAThousandScenesIsProven) {
  int stable = 0, unstable = 0, bounded = 0, unbounded = 0;
  const std::uint64_t count = std::getenv("PREHEND_SLOW") ? 20000 : 1000;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const RandomScene made = random_scene(seed);
    const LimitAnalysis analysis(build_contact_system(made.scene));
    if (analysis.stability() == Stability::unstable) {
      ++unstable;
      const Certificate falls = check_falling(analysis.system(), analysis.falling());
      EXPECT_TRUE(falls.valid) << "scene " << seed << ": " << falls.brief_report();
      EXPECT_FALSE(analysis.falling_bodies().empty()) << seed;
      continue;
    }
    ASSERT_EQ(analysis.stability(), Stability::stable) << seed << analysis.note();
    ++stable;
    const Certificate rests = check_resting_forces(analysis.system(), analysis.resting_forces());
    EXPECT_TRUE(rests.valid) << "scene " << seed << ": " << rests.brief_report();
    math::RandomStream random(seed, 5);
    std::vector<Load> loads;
    for (int i = 0; i < 3; ++i)
      loads.push_back(push_load(made.scene, analysis.system(), random_push(made, random)));
    const std::vector<PushAnswer> answers = analysis.ask(loads);
    for (int i = 0; i < 3; ++i) {
      const Load& load = loads[static_cast<std::size_t>(i)];
      const PushAnswer& answer = answers[static_cast<std::size_t>(i)];
      const Certificate proven = check_answer(analysis.system(), load, answer);
      EXPECT_TRUE(proven.valid) << "scene " << seed << " push " << i << ": " << proven.brief_report()
                                << answer.note;
      if (answer.unbounded) {
        ++unbounded;
      } else {
        ++bounded;
        EXPECT_LE(answer.upper - answer.lower, 1.01e-4 * answer.upper) << seed;
        EXPECT_NE(answer.mode, Mode::undetermined) << seed;
        EXPECT_FALSE(answer.moving.empty()) << seed;
      }
    }
  }
  // The generator makes all kinds.
  EXPECT_GT(stable, 300);
  EXPECT_GT(unstable, 100);
  EXPECT_GT(bounded, 500);
  EXPECT_GT(unbounded, 50);
}

TEST(LimitRandom, KernelAndGeneralSolverAgree) {
  int compared = 0;
  for (std::uint64_t seed = 2000; seed < 2150; ++seed) {
    const RandomScene made = random_scene(seed);
    const ContactSystem system = build_contact_system(made.scene);
    const LimitAnalysis analysis(system, {.accuracy = 1e-7});
    const LimitAnalysis general(system, {.general_only = true});
    ASSERT_EQ(analysis.stability(), general.stability()) << seed;
    if (analysis.stability() != Stability::stable) continue;
    math::RandomStream random(seed, 6);
    std::vector<Load> loads;
    for (int i = 0; i < 3; ++i) loads.push_back(push_load(made.scene, system, random_push(made, random)));
    const std::vector<PushAnswer> by_kernel = analysis.ask(loads), by_general = general.ask(loads);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const PushAnswer &a = by_kernel[i], &b = by_general[i];
      ASSERT_EQ(a.unbounded, b.unbounded) << seed;
      if (a.unbounded) continue;
      ++compared;
      EXPECT_NEAR(a.robustness, b.robustness, 1e-6 * b.robustness + 1e-9 * system.weight) << seed;
    }
  }
  EXPECT_GT(compared, 100);
}

// Asks the same push of a changed scene.
double limit_of(const model::Scene& scene, const Push& push, const ContactSystemOptions& options = {}) {
  const LimitAnalysis analysis(build_contact_system(scene, options), {.accuracy = 1e-7});
  return analysis.ask(push_load(scene, analysis.system(), push)).robustness;
}

TEST(LimitRandom, MoreFrictionNeverWeakens) {
  int compared = 0;
  for (std::uint64_t seed = 3000; seed < 3080; ++seed) {
    RandomScene made = random_scene(seed);
    if (LimitAnalysis(build_contact_system(made.scene)).stability() != Stability::stable) continue;
    math::RandomStream random(seed, 7);
    const Push push = random_push(made, random);
    const double before = limit_of(made.scene, push);
    const double weight = build_contact_system(made.scene).weight;
    for (model::Body& body : made.scene.bodies) {
      for (model::Geom& geom : body.geoms) geom.friction *= 1.1;
    }
    ++compared;
    // The general solver's accuracy is relative to the weights.
    EXPECT_GE(limit_of(made.scene, push), before * (1.0 - 1e-6) - 1e-8 * weight) << seed;
  }
  EXPECT_GT(compared, 20);
}

TEST(LimitRandom, DoublingAllMassesDoublesTheLimit) {
  for (std::uint64_t seed = 3100; seed < 3140; ++seed) {
    RandomScene made = random_scene(seed);
    if (LimitAnalysis(build_contact_system(made.scene)).stability() != Stability::stable) continue;
    math::RandomStream random(seed, 8);
    const Push push = random_push(made, random);
    const double before = limit_of(made.scene, push);
    for (model::Body& body : made.scene.bodies) body.inertia.mass *= 2.0;
    const double after = limit_of(made.scene, push);
    if (std::isinf(before)) {
      EXPECT_TRUE(std::isinf(after)) << seed;
    } else {
      EXPECT_NEAR(after, 2.0 * before, 1e-6 * before) << seed;
    }
  }
}

TEST(LimitRandom, SameAnswerTurnedScaledAndReordered) {
  int compared = 0;
  for (std::uint64_t seed = 4000; seed < 4060; ++seed) {
    RandomScene made = random_scene(seed);
    if (LimitAnalysis(build_contact_system(made.scene)).stability() != Stability::stable) continue;
    math::RandomStream random(seed, 9);
    const Push push = random_push(made, random);
    const double before = limit_of(made.scene, push);
    const auto expect_same = [&](double after, double factor, const char* what) {
      if (std::isinf(before)) {
        EXPECT_TRUE(std::isinf(after)) << what << seed;
      } else {
        ++compared;
        EXPECT_NEAR(after, factor * before, 1e-5 * factor * before) << what << seed;
      }
    };
    const math::Pose X(random.rotation(), Vector3d(20, -10, 5));
    model::Scene turned = made.scene;
    turned.gravity_W = X.R() * turned.gravity_W;
    for (model::Body& body : turned.bodies) body.X_WB = X * body.X_WB;
    expect_same(limit_of(turned, {push.body, X * push.p_W, X.R() * push.d_W}), 1.0, "turned ");

    // Millimetres and grams: a force of 1 N is 1e6 g mm/s^2.
    model::Scene scaled = made.scene;
    scaled.gravity_W *= 1e3;
    for (model::Body& body : scaled.bodies) {
      body.X_WB = math::Pose(body.X_WB.q(), 1e3 * body.X_WB.p());
      body.inertia.mass *= 1e3;
      body.inertia.com *= 1e3;
      for (model::Geom& geom : body.geoms) {
        for (Vector3d& vertex : geom.mesh.vertices) vertex *= 1e3;
      }
    }
    ContactSystemOptions millimetres;
    millimetres.contact.gap_tolerance *= 1e3;
    expect_same(limit_of(scaled, {push.body, 1e3 * push.p_W, push.d_W}, millimetres), 1e6, "scaled ");

    model::Scene reordered = made.scene;
    std::reverse(reordered.bodies.begin() + 1, reordered.bodies.end());
    const std::size_t mirrored = reordered.bodies.size() - push.body;
    expect_same(limit_of(reordered, {model::BodyIndex(mirrored), push.p_W, push.d_W}), 1.0, "reordered ");
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace prehend::stability
