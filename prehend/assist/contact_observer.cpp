#include <prehend/assist/contact_observer.h>
#include <prehend/math/number_text.h>
#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>

namespace prehend::assist {
namespace {

constexpr const char* kColumns[] = {"constant", "direction", "speed", "acceleration", "torque"};

}  // namespace

std::string ObserverModel::to_csv() const {
  std::string text =
      "# Tracking error of each joint when nothing touches it [rad]: constant + direction tanh(v / 0.03) + "
      "speed v + acceleration a + torque tau\n";
  text += "joint,constant,direction,speed,acceleration,torque\n";
  for (const Joint& joint : joints)
    text += joint.name + "," + math::number_text(joint.constant, 9) + "," +
            math::number_text(joint.direction, 9) + "," + math::number_text(joint.speed, 9) + "," +
            math::number_text(joint.acceleration, 9) + "," + math::number_text(joint.torque, 9) + "\n";
  return text;
}

ObserverModel parse_observer(const std::string& text, const std::string& name) {
  std::vector<model::CsvColumn> wanted{{"joint", model::CsvColumn::Content::text, true}};
  for (const char* column : kColumns) wanted.push_back({column, model::CsvColumn::Content::number, true});
  const model::CsvTable table = model::parse_csv(text, name, wanted, "a contact observer");
  ObserverModel observer;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ObserverModel::Joint joint;
    joint.name = table.texts("joint")[static_cast<std::size_t>(table.text_index("joint")[row])];
    for (const ObserverModel::Joint& other : observer.joints)
      if (other.name == joint.name)
        throw model::InputError(name, table.line(row), "the joint '" + joint.name + "' stands here twice");
    joint.constant = table.numbers("constant")[row], joint.direction = table.numbers("direction")[row],
    joint.speed = table.numbers("speed")[row];
    joint.acceleration = table.numbers("acceleration")[row], joint.torque = table.numbers("torque")[row];
    observer.joints.push_back(joint);
  }
  return observer;
}

ObserverModel read_observer(const std::string& path) {
  return parse_observer(model::read_file(path, {.max_bytes = std::size_t{1} << 20}), path);
}

}  // namespace prehend::assist
