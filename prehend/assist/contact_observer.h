// What a joint's tracking error is when nothing touches the robot: a small linear model per joint, trained on free motions.
//
// error = c0 + c1 tanh(v / 0.03) + c2 v + c3 a + c4 tau, with the references' speed, acceleration and torque [rad, rad/s, rad/s^2, N m].
// Measured motor torque is no feature: with a stiff servo it would explain the contact itself away. The file is readable CSV:
// `joint,constant,direction,speed,acceleration,torque`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace prehend::assist {

struct Scenario;

struct ObserverModel {
  struct Joint {
    std::string name;
    double constant{0.0}, direction{0.0}, speed{0.0}, acceleration{0.0}, torque{0.0};
  };
  std::vector<Joint> joints;

  bool empty() const { return joints.empty(); }
  std::string to_csv() const;
};

// Throws model::InputError with file and line.
ObserverModel read_observer(const std::string& path);
ObserverModel parse_observer(const std::string& text, const std::string& name);

struct ObserverTraining {
  ObserverModel model;
  int motions{0}, samples{0};
  double rms_before_rad{0.0}, rms_after_rad{0.0}, largest_rad{0.0};  // of the residual, on motions that it was not trained on
};

// Free motions of the scenario's robot in simulation; the same seed gives the same model.
ObserverTraining train_observer(const Scenario& scenario, int motions, std::uint64_t seed);
// The built-in robot's, data/assist/observer.csv; for another robot it is trained on the spot.
ObserverModel observer_for(const Scenario& scenario);

}  // namespace prehend::assist
