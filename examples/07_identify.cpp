// What does it weigh, and where is its mass?
#include <cstdio>

#include <prehend/inertia/identification.h>
#include <prehend/inertia/payload.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s LOG PARTS\n", argv[0]);
    return 2;
  }
  namespace inertia = prehend::inertia;
  const prehend::model::WrenchLog log = prehend::model::read_wrench_log(argv[1]);
  const inertia::Shape shape = inertia::read_parts({argv[2]});

  // Our own estimator beside plain least squares.
  inertia::IdentificationOptions options;
  options.methods = {inertia::Method::likelihood, inertia::Method::ols};
  const inertia::Identification result = inertia::identify(log, &shape, options);
  for (const inertia::IdentifiedBody& body : result.results) {
    const inertia::Estimate& estimate = body.estimate;
    const Eigen::Vector3d& com = estimate.inertia_S.com;
    std::printf("%s: %.17g kg at %.17g %.17g %.17g\n", to_string(estimate.method), estimate.inertia_S.mass,
                com.x(), com.y(), com.z());
  }

  // What the sensor will read because of it, held still in its first pose: subtract this to feel contacts.
  const auto wrench = prehend::inertia::payload_wrench(result.results.front().estimate.inertia_S,
                                                       log.X_WS.front(), options.samples.gravity_W);
  std::printf("force %.17g %.17g %.17g N\n", wrench[3], wrench[4], wrench[5]);
}
