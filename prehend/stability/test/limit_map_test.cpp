#include <atomic>
#include <cmath>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include "random_scenes.h"
#include <prehend/stability/limit/limit_general.h>
#include <prehend/stability/limit/limit_map.h>
#include <prehend/stability/limit/motion_set.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;
using Eigen::Vector3d;

// h as the largest of many fixed motions: the support function of a polytope.
TEST(LimitMap, EnclosesTheSupportFunctionOfAPolytope) {
  math::RandomStream random(11);
  std::vector<math::Vector6d> motions;
  for (int i = 0; i < 400; ++i) {
    math::Vector6d z;
    z << random.normal3(), 2.0 * Vector3d::UnitZ() + 0.3 * random.normal3();
    motions.push_back(z);
  }
  const auto value = [&](const PointLoad& load, PointValue* reply) {
    double h = -1e9;
    for (const math::Vector6d& z : motions) {
      const double power = load.r.cross(load.d).dot(z.head<3>()) + load.d.dot(z.tail<3>());
      if (power <= h) continue;
      h = power;
      if (reply) reply->twist = z;
    }
    return h;
  };
  std::vector<PointLoad> loads;
  for (int i = 0; i < 3000; ++i) {
    loads.push_back({0, {random.uniform(-1, 1), random.uniform(-1, 1), 0.3}, Vector3d::UnitZ()});
  }
  const MapValues map = map_loads(
      loads, 1e-3, 1e-9, [&](std::span<const PointLoad> asked, std::span<PointValue> replies, double) {
        for (std::size_t i = 0; i < asked.size(); ++i) {
          replies[i].low = replies[i].high = value(asked[i], &replies[i]);
          replies[i].motion.bodies = {0};
        }
      });
  EXPECT_LT(map.programs, 800);
  EXPECT_GT(map.programs, 10);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const double truth = value(loads[i], nullptr);
    ASSERT_EQ(map.values[i].status, MapValue::Status::bounded);
    EXPECT_LE(map.values[i].low, truth + 1e-12);
    EXPECT_GE(map.values[i].high, truth - 1e-12);
    EXPECT_LE(map.values[i].high - map.values[i].low, 2.0001e-3 * map.values[i].low);
  }
}

TEST(LimitMap, FailuresAreReportedAndEnd) {
  std::vector<PointLoad> loads;
  math::RandomStream random(12);
  for (int i = 0; i < 50; ++i)
    loads.push_back({0, {random.uniform(), random.uniform(), 0}, Vector3d::UnitZ()});
  int calls = 0;
  const MapValues map = map_loads(
      loads, 1e-3, 1e-9, [&](std::span<const PointLoad> asked, std::span<PointValue> replies, double) {
        for (std::size_t i = 0; i < asked.size(); ++i) {
          // Corners answer, the rest fails.
          replies[i].failed = ++calls > 4;
          replies[i].high = replies[i].low = 1.0 + asked[i].r.x() * asked[i].r.y();
        }
      });
  for (const MapValue& value : map.values) {
    EXPECT_TRUE(value.status == MapValue::Status::failed || value.status == MapValue::Status::bounded);
  }
}

TEST(LimitMap, AgreesWithSingleQuestions) {
  int maps = 0;
  const int scenes = prehend::test::sweep_size(14, 40);
  for (std::uint64_t seed = 5000; seed < 5000u + scenes; ++seed) {
    const RandomScene made = random_scene(seed);
    const LimitAnalysis analysis(build_contact_system(made.scene), {.accuracy = 1e-7, .keep_proofs = false});
    if (analysis.stability() != Stability::stable) continue;
    ++maps;
    math::RandomStream random(seed, 3);
    std::vector<PointPush> pushes;
    for (const model::BodyIndex body : made.boxes) {
      for (const auto& s :
           geometry::sample_surface(made.scene.mesh_W({body, model::GeomIndex(0)}), 150, random)) {
        pushes.push_back({analysis.system().node_of_body[body], s.point, -s.normal});
      }
    }
    const std::vector<PushAnswer> map = analysis.map(pushes, 1e-3);
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      const PushAnswer single =
          analysis.ask({{pushes[i].body, analysis.system().force_wrench(pushes[i].d_W, pushes[i].p_W)}});
      ASSERT_EQ(map[i].status, AnswerStatus::ok);
      ASSERT_EQ(map[i].unbounded, single.unbounded) << seed << " " << i << " " << single.robustness;
      if (single.unbounded) continue;
      EXPECT_NEAR(map[i].robustness, single.robustness, 1.001e-3 * single.robustness) << seed;
      EXPECT_LE(map[i].lower, single.upper * (1 + 1e-6)) << seed;
      EXPECT_GE(map[i].upper, single.lower * (1 - 1e-6)) << seed;
      EXPECT_FALSE(map[i].moving.empty());
    }
  }
  EXPECT_GT(maps, scenes / 4);
}

// Lifted bodies open every contact strictly, and the centre reached from there is the one reached from the cone program's motion.
TEST(LimitKernel, LiftingIsAnInnerMotion) {
  int lifted = 0, centred = 0;
  for (std::uint64_t seed = 6100; seed < 6160; ++seed) {
    const ScaledSystem scaled = scale_system(build_contact_system(random_scene(seed).scene));
    const Eigen::VectorXd motion = lifting_motion(scaled);
    if (motion.size() == 0) continue;
    ++lifted;
    const Eigen::VectorXd s = scaled.velocities(motion);
    for (int k = 0; k < scaled.contacts(); ++k) EXPECT_GT(s[3 * k], s.segment<2>(3 * k + 1).norm()) << seed;
    EXPECT_LT(scaled.g.dot(motion), 0.0) << seed;
    const InnerMotion inner = find_inner_motion(scaled);
    if (inner.status == InnerMotion::Status::unstable) continue;
    EXPECT_EQ(inner.status, InnerMotion::Status::interior) << seed;
    const auto from_lift = MotionSet::create(scaled, motion),
               from_program = MotionSet::create(scaled, inner.motion);
    if (!from_lift || !from_program) continue;  // only just stable: no centre is found
    ++centred;
    const Eigen::VectorXd centre = from_program->centre_motion();
    EXPECT_LT((from_lift->centre_motion() - centre).norm(), 1e-6 * centre.norm()) << seed;
  }
  EXPECT_GT(centred, 10);
  EXPECT_GE(lifted, centred);
}

TEST(LimitKernel, EveryWidthAndAnyNumberOfThreadsGivesTheSameAnswer) {
  int compared = 0;
  std::atomic<int> failures{0};
  for (std::uint64_t seed = 6000; seed < 6020; ++seed) {
    const RandomScene made = random_scene(seed);
    const ContactSystem system = build_contact_system(made.scene);
    const ScaledSystem scaled = scale_system(system);
    const InnerMotion inner = find_inner_motion(scaled);
    if (inner.status != InnerMotion::Status::interior) continue;
    const auto set = MotionSet::create(scaled, inner.motion);
    ASSERT_NE(set, nullptr);
    math::RandomStream random(seed, 4);
    std::vector<Eigen::VectorXd> loads;
    for (int i = 0; i < 21; ++i)
      loads.push_back(scaled.load(push_load(made.scene, system, random_push(made, random))));
    std::vector<std::vector<double>> values;
    for (int kernel = 0; kernel < limit_kernel_count(); ++kernel) {
      for (const int threads : {1, 2}) {
        std::vector<double>& h = values.emplace_back(loads.size());
        set->support(
            loads.size(), {1e-5, 1e5, threads, &limit_kernel_at(kernel)},
            [&](std::size_t i, Eigen::Ref<Eigen::VectorXd> w) { w = loads[i]; },
            [&](std::size_t i, const SupportValue& value) {
              failures += value.status == LaneStatus::failed;
              h[i] = value.high;
            });
      }
    }
    for (std::size_t i = 0; i < loads.size(); ++i) {
      ++compared;
      for (std::size_t k = 0; k < values.size(); k += 2) {
        EXPECT_EQ(values[k][i], values[k + 1][i]) << "threads";
        EXPECT_NEAR(values[k][i], values[0][i],
                    2e-5 * std::abs(values[0][i]) + 2e-5 * loads[i].cwiseAbs().maxCoeff())
            << limit_kernel_at(static_cast<int>(k) / 2).name;
      }
    }
  }
  EXPECT_GT(compared, 100);
  // Rare ones are the general solver's (limit_analysis.cpp); three kernels, one thread and two.
  EXPECT_LE(failures, 6 * compared / 100);
}

}  // namespace
}  // namespace prehend::stability
