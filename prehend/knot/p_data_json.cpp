#include <optional>
#include <stdexcept>

#include <prehend/knot/codes.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/model/files.h>
#include <prehend/model/house/json_tree.h>
#include <prehend/model/input_error.h>

namespace prehend::knot {
namespace {

using model::JsonNode;

const char kExpected[] = "expected P-data, {\"sigma\":[...],\"attr\":[...]}";
const char kExpectedStates[] =
    "expected a sequence of P-data, {\"states\":[{\"sigma\":[...],\"attr\":[...]}, ...]}";

constexpr long long kLargest = 1000000000;  // twice as much still fits into an int

std::vector<int> whole_numbers(const JsonNode& list, const std::string& field, const std::string& file,
                               long long least) {
  if (list.kind != JsonNode::Kind::array) {
    throw model::InputError(
        file, list.line, "'" + field + "' is " + list.kind_name() + "; it must be a list of whole numbers");
  }
  std::vector<int> numbers;
  for (const JsonNode& item : list.items) {
    const std::string column = "column " + std::to_string(numbers.size() + 1) + " of '" + field + "'";
    if (item.kind != JsonNode::Kind::integer)
      throw model::InputError(file, item.line,
                              column + " is " + item.kind_name() + "; it must be a whole number");
    if (item.integer < least || item.integer > kLargest) {
      throw model::InputError(file, item.line,
                              column + " is " + std::to_string(item.integer) + "; it must be between " +
                                  std::to_string(least) + " and " + std::to_string(kLargest));
    }
    numbers.push_back(static_cast<int>(item.integer));
  }
  return numbers;
}

std::vector<int> row_of(const JsonNode& object, const char* field, const std::string& file) {
  const JsonNode* list = object.find(field);
  if (list == nullptr)
    throw model::InputError(file, object.line, std::string("there is no '") + field + "'; " + kExpected);
  return whole_numbers(*list, field, file, 1);
}

// A knot given as {"dt":[4,6,2]}, {"gauss":"O1+U2+..."} or {"pd":[[1,5,2,4],...]}, cut open before its first passage.
std::optional<PData> rope_of_closed_code(const JsonNode& node, const std::string& file) {
  try {
    if (const JsonNode* dt = node.find("dt"))
      return opened(from_dt(whole_numbers(*dt, "dt", file, -kLargest)));
    if (const JsonNode* gauss = node.find("gauss"); gauss != nullptr && gauss->kind == JsonNode::Kind::text)
      return opened(from_gauss(parse_gauss(gauss->text)));
    if (const JsonNode* pd = node.find("pd"); pd != nullptr && pd->kind == JsonNode::Kind::array) {
      PdCode code;
      for (const JsonNode& item : pd->items) {
        const std::vector<int> labels = whole_numbers(item, "pd", file, -kLargest);
        if (labels.size() != 4) {
          throw model::InputError(
              file, item.line,
              "a crossing of 'pd' has " + std::to_string(labels.size()) + " labels; it must have four");
        }
        code.push_back({labels[0], labels[1], labels[2], labels[3]});
      }
      return opened(from_pd(code));
    }
  } catch (const std::invalid_argument& error) {
    throw model::InputError(file, node.line, error.what());
  }
  return std::nullopt;
}

PData code_of(const JsonNode& node, const std::string& file) {
  if (node.kind != JsonNode::Kind::object)
    throw model::InputError(file, node.line, std::string("this is ") + node.kind_name() + "; " + kExpected);
  if (const JsonNode* inner = node.find("p_data"); inner != nullptr && node.find("sigma") == nullptr)
    return code_of(*inner, file);
  if (node.find("sigma") == nullptr) {
    if (std::optional<PData> rope = rope_of_closed_code(node, file)) return *rope;
  }
  PData data{row_of(node, "sigma", file), row_of(node, "attr", file)};
  if (const std::string problem = find_problem(data); !problem.empty())
    throw model::InputError(file, node.line, problem);
  return data;
}

const JsonNode* states_of(const JsonNode& root) {
  for (const char* name : {"states", "frames"}) {
    const JsonNode* states = root.find(name);
    if (states != nullptr && states->kind == JsonNode::Kind::array) return states;
  }
  return nullptr;
}

}  // namespace

PData parse_p_data(std::string_view bytes, const std::string& name) {
  const JsonNode root = model::parse_json(bytes, name);
  if (const JsonNode* states = states_of(root); states != nullptr && root.find("sigma") == nullptr) {
    if (states->items.size() != 1) {
      throw model::InputError(
          name, states->line,
          "the file holds " + std::to_string(states->items.size()) + " states; expected one P-data");
    }
    return code_of(states->items.front(), name);
  }
  return code_of(root, name);
}

std::vector<PData> parse_p_data_sequence(std::string_view bytes, const std::string& name) {
  const JsonNode root = model::parse_json(bytes, name);
  const JsonNode* states = states_of(root);
  if (states == nullptr)
    throw model::InputError(name, root.line, std::string("there are no 'states'; ") + kExpectedStates);
  if (states->items.empty())
    throw model::InputError(name, states->line, std::string("there is no state; ") + kExpectedStates);
  std::vector<PData> sequence;
  for (const JsonNode& item : states->items) {
    try {
      sequence.push_back(code_of(item, name));
    } catch (const model::InputError& error) {
      throw model::InputError(name, error.line(),
                              "state " + std::to_string(sequence.size() + 1) + ": " + error.message());
    }
  }
  return sequence;
}

PData read_p_data(const std::string& path) { return parse_p_data(model::read_file(path), path); }
std::vector<PData> read_p_data_sequence(const std::string& path) {
  return parse_p_data_sequence(model::read_file(path), path);
}

void write_json(model::JsonWriter& json, const PData& data) {
  json.object().field("sigma", data.sigma).field("attr", data.attr).end();
}

std::string to_json(const PData& data) {
  model::JsonWriter json;
  write_json(json, data);
  return json.text();
}

std::string to_json(std::span<const PData> states) {
  model::JsonWriter json;
  json.object().key("states").array();
  for (const PData& state : states) write_json(json, state);
  return json.end().end().text();
}

}  // namespace prehend::knot
