#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graph_scenes.h"
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/test/unit_weight.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using graph_scenes::cubes;
using graph_scenes::map_error;
using graph_scenes::MapError;

ContactSystem sampled_system(const model::Scene& scene) {
  ContactSystemOptions options;
  options.points = ContactPoints::sampled;
  return build_contact_system(scene, options);
}

std::vector<PushAnswer> graph(const model::Scene& scene, const std::vector<Push>& pushes,
                              const RobustnessOptions& options = {}) {
  return graph_robustness(scene, sampled_system(scene), pushes, options);
}

PushAnswer graph(const model::Scene& scene, const std::string& body, const Vector3d& p, const Vector3d& d) {
  return graph(scene, {{scene.find_body(body), p, d}}).front();
}

std::vector<double> true_map(const model::Scene& scene, const std::vector<Push>& pushes) {
  const ContactSystem corners = build_contact_system(scene);
  std::vector<double> truth;
  for (const Push& push : pushes) {
    truth.push_back(graph_scenes::true_limit(corners, push_load(scene, corners, push)));
  }
  return truth;
}

TEST(InterfacePoints, TwentyPointsWithTheCornersAmongThem) {
  const ContactSystem system = sampled_system(cubes(1, 0.5));
  ASSERT_EQ(system.contacts.size(), 20U);
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      EXPECT_TRUE(std::any_of(system.contacts.begin(), system.contacts.end(), [&](const SystemContact& c) {
        return (c.p_W - Vector3d(x, y, 0)).norm() < 1e-12;
      }));
    }
  }
}

TEST(GraphRobustness, ACubeByHand) {
  const model::Scene scene = cubes(1, 0.7);
  const PushAnswer low = graph(scene, "cube0", {-0.5, 0, 0.5}, {2, 0, 0});
  EXPECT_EQ(low.status, AnswerStatus::ok);
  EXPECT_NEAR(low.robustness, 0.7 * kWeight, 1e-6);
  EXPECT_EQ(low.mode, Mode::slip);
  EXPECT_EQ(low.moving, std::vector<model::BodyIndex>{scene.find_body("cube0")});
  EXPECT_TRUE(std::isnan(low.lower) && std::isnan(low.upper));
  const PushAnswer high = graph(scene, "cube0", {-0.5, 0, 0.9}, {1, 0, 0});
  EXPECT_NEAR(high.robustness, 0.5 * kWeight / 0.9, 1e-6);
  EXPECT_EQ(high.mode, Mode::topple);
  const PushAnswer down = graph(scene, "cube0", {0.3, 0.3, 1}, {0, 0, -1});
  EXPECT_TRUE(down.unbounded);
  EXPECT_EQ(down.mode, Mode::unbounded);
  EXPECT_TRUE(std::isinf(down.robustness));
  EXPECT_TRUE(down.moving.empty());
  const PushAnswer up = graph(scene, "cube0", {0.1, 0.3, 0}, {0, 0, 1});
  EXPECT_NEAR(up.robustness, 0.5 * kWeight / 0.8, 1e-6);
  const PushAnswer lift = graph(scene, "cube0", {0, 0, 1}, {0, 0, 1});
  EXPECT_NEAR(lift.robustness, kWeight, 1e-6);
  EXPECT_EQ(lift.mode, Mode::lift);
}

TEST(GraphRobustness, TheMiddleOfAStack) {
  const model::Scene scene = cubes(3, 0.3);
  const PushAnswer middle = graph(scene, "cube1", {-0.5, 0, 1.2}, {1, 0, 0});
  EXPECT_NEAR(middle.robustness, 2 * 0.3 * kWeight, 1e-6);
  EXPECT_EQ(middle.moving,
            (std::vector<model::BodyIndex>{scene.find_body("cube1"), scene.find_body("cube2")}));
  // Pushed at its top, rough enough, the whole stack tips.
  const model::Scene rough = cubes(3, 0.9);
  const PushAnswer top = graph(rough, "cube2", {-0.5, 0, 3.0}, {1, 0, 0});
  EXPECT_NEAR(top.robustness, 3 * 0.5 * kWeight / 3.0, 1e-5);
  EXPECT_EQ(top.mode, Mode::topple);
}

struct Figures {
  MapError combined, slip_topple, isolated;
};
Figures figures(const model::Scene& scene, int count) {
  const std::vector<Push> pushes = graph_scenes::surface_pushes(scene, count, 1);
  const std::vector<double> truth = true_map(scene, pushes);
  RobustnessOptions as_printed;
  as_printed.graph_combined = false;
  return {map_error(truth, graph(scene, pushes)), map_error(truth, graph(scene, pushes, as_printed)),
          map_error(truth, isolated_robustness(scene, sampled_system(scene), pushes, {}))};
}

// Source N, table 4.1: 0.00, 1.00 and 1.20 %.
TEST(GraphRobustness, MapsAreAtLeastAsGoodAsTheSources) {
  for (const double mu : {0.3, 0.7}) {
    const Figures cube = figures(cubes(1, mu), 300), stack = figures(cubes(3, mu), 300),
                  table = figures(graph_scenes::table(mu), 300);
    EXPECT_LT(cube.combined.mean, 1e-5) << mu;
    EXPECT_LT(stack.combined.mean, 1e-5) << mu;
    EXPECT_LT(table.combined.mean, 0.012) << mu;
    for (const Figures& f : {cube, stack, table}) {
      EXPECT_GT(f.combined.compared, 150);
      EXPECT_EQ(f.combined.disagree, 0);
      EXPECT_LT(f.combined.largest_below, 1e-5);
      // Slipping and toppling alone overlook pushes that turn: never as good.
      EXPECT_GT(f.slip_topple.mean, 0.04);
      EXPECT_GT(f.isolated.mean, f.combined.mean);
    }
    EXPECT_GT(stack.isolated.mean, 0.3);  // the source: 30 %
  }
}

// Why the source prints an error of 0.00 for its cube: its truth is slip or topple, whichever comes first. Against that
// ours is the same, but for pushes so near an edge that the cube spins about its centre of friction.
TEST(GraphRobustness, SlipAndToppleOfACubeAgainstTheSourcesOwnTruth) {
  const double mu = 0.6;
  const model::Scene scene = cubes(1, mu);
  const std::vector<Push> pushes = graph_scenes::surface_pushes(scene, 400, 2);
  std::vector<double> by_hand;
  for (const Push& push : pushes) {
    by_hand.push_back(push.d_W.z() < -0.5  ? std::numeric_limits<double>::infinity()
                      : push.d_W.z() > 0.5 ? 0.5 * kWeight / (0.5 + push.p_W.head<2>().cwiseAbs().maxCoeff())
                                           : std::min(mu * kWeight, 0.5 * kWeight / push.p_W.z()));
  }
  RobustnessOptions as_printed;
  as_printed.graph_combined = false;
  const std::vector<PushAnswer> answers = graph(scene, pushes, as_printed);
  const MapError isolated = map_error(by_hand, isolated_robustness(scene, sampled_system(scene), pushes, {}));
  EXPECT_LT(isolated.max, 1e-9);  // hull edges alone
  EXPECT_EQ(isolated.disagree, 0);
  int spinning = 0;
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    if (answers[i].unbounded) continue;
    const Vector3d& p = pushes[i].p_W;
    const double beside = std::abs(std::abs(pushes[i].d_W.x()) > 0.5 ? p.y() : p.x());
    if (std::abs(pushes[i].d_W.z()) < 0.5 && beside > 0.4) {
      spinning += answers[i].robustness < 0.999 * by_hand[i];
    } else {
      EXPECT_NEAR(answers[i].robustness, by_hand[i], 1e-6 * by_hand[i]) << p.transpose();
    }
  }
  EXPECT_GT(spinning, 0);
}

// The blind spot: legs that tip in parallel under their slab are no cut.
TEST(GraphRobustness, ALinkageIsOverlooked) {
  const model::Scene scene = graph_scenes::table(0.7, {{0.3, 1, 0.8}, 0.6, {2, 1, 0.2}, 0.5, 1.0});
  const std::vector<Push> push{{scene.find_body("slab"), {-1.0, 0, 0.9}, {1, 0, 0}}};
  const double truth = true_map(scene, push).front(), found = graph(scene, push).front().robustness;
  // By hand: both legs turn alike by dt; every leg's middle rises by 0.15 dt, the slab by 0.3 dt and moves by 0.8 dt.
  EXPECT_NEAR(truth, kWeight * (2 * 0.5 * 0.15 + 1.0 * 0.3) / 0.8, 1e-4 * truth);
  EXPECT_GT(found, 1.2 * truth);
}

// A cut is a motion that can be: no combined motion lies below the truth.
TEST(GraphRobustness, CombinedMotionsBoundTheTruthInCrookedStacks) {
  for (std::uint64_t trial = 0; trial < 15; ++trial) {
    math::RandomStream random(21, trial);
    graph_scenes::SceneBuilder builder(random.uniform(0.2, 1.0));
    builder.add_floor();
    double x = 0, y = 0;
    for (int i = 0; i < 4; ++i) {
      x += random.uniform(-0.12, 0.12), y += random.uniform(-0.12, 0.12);
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(random.uniform(-1, 1), Vector3d::UnitZ()));
      builder.add("b" + std::to_string(i), {1, 1, 0.5}, {x, y, 0.5 * i + 0.25}, random.uniform(0.5, 2), turn);
    }
    const std::vector<Push> pushes = graph_scenes::surface_pushes(builder.scene, 60, trial);
    const MapError error = map_error(true_map(builder.scene, pushes), graph(builder.scene, pushes));
    EXPECT_LT(error.mean, 0.01) << trial;
    EXPECT_LT(error.largest_below, 1e-5) << trial;
    EXPECT_EQ(error.disagree, 0) << trial;
  }
}

// Bricks that are held in several ways: the smallest forces at rest press them apart, and slipping by them is far off.
TEST(GraphRobustness, AWallOfBricks) {
  graph_scenes::SceneBuilder builder(0.6);
  builder.add_floor();
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 3; ++i) {
      builder.add("b", {1, 0.5, 0.5}, {1.01 * i + 0.25 * (row % 2), 0, 0.5 * row + 0.25}, 1.0);
    }
  }
  const std::vector<Push> pushes = graph_scenes::surface_pushes(builder.scene, 150, 1);
  const std::vector<double> truth = true_map(builder.scene, pushes);
  const MapError error = map_error(truth, graph(builder.scene, pushes));
  EXPECT_LT(error.mean, 0.05);
  EXPECT_LT(error.largest_below, 1e-5);
  EXPECT_EQ(error.disagree, 0);
  RobustnessOptions as_printed;
  as_printed.graph_combined = false;
  EXPECT_GT(map_error(truth, graph(builder.scene, pushes, as_printed)).largest_below, 0.3);
}

TEST(GraphRobustness, DoesNotDependOnPlaceTurnOrUnits) {
  const auto make = [](const math::Pose& frame, double scale) {
    graph_scenes::SceneBuilder builder(0.6);
    builder.frame = frame;
    builder.scale = scale;
    builder.add_floor();
    builder.add("lower", {1, 1, 1}, {0, 0, 0.5}, 2.0);
    builder.add("upper", {0.8, 1.2, 0.6}, {0.2, -0.1, 1.3}, 1.0);
    builder.turn_gravity();
    return builder.scene;
  };
  const model::Scene plain = make({}, 1.0);
  const math::Pose frame(Eigen::Quaterniond(0.4, -0.3, 0.8, 0.1).normalized(), {30, -20, 10});
  const std::vector<Push> pushes = graph_scenes::surface_pushes(plain, 60, 4);
  const std::vector<PushAnswer> expected = graph(plain, pushes);
  for (const double scale : {1.0, 0.02, 100.0}) {
    const model::Scene moved = make(frame, scale);
    std::vector<Push> moved_pushes = pushes;
    for (Push& push : moved_pushes) {
      push.p_W = frame * (scale * push.p_W);
      push.d_W = frame.q() * push.d_W;
    }
    const std::vector<PushAnswer> answers = graph(moved, moved_pushes);
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      ASSERT_EQ(answers[i].unbounded, expected[i].unbounded) << i << " " << scale;
      // Sampled points differ with the frame's rounding; corners, and with them the answers, do not.
      if (!expected[i].unbounded) {
        EXPECT_NEAR(answers[i].robustness / expected[i].robustness, 1.0, 1e-4) << i << " " << scale;
      }
    }
  }
}

TEST(GraphRobustness, StopsAtTheTimeLimitAndSaysSo) {
  graph_scenes::SceneBuilder builder(0.6);
  builder.add_floor();
  for (int row = 0; row < 5; ++row) {  // a wall in running bond
    for (int i = 0; i < 5; ++i) {
      builder.add("b", {1, 0.5, 0.5}, {1.01 * i + 0.5 * (row % 2), 0, 0.5 * row + 0.25}, 1.0);
    }
  }
  RobustnessOptions options;
  options.graph_time_limit = 0.05;
  const std::vector<Push> push{{model::BodyIndex(4), {2, -0.25, 0.25}, {0, 1, 0}}};
  const PushAnswer answer = graph(builder.scene, push, options).front();
  EXPECT_EQ(answer.status, AnswerStatus::ok);
  EXPECT_NE(answer.note.find("time limit"), std::string::npos) << answer.note;
  EXPECT_TRUE(graph(cubes(3, 0.5), {{model::BodyIndex(2), {-0.5, 0, 0.5}, {1, 0, 0}}}).front().note.empty());
}

TEST(GraphRobustness, AnswersInTheOrderAskedForAnyNumberOfThreads) {
  const model::Scene scene = graph_scenes::table(0.5);
  std::vector<Push> pushes = graph_scenes::surface_pushes(scene, 400, 3);
  std::reverse(pushes.begin(), pushes.begin() + 50);
  std::swap(pushes[3], pushes[70]);
  const std::vector<PushAnswer> together = graph(scene, pushes);
  RobustnessOptions many;
  many.threads = 4;
  const std::vector<PushAnswer> by_four = graph(scene, pushes, many);
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    const PushAnswer alone = graph(scene, {pushes[i]}).front();
    EXPECT_EQ(together[i].robustness, alone.robustness) << i;
    EXPECT_EQ(together[i].robustness, by_four[i].robustness) << i;
    EXPECT_EQ(together[i].mode, by_four[i].mode) << i;
    EXPECT_EQ(together[i].moving, alone.moving) << i;
  }
}

TEST(GraphRobustness, BadInput) {
  const model::Scene scene = cubes(1, 0.5);
  EXPECT_THROW(graph(scene, "floor", {0, 0, 0}, {0, 0, -1}), std::invalid_argument);
  EXPECT_THROW(graph(scene, "cube0", {0, 0, 0}, {0, 0, 0}), std::invalid_argument);
  // Falls by itself.
  graph_scenes::SceneBuilder builder(0.5);
  builder.add_floor();
  builder.add("low", {1, 1, 1}, {0, 0, 0.5}, 1.0);
  builder.add("over", {1, 1, 1}, {0.7, 0, 1.5}, 1.0);
  for (const auto method : {graph_robustness, isolated_robustness}) {
    const std::vector<Push> push{{builder.scene.find_body("low"), {-0.5, 0, 0.5}, {1, 0, 0}}};
    const PushAnswer falling = method(builder.scene, sampled_system(builder.scene), push, {}).front();
    EXPECT_EQ(falling.status, AnswerStatus::unstable);
    EXPECT_EQ(falling.mode, Mode::unstable);
    EXPECT_TRUE(std::isnan(falling.robustness));
  }
  const PushAnswer slippery = graph(cubes(1, 0.0), "cube0", {-0.5, 0, 0.5}, {1, 0, 0});
  EXPECT_EQ(slippery.robustness, 0.0);
}

TEST(IsolatedRobustness, TakesTheRiderForABrake) {
  const model::Scene scene = cubes(3, 0.3);
  const std::vector<Push> push{{scene.find_body("cube1"), {-0.5, 0, 1.2}, {1, 0, 0}}};
  const PushAnswer answer = isolated_robustness(scene, sampled_system(scene), push, {}).front();
  EXPECT_NEAR(answer.robustness, 3 * 0.3 * kWeight, 1e-6);
  EXPECT_EQ(answer.moving, std::vector<model::BodyIndex>{scene.find_body("cube1")});
}

}  // namespace
}  // namespace prehend::stability
