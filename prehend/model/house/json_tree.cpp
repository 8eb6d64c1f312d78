#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include <prehend/model/house/json_tree.h>
#include <prehend/model/input_error.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

constexpr std::size_t kMaxKeys = 1000;  // keys are looked up one by one
constexpr std::size_t kMaxDepth = 32;   // a sequence of codes needs four

// Tells how far the parser has read.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view bytes, const std::string& name) : name_(name), counted_(bytes.data()) {}

  JsonNode root;
  const char* reached{nullptr};

  bool null() override { return put(node(JsonNode::Kind::null)); }
  bool boolean(bool value) override { return put(node(JsonNode::Kind::boolean, value)); }
  bool number_integer(number_integer_t value) override { return put(node(JsonNode::Kind::integer, value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<long long>::max()))
      return put(number_node(static_cast<double>(value)));
    return put(node(JsonNode::Kind::integer, static_cast<long long>(value)));
  }
  bool number_float(number_float_t value, const string_t&) override { return put(number_node(value)); }
  bool string(string_t& value) override {
    JsonNode text = node(JsonNode::Kind::text);
    text.text = std::move(value);
    return put(std::move(text));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (path_.back().find(value) != nullptr)
      fail("the key " + in_quotes(value) + " appears twice in one object");
    if (path_.back().keys.size() >= kMaxKeys)
      fail("an object has more than " + std::to_string(kMaxKeys) + " keys; no document of ours has");
    path_.back().keys.push_back(std::move(value));
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    fail("this is not well-formed JSON; check the text around this line");
  }

 private:
  [[noreturn]] void fail(const std::string& what) { throw InputError(name_, line(), what); }

  // The parser reads one character past a number, so the last one read is left out.
  int line() {
    if (reached == nullptr) return 1;
    lines_ += static_cast<int>(std::count(counted_, std::max(counted_, reached - 1), '\n'));
    counted_ = std::max(counted_, reached - 1);
    return lines_;
  }
  JsonNode node(JsonNode::Kind kind, long long integer = 0) {
    JsonNode made;
    made.kind = kind;
    made.line = line();
    made.integer = integer;
    made.number = static_cast<double>(integer);
    return made;
  }
  JsonNode number_node(double value) {
    JsonNode made = node(JsonNode::Kind::number);
    made.number = value;
    return made;
  }
  bool open(JsonNode::Kind kind) {
    if (path_.size() >= kMaxDepth)
      fail("values are nested deeper than " + std::to_string(kMaxDepth) + " levels");
    path_.push_back(node(kind));
    return true;
  }
  bool close() {
    JsonNode done = std::move(path_.back());
    path_.pop_back();
    return put(std::move(done));
  }
  bool put(JsonNode&& value) {
    if (path_.empty()) {
      root = std::move(value);
    } else {
      path_.back().items.push_back(std::move(value));
    }
    return true;
  }

  const std::string& name_;
  std::vector<JsonNode> path_;  // open arrays and objects
  const char* counted_;         // lines are counted up to here
  int lines_{1};
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const {
  const auto found = std::find(keys.begin(), keys.end(), name);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

const char* JsonNode::kind_name() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "a whole number";
    case Kind::number:
      return "a number that is not whole or is out of range";
    case Kind::text:
      return "text";
    case Kind::array:
      return "a list";
    case Kind::object:
      return "an object";
  }
  return "";
}

JsonNode parse_json(std::string_view bytes, const std::string& name) {
  if (trimmed(bytes).empty()) throw InputError(name, 0, "the file is empty; expected JSON");
  Builder builder(bytes, name);
  const char* const end = bytes.data() + bytes.size();
  nlohmann::json::sax_parse(Cursor(bytes.data(), &builder.reached), Cursor(end, &builder.reached), &builder);
  return std::move(builder.root);
}

}  // namespace prehend::model
