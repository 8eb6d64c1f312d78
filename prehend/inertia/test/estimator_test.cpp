#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/estimator.h>
#include <prehend/math/enum_text.h>

namespace prehend::inertia {
namespace {

struct Scene {
  Samples samples;
  Shape shape;
};

Scene some_scene() {
  Scene scene;
  scene.samples = test::make_samples(test::some_body(), 77, 1.0, 1);
  const SampleNoise noise{.a = 0.05, .w = 0.0, .al = 0.2, .force = 0.1, .torque = 0.005};
  test::add_noise(scene.samples, noise, 2);
  scene.samples.noise = noise;
  scene.samples.X_SO = math::Pose::translation({0.01, 0.0, 0.0});
  scene.shape.of_unit_mass = test::some_body(1.0);
  return scene;
}

std::string message_of(Method method, const Background& background) {
  try {
    make_streaming_estimator(method, background);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Estimator, StreamingEqualsBatchAtEveryStep) {
  const Scene scene = some_scene();
  for (const Method method : {Method::ols, Method::rtls, Method::geo}) {
    const auto running =
        make_streaming_estimator(method, {&scene.shape, scene.samples.X_SO, scene.samples.noise});
    EXPECT_EQ(running->estimate().status, Status::failed);
    Samples so_far = scene.samples;
    so_far.samples.clear();
    for (const Sample& sample : scene.samples.samples) {
      running->add(sample);
      so_far.samples.push_back(sample);
      if (so_far.samples.size() % 25 != 2) continue;
      const Estimate batch = estimate(method, so_far, &scene.shape), now = running->estimate();
      ASSERT_EQ(now.status, batch.status);
      EXPECT_EQ(now.method, method);
      EXPECT_EQ(now.samples, static_cast<int>(so_far.samples.size()));
      const math::Vector10d a = now.inertia_S.parameters(), b = batch.inertia_S.parameters();
      EXPECT_LT((a - b).norm(), 1e-8 * b.norm()) << to_string(method) << " " << now.samples;
    }
  }
}

TEST(Estimator, SaysWhatIsMissing) {
  const Scene scene = some_scene();
  EXPECT_EQ(message_of(Method::geo, {}), "geo needs the object's shape");
  EXPECT_EQ(message_of(Method::geo, {&scene.shape, {}, {}}),
            "geo needs the object's pose in the sensor's frame (the log's o* columns)");
  EXPECT_EQ(message_of(Method::ols, {}), "");
  EstimatorOptions options;
  options.geo.alpha = -1.0;
  EXPECT_THROW(make_streaming_estimator(Method::ols, {}, options), std::invalid_argument);
}

TEST(Estimator, CarriesTheProblemsOfTheSamples) {
  Scene scene = some_scene();
  scene.samples.problems = {"the sensor saturates"};
  EXPECT_EQ(estimate(Method::ols, scene.samples).problems, scene.samples.problems);
}

TEST(Estimator, MethodsHaveNames) {
  for (const char* name : {"ols", "rtls", "geo", "pmd", "hps", "likelihood"}) {
    ASSERT_TRUE(from_string<Method>(name)) << name;
    EXPECT_STREQ(to_string(*from_string<Method>(name)), name);
  }
  EXPECT_FALSE(from_string<Method>("OLS"));
}

TEST(Estimator, BriefReport) {
  const Scene scene = some_scene();
  const std::string report = estimate(Method::ols, scene.samples).brief_report();
  EXPECT_EQ(report.rfind("ols: mass 0.7", 0), 0u) << report;
  EXPECT_NE(report.find("from 77 samples"), std::string::npos) << report;
  EXPECT_EQ(Estimate{}.brief_report(), "likelihood: no estimate");
}

}  // namespace
}  // namespace prehend::inertia
