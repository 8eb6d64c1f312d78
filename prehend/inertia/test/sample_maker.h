// Samples of a known body in made-up motion, with noise, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>
#include <prehend/math/random.h>

namespace prehend::inertia::test {

// A hammer-like body of the given size [m], its centre away from the sensor.
inline math::SpatialInertia some_body(double mass = 0.7, double size = 0.2) {
  math::SpatialInertia body = math::SpatialInertia::solid_box(mass, size * Eigen::Vector3d(0.3, 1.0, 0.2));
  body.com = size * Eigen::Vector3d(0.1, 0.6, -0.2);
  return body.expressed_in(math::Pose::rotation(Eigen::Quaterniond(0.9, 0.2, -0.3, 0.1).normalized()));
}

// Every sample turns otherwise: gravity from all sides, accelerations of standard deviation `motion` (m/s^2, rad/s^2),
// angular velocities of its half.
inline Samples make_samples(const math::SpatialInertia& body, int count, double motion, std::uint64_t seed) {
  math::RandomStream random(seed);
  Samples made;
  for (int i = 0; i < count; ++i) {
    Sample sample;
    sample.t = 0.01 * i;
    sample.gravity = random.rotation() * Eigen::Vector3d(0, 0, -9.81);
    sample.motion.a = motion * random.normal3() - sample.gravity;
    sample.motion.w = 0.5 * motion * random.normal3();
    sample.motion.al = motion * random.normal3();
    sample.wrench = wrench_of(body, sample.motion);
    made.samples.push_back(sample);
  }
  return made;
}

inline void add_noise(Samples& samples, const SampleNoise& noise, std::uint64_t seed) {
  math::RandomStream random(seed, 1);
  for (Sample& sample : samples.samples) {
    sample.motion.a += noise.a * random.normal3();
    sample.motion.w += noise.w * random.normal3();
    sample.motion.al += noise.al * random.normal3();
    sample.wrench.head<3>() += noise.torque * random.normal3();
    sample.wrench.tail<3>() += noise.force * random.normal3();
  }
}

}  // namespace prehend::inertia::test
