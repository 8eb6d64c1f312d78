// A streaming update takes no memory: neither growing with the recording nor for a moment.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>
#include <tests/sanitized.h>

#include "sample_maker.h"
#include <prehend/inertia/estimator.h>

namespace {
thread_local long allocations = 0;
}

// The C library's own entry points, so that Eigen (which calls malloc) is counted as well as operator new.
extern "C" {
void* __libc_malloc(std::size_t);
#if !defined(PREHEND_WITH_ADDRESS_SANITIZER)
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#endif
}

namespace prehend::inertia {
namespace {

TEST(StreamingMemory, AnUpdateTakesNone) {
  const Samples samples = test::make_samples(test::some_body(), 200, 1.0, 1);
  Shape shape;
  shape.of_unit_mass = test::some_body(1.0);
  const SampleNoise noise{.a = 0.05, .w = 0.01, .al = 0.2, .force = 0.1, .torque = 0.005};
  long before = allocations;
  ::operator delete(::operator new(64));  // the counter counts
#if !defined(PREHEND_WITH_ADDRESS_SANITIZER)
  EXPECT_GT(allocations, before);
#endif
  for (const Method method : {Method::ols, Method::rtls, Method::geo}) {
    const auto running = make_streaming_estimator(method, {&shape, math::Pose(), noise});
    before = allocations;
    for (const Sample& sample : samples.samples) running->add(sample);
    EXPECT_EQ(allocations, before) << to_string(method);
  }
}

}  // namespace
}  // namespace prehend::inertia
