// The recorded workshop tools with the noise of source N, table 3.7. Reference figures: an independent program on all
// twenty tools (mass, centre, inertia about the sensor's origin, in percent); twelve of them are here.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <generated/identification_error.h>
#include <gtest/gtest.h>

#include "sample_maker.h"
#include "workshop_tool.h"
#include <prehend/inertia/estimator.h>

namespace prehend::inertia {
namespace {

struct Level {
  const char* name;
  SampleNoise noise;
  std::array<double, 3> geo;  // [%] reference: mass, centre, inertia; zeros: none
};
const std::vector<Level> kLevels{
    {"low", {.a = 0.025, .w = 0, .al = 0.25, .force = 0.05, .torque = 0.0025}, {.19, 1.17, 10.8}},
    {"moderate", {.a = 0.05, .w = 0, .al = 0.5, .force = 0.1, .torque = 0.005}, {}},
    {"high", {.a = 0.1, .w = 0, .al = 1.0, .force = 0.33, .torque = 0.0067}, {1.17, 1.45, 11.8}}};

class WorkshopAccuracy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::tool_names().empty())
      GTEST_SKIP() << "no recorded tools: " << test::tools_folder() << " is not there";
  }
};

TEST_F(WorkshopAccuracy, NoiseFreeLeastSquaresReturnsTheTruth) {
  for (const std::string& name : test::tool_names()) {
    const test::WorkshopTool tool = test::read_tool(name);
    const Estimate found = estimate(Method::ols, tool.samples);
    ASSERT_EQ(found.status, Status::ok) << name;
    const double mass_error = std::abs(found.inertia_S.mass / tool.truth_S.mass - 1.0);
    const double com_error = (found.inertia_S.com - tool.truth_S.com).norm() / tool.truth_S.com.norm();
    const double inertia_error =
        (found.inertia_S.I_com - tool.truth_S.I_com).norm() / tool.truth_S.I_com.norm();
    std::printf("%-20s mass %.1e com %.1e inertia %.1e condition %.1f\n", name.c_str(), mass_error, com_error,
                inertia_error, found.condition);
    EXPECT_LT(mass_error, 5e-6) << name;
    EXPECT_LT(com_error, 5e-6) << name;
    EXPECT_LT(inertia_error, 5e-6) << name;
    EXPECT_TRUE(found.consistency.is_consistent()) << name << ": " << found.consistency.brief_report();
  }
}

struct MeanError {
  double mass{0}, com{0}, truncated{0}, inertia{0}, inertia_com{0}, riemannian{0};  // [%], the last [-]
  int runs{0}, consistent{0}, with_distance{0};

  void add(const Estimate& found, const IdentificationError& error) {
    mass += error.mass;
    com += error.com_mean;
    truncated += error.com_mean_truncated;
    inertia += error.inertia_sensor_mean;
    inertia_com += error.inertia_com_mean;
    riemannian += error.riemannian.value_or(0.0);
    with_distance += error.riemannian.has_value();
    consistent += found.consistency.is_consistent();
    ++runs;
  }
  void print(const char* level, Method method, const char* which) const {
    std::printf(
        "%-9s %-4s %-17s consistent %5.1f %%  mass %6.3f  com %6.3f (cut %6.3f)  inertia %8.2f (about com "
        "%8.2f)  e_Rie %.2f\n",
        level, to_string(method), which, 100.0 * consistent / runs, mass / runs, com / runs,
        truncated / runs, inertia / runs, inertia_com / runs,
        with_distance ? riemannian / with_distance : NAN);
  }
};

// The ruler weighs 9 g: its errors alone make up most of every mean of least squares, and among twelve tools it counts for more
// than among twenty. So means stand with and without it, and only those of `geo` are held to the reference.
TEST_F(WorkshopAccuracy, UnderTheNoiseOfTheSource) {
  const char* asked = std::getenv("PREHEND_WORKSHOP_SEEDS");  // more for a table to publish
  const int seeds = asked ? std::atoi(asked) : 10;
  std::vector<test::WorkshopTool> tools;
  for (const std::string& name : test::tool_names()) tools.push_back(test::read_tool(name));
  for (const Level& level : kLevels) {
    double free_mass = 0.0;  // [%] of least squares, summed
    for (const Method method : {Method::ols, Method::rtls, Method::geo}) {
      MeanError all, heavier;
      for (std::size_t k = 0; k < tools.size(); ++k) {
        for (int seed = 0; seed < seeds; ++seed) {
          Samples noisy = tools[k].samples;
          test::add_noise(noisy, level.noise, 1000 * k + static_cast<std::size_t>(seed));
          noisy.noise = level.noise;
          const Estimate found = estimate(method, noisy, &tools[k].shape);
          ASSERT_EQ(found.status, Status::ok) << tools[k].name;
          const IdentificationError error =
              identification_error(found.inertia_S, tools[k].truth_S, tools[k].box_sides_S);
          all.add(found, error);
          if (tools[k].truth_S.mass > 0.02) heavier.add(found, error);
        }
      }
      if (method == Method::ols) free_mass = all.mass;
      all.print(level.name, method, "all");
      heavier.print(level.name, method, "without the ruler");
      if (method == Method::geo) {
        EXPECT_EQ(all.consistent, all.runs);
        if (level.geo[0] > 0.0) {
          EXPECT_LT(all.mass, 1.02 * free_mass) << level.name;  // ten draws of the ruler's mass tell no more
          EXPECT_LT(all.com / all.runs, 1.1 * level.geo[1]) << level.name;
          EXPECT_LT(all.inertia / all.runs, 1.1 * level.geo[2]) << level.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace prehend::inertia
