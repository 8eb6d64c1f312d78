#include <algorithm>
#include <optional>

#include <prehend/knot/moves_json.h>
#include <prehend/model/house/json_tree.h>
#include <prehend/model/input_error.h>

namespace prehend::knot {
namespace {

using model::JsonNode;

constexpr long long kLargestLabel = 1000000000;  // twice as much still fits into an int

// Reads fields of one object; every complaint names the field and its line.
class Fields {
 public:
  Fields(const JsonNode& object, const std::string& file) : object_(object), file_(file) {
    if (object.kind != JsonNode::Kind::object)
      complain(object, std::string("this is ") + object.kind_name() + "; expected an object");
  }

  [[noreturn]] void complain(const JsonNode& node, const std::string& what) const {
    throw model::InputError(file_, node.line, what);
  }
  const JsonNode& at(const char* name, JsonNode::Kind kind, const char* expected) const {
    const JsonNode* node = object_.find(name);
    if (node == nullptr) complain(object_, std::string("there is no '") + name + "'; it must be " + expected);
    if (node->kind != kind)
      complain(*node, std::string("'") + name + "' is " + node->kind_name() + "; it must be " + expected);
    return *node;
  }
  bool boolean(const char* name) const {
    return at(name, JsonNode::Kind::boolean, "true or false").integer != 0;
  }
  int whole(const char* name, long long least, long long most) const {
    return bounded(at(name, JsonNode::Kind::integer, "a whole number"), name, least, most);
  }
  std::vector<int> wholes(const char* name, std::size_t count, long long most) const {
    const JsonNode& list = at(name, JsonNode::Kind::array, "a list of whole numbers");
    std::vector<int> numbers;
    for (const JsonNode& item : list.items) {
      if (item.kind != JsonNode::Kind::integer)
        complain(item,
                 std::string("'") + name + "' holds " + item.kind_name() + "; it must hold whole numbers");
      numbers.push_back(bounded(item, name, 1, most));
    }
    if (numbers.size() != count) {
      complain(list, std::string("'") + name + "' has " + std::to_string(numbers.size()) +
                         " numbers; it must have " + std::to_string(count));
    }
    return numbers;
  }
  // Which of the words stands there.
  std::size_t word(const char* name, std::initializer_list<const char*> words) const {
    std::string expected;
    for (const char* one : words) expected += (expected.empty() ? "'" : " or '") + std::string(one) + "'";
    const JsonNode& node = at(name, JsonNode::Kind::text, expected.c_str());
    const auto found = std::find(words.begin(), words.end(), node.text);
    if (found == words.end())
      complain(node, std::string("'") + name + "' is '" + node.text + "'; it must be " + expected);
    return static_cast<std::size_t>(found - words.begin());
  }
  int sign() const {
    const int sign = whole("sign", -1, 1);
    if (sign == 0) complain(*object_.find("sign"), "'sign' is 0; it must be 1 or -1");
    return sign;
  }

 private:
  int bounded(const JsonNode& node, const char* name, long long least, long long most) const {
    if (node.integer < least || node.integer > most) {
      complain(node, std::string("'") + name + "' is " + std::to_string(node.integer) +
                         "; it must be between " + std::to_string(least) + " and " + std::to_string(most));
    }
    return static_cast<int>(node.integer);
  }

  const JsonNode& object_;
  const std::string& file_;
};

Move move_of(const JsonNode& node, const std::string& file) {
  const Fields fields(node, file);
  const Fields parameters(fields.at("parameters", JsonNode::Kind::object, "an object"), file);
  Move move;
  move.kind = static_cast<MoveKind>(fields.word("move", {"R1", "R2", "R3", "cross"}));  // in MoveKind's order
  move.adds = fields.boolean("adds");
  switch (move.kind) {
    case MoveKind::r1: {
      move.segments[0] = parameters.whole("segment", 1, kLargestLabel);
      const std::vector<int> attr = parameters.wholes("attr", 2, 4);
      move.over = attr[0] % 2 == 1;
      move.sign = attr[0] >= 3 ? 1 : -1;
      if (attr[1] != attribute_of(!move.over, move.sign))
        parameters.complain(
            node, "'attr' must hold the two passages of one crossing: [1,2], [2,1], [3,4] or [4,3]");
      break;
    }
    case MoveKind::r2: {
      const std::vector<int> segments = parameters.wholes("segments", 2, kLargestLabel);
      std::copy(segments.begin(), segments.end(), move.segments.begin());
      move.over = parameters.word("over", {"first", "second"}) == 0;
      move.same_direction = parameters.boolean("same_direction");
      move.sign = fields.sign();
      break;
    }
    case MoveKind::r3: {
      const std::vector<int> segments = parameters.wholes("segments", 3, kLargestLabel);
      std::copy(segments.begin(), segments.end(), move.segments.begin());
      break;
    }
    case MoveKind::cross:
      move.segments[0] = parameters.whole("segment", 1, kLargestLabel);
      move.over = parameters.boolean("over");
      move.end = fields.word("end", {"first", "last"}) == 0 ? RopeEnd::first : RopeEnd::last;
      move.sign = fields.sign();
      break;
  }
  return move;
}

}  // namespace

Move parse_move(std::string_view bytes, const std::string& name) {
  return move_of(model::parse_json(bytes, name), name);
}

std::vector<Move> parse_moves(std::string_view bytes, const std::string& name) {
  const JsonNode root = model::parse_json(bytes, name);
  std::vector<Move> moves;
  for (const JsonNode& node : Fields(root, name).at("moves", JsonNode::Kind::array, "a list of moves").items)
    moves.push_back(move_of(node, name));
  return moves;
}

}  // namespace prehend::knot
