// Fits one joint to poses from standard input, for joint_fit_oracle_test.py:
// {"type", "poses": [[x,y,z,qw,qx,qy,qz], ...] or [[x,y,z], ...], "method": "closed_form"|"likelihood", "share": s,
//  "noise": [position, angle], "radius_scale": r}
#include <iostream>

#include <nlohmann/json.hpp>

#include <prehend/articulation/joint_fit.h>
#include <prehend/math/enum_text.h>

int main() {
  using namespace prehend;
  const nlohmann::json input = nlohmann::json::parse(std::cin);
  std::vector<math::Pose> poses;
  std::vector<Eigen::Vector3d> positions;
  for (const auto& v : input.at("poses")) {
    const std::vector<double> x = v;
    positions.emplace_back(x[0], x[1], x[2]);
    if (x.size() == 3) continue;
    poses.emplace_back(Eigen::Quaterniond(x[3], x[4], x[5], x[6]).normalized(),
                       Eigen::Vector3d(x[0], x[1], x[2]));
  }
  articulation::FitOptions options;
  options.robust = false;
  options.tolerance = 1e-4;
  options.max_iterations = 100;
  if (input.at("method") == "closed_form") options.method = articulation::FitMethod::closed_form;
  options.fixed_share = input.value("share", 0.0);
  if (input.contains("noise")) options.noise = {input["noise"][0], input["noise"][1]};
  const auto type = from_string<model::JointType>(input.at("type").get<std::string>());
  if (input.contains("radius_scale")) options.radius_scale = input["radius_scale"];
  const articulation::Observations seen =
      poses.empty() ? articulation::observations_of(positions) : articulation::observations_of(poses);
  const articulation::JointFit fit = articulation::fit_joint(*type, seen, options);
  const auto list = [](const Eigen::Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; };
  nlohmann::json output;
  output["status"] = to_string(fit.status);
  output["iterations"] = fit.iterations;
  const auto pose = [&](const math::Pose& X) {
    return nlohmann::json{{"p", list(X.p())}, {"q", {X.q().w(), X.q().x(), X.q().y(), X.q().z()}}};
  };
  output["X_FJ"] = pose(fit.joint.X_FJ);
  output["X_MJ"] = pose(fit.joint.X_MJ);
  output["pitch"] = fit.joint.pitch;
  output["log_likelihood"] = fit.log_likelihood_independent;
  output["noise"] = {fit.noise.position, fit.noise.angle};
  if (fit.deviations.axis_F) output["std_axis"] = *fit.deviations.axis_F;
  if (fit.deviations.point_F) output["std_point"] = *fit.deviations.point_F;
  if (fit.deviations.pitch) output["std_pitch"] = *fit.deviations.pitch;
  std::cout << output.dump() << "\n";
}
