// How do I touch a person safely? The controller on sensor values of one's own: here a robot that follows its references perfectly, and nobody is seen.
#include <cstdio>

#include <prehend/assist/controller.h>

int main() {
  namespace assist = prehend::assist;
  const assist::Scenario scenario = assist::default_scenario();
  assist::Controller controller(scenario, assist::observer_for(scenario));
  assist::Sensors sensors;  // all joints at zero; the base at the origin
  for (int k = 0; k < 500; ++k) {
    sensors.t_s = k * controller.period_s();
    const assist::Command& command = controller.tick(sensors);
    if (!command.say.empty()) std::printf("says %s\n", std::string(command.say).c_str());
    // One's own robot would take these references; this one is there at once.
    sensors.q = command.q, sensors.v = command.v, sensors.tau = command.tau;
    sensors.base = command.base, sensors.base_rate = command.base_rate;
    if (k % 100 == 0) std::printf("%s\n", to_string(command.state));
    if (command.stop) {  // nobody is seen: it does not move, and stops in the end
      std::printf("stops: %s\n", to_string(*command.stop));
      break;
    }
  }
}
