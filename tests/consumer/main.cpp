// Types with matrices inside cross the border in both directions: sizes must agree, and what one side allocates the other frees.
#include <cstdio>
#include <vector>

#include <Eigen/Dense>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/cone_program.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/surface_pushes.h>

namespace {

// The program's own linear algebra, large enough for Eigen's packed products.
bool products_are_right() {
  for (const int n : {3, 10, 40, 129, 300}) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n) + n * Eigen::MatrixXd::Identity(n, n);
    if ((A * A.inverse() - Eigen::MatrixXd::Identity(n, n)).norm() > 1e-9) return false;
    const Eigen::MatrixXd S = A * A.transpose();
    if ((S.llt().solve(S) - Eigen::MatrixXd::Identity(n, n)).norm() > 1e-8) return false;
  }
  return true;
}

// Small fixed-size products, which share function names with the library's.
bool small_products_are_right() {
  const Eigen::Matrix<double, 10, 10> M =
      Eigen::Matrix<double, 10, 10>::Random() + 20.0 * Eigen::Matrix<double, 10, 10>::Identity();
  return (M * M.inverse() - Eigen::Matrix<double, 10, 10>::Identity()).norm() < 1e-12;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto box = prehend::geometry::make_box({0.1, 0.2, 0.3});
  std::printf("volume %.3g m3\n", prehend::geometry::mass_properties(box).volume);

  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);
  std::vector<prehend::model::Body> bodies(scene.bodies.begin(), scene.bodies.end());
  for (int i = 0; i < 5; ++i) bodies.insert(bodies.end(), scene.bodies.begin(), scene.bodies.end());
  bodies.resize(bodies.size() - 1);
  prehend::model::Scene copy = scene;
  copy.bodies = scene.bodies;
  std::printf("%zu bodies, the last is %s, size %zu\n", bodies.size(), bodies.back().name.c_str(),
              sizeof(prehend::model::Body));

  prehend::stability::SurfacePushOptions surface;
  surface.points = 40;
  const auto pushes =
      prehend::stability::surface_pushes(copy, prehend::model::find_scene_contacts(copy), surface);
  prehend::stability::RobustnessResult result = prehend::stability::robustness(copy, pushes);
  double least = 1e300;
  for (const auto& answer : result.answers)
    if (!answer.unbounded && answer.robustness < least) least = answer.robustness;
  std::printf("%s, least %.6g N\n", to_string(result.status), least);
  result.resting_forces_W.clear();
  result = {};

  // A dense vector that the library resizes and this program frees, and the other way round.
  prehend::math::ConeProgram program;
  program.c = Eigen::VectorXd::Ones(3);
  Eigen::VectorXd mine = program.c;
  mine.conservativeResize(500);
  program.c.swap(mine);

  if (!products_are_right() || !small_products_are_right()) return 1;
  std::printf("done\n");
}
