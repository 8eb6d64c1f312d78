"""How do I touch a person safely? The controller on sensor values of one's own: here a robot that follows its references perfectly, and nobody is seen."""

from prehend import assist

scenario = assist.default_scenario()
controller = assist.Controller(scenario)
joints = len(controller.joints)
q, v, tau = [0.0] * joints, [0.0] * joints, [0.0] * joints
base, base_rate = [0.0] * 3, [0.0] * 3
for k in range(500):
    command = controller.tick(k * controller.period, q, v, tau, base, base_rate)
    if command.say:
        print("says", command.say)
    # One's own robot would take these references; this one is there at once.
    q, v, tau = command.q[:joints], command.v[:joints], command.tau[:joints]
    base, base_rate = command.base, command.base_rate
    if k % 100 == 0:
        print(command.state)
    if command.stop:  # nobody is seen: it does not move, and stops in the end
        print("stops:", command.stop)
        break
