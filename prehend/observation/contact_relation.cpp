#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include <prehend/model/files.h>
#include <prehend/model/house/json_tree.h>
#include <prehend/model/input_error.h>
#include <prehend/model/text_scan.h>
#include <prehend/observation/contact_relation.h>

namespace prehend::observation {
namespace {

using model::InputError;
using model::JsonNode;

constexpr std::array<std::string_view, 6> kPrimitives = {"vertex",    "edge",      "face",
                                                         "half_edge", "half_face", "quarter_face"};
constexpr char kExpected[] =
    "expected {\"contacts\":[{\"type\":\"vertex-face\",\"points_W_m\":[[x,y,z]],\"n_W\":[x,y,z]}]}";

// [m] Coordinates beyond this are no contacts of things that are handled, and squares of far larger ones overflow.
constexpr double kFarthestPoint = 1e9;

bool is_far(const Eigen::Vector3d& p) { return !(p.cwiseAbs().maxCoeff() <= kFarthestPoint); }
bool has_no_length(const Eigen::Vector3d& n) { return !(n.norm() > 0.0) || !std::isfinite(n.norm()); }

bool is_primitive(std::string_view word) {
  return std::find(kPrimitives.begin(), kPrimitives.end(), word) != kPrimitives.end();
}

// "vertex-face": two primitives.
bool is_contact_type(std::string_view type) {
  const std::size_t dash = type.find('-');
  return dash != std::string_view::npos && is_primitive(type.substr(0, dash)) &&
         is_primitive(type.substr(dash + 1));
}

Eigen::Vector3d vector_in(const JsonNode& node, const std::string& field, const std::string& file) {
  const auto is_number = [](const JsonNode& item) {
    return item.kind == JsonNode::Kind::integer || item.kind == JsonNode::Kind::number;
  };
  if (node.kind != JsonNode::Kind::array || node.items.size() != 3 ||
      !std::all_of(node.items.begin(), node.items.end(), is_number))
    throw InputError(file, node.line, "'" + field + "' must hold three numbers, [x,y,z]");
  return {node.items[0].number, node.items[1].number, node.items[2].number};
}

std::vector<Eigen::Vector3d> vectors_in(const JsonNode& node, const std::string& field,
                                        const std::string& file) {
  if (node.kind != JsonNode::Kind::array || node.items.empty())
    throw InputError(file, node.line, "'" + field + "' must be a list of vectors, [[x,y,z],...]");
  std::vector<Eigen::Vector3d> vectors;
  for (const JsonNode& item : node.items) vectors.push_back(vector_in(item, field, file));
  return vectors;
}

std::vector<Eigen::Vector3d> normals_in(const JsonNode& node, const std::string& file) {
  const JsonNode *one = node.find("n_W"), *several = node.find("normals_W");
  if (one != nullptr && several != nullptr)
    throw InputError(file, node.line, "a contact has 'n_W' and 'normals_W'; it must have one of them");
  if (one == nullptr && several == nullptr)
    throw InputError(file, node.line, "a contact has no normal: neither 'n_W' nor 'normals_W'");
  std::vector<Eigen::Vector3d> normals =
      one != nullptr ? std::vector{vector_in(*one, "n_W", file)} : vectors_in(*several, "normals_W", file);
  for (const Eigen::Vector3d& normal : normals) {
    if (has_no_length(normal))
      throw InputError(file, node.line, "the normal of a contact is zero or not finite: it has no direction");
  }
  return normals;
}

Eigen::Matrix3d matrix_in(const JsonNode& node, const std::string& field, const std::string& file) {
  if (node.kind != JsonNode::Kind::array || node.items.size() != 3)
    throw InputError(file, node.line, "'" + field + "' must be a 3x3 matrix by row");
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i)
    matrix.row(i) = vector_in(node.items[static_cast<std::size_t>(i)], field, file).transpose();
  return matrix;
}

void read_side_field(ContactSide& side, const std::string& key, const JsonNode& value,
                     const std::string& file) {
  if (key == "tangent_W") {
    side.tangent_W = vector_in(value, key, file);
  } else if (key == "inward_W") {
    side.inward_W = vector_in(value, key, file);
  } else if (key == "tangents_W") {
    side.tangents_W = vectors_in(value, key, file);
  } else if (key == "normals_W") {
    side.normals_W = vectors_in(value, key, file);
  } else if (key == "curvatures_W_1pm") {
    if (value.kind != JsonNode::Kind::array || value.items.empty())
      throw InputError(file, value.line, "'curvatures_W_1pm' must be a list of 3x3 matrices, one per face");
    for (const JsonNode& item : value.items) side.curvatures_W.push_back(matrix_in(item, key, file));
  } else if (key == "curvature_W_1pm") {
    const bool is_array = value.kind == JsonNode::Kind::array && value.items.size() == 3;
    if (!is_array)
      throw InputError(
          file, value.line,
          "'curvature_W_1pm' must be a 3x3 matrix by row for a face, or three numbers for an edge");
    if (value.items[0].kind == JsonNode::Kind::array)
      side.face_curvature_W = matrix_in(value, key, file);
    else
      side.edge_curvature_W = vector_in(value, key, file);
  } else {
    throw InputError(file, value.line,
                     "a side of a contact has no field " + model::in_quotes(key) +
                         "; it may have 'tangent_W', 'curvature_W_1pm', 'inward_W', 'tangents_W', "
                         "'normals_W' and 'curvatures_W_1pm'");
  }
}

ContactSide side_in(const JsonNode& contact, const char* name, const std::string& file) {
  ContactSide side;
  const JsonNode* node = contact.find(name);
  if (node == nullptr || node->kind == JsonNode::Kind::null) return side;
  if (node->kind != JsonNode::Kind::object)
    throw InputError(file, node->line,
                     std::string("'") + name + "' is " + node->kind_name() + "; it must be an object");
  for (std::size_t i = 0; i < node->keys.size(); ++i)
    read_side_field(side, node->keys[i], node->items[i], file);
  return side;
}

Contact contact_in(const JsonNode& node, const std::string& file) {
  if (node.kind != JsonNode::Kind::object)
    throw InputError(file, node.line, std::string("a contact is ") + node.kind_name() + "; " + kExpected);
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    constexpr std::array<std::string_view, 6> known = {"type",      "points_W_m", "n_W",
                                                       "normals_W", "moving",     "fixed"};
    if (std::find(known.begin(), known.end(), node.keys[i]) == known.end())
      throw InputError(file, node.items[i].line,
                       "a contact has no field " + model::in_quotes(node.keys[i]) +
                           "; it may have 'type', 'points_W_m', 'n_W' or 'normals_W', 'moving' and 'fixed'");
  }
  Contact contact;
  if (const JsonNode* type = node.find("type")) {
    if (type->kind != JsonNode::Kind::text || !is_contact_type(type->text))
      throw InputError(
          file, type->line,
          "'type' is " +
              (type->kind == JsonNode::Kind::text ? model::in_quotes(type->text)
                                                  : std::string(type->kind_name())) +
              "; it must name two of vertex, edge, face, half_edge, half_face, quarter_face, the "
              "moving body's first: \"vertex-face\"");
    contact.type = type->text;
  }
  const JsonNode* points = node.find("points_W_m");
  if (points == nullptr) throw InputError(file, node.line, "a contact has no 'points_W_m': where it touches");
  contact.points_W = vectors_in(*points, "points_W_m", file);
  for (const Eigen::Vector3d& point : contact.points_W)
    if (is_far(point))
      throw InputError(file, points->line,
                       "'points_W_m' has a coordinate beyond 1e9 m; coordinates are in metres");
  contact.normals_W = normals_in(node, file);
  contact.moving = side_in(node, "moving", file);
  contact.fixed = side_in(node, "fixed", file);
  contact.line = node.line;
  return contact;
}

}  // namespace

bool ContactSide::is_empty() const {
  return !tangent_W && !edge_curvature_W && !face_curvature_W && !inward_W && tangents_W.empty() &&
         normals_W.empty() && curvatures_W.empty();
}

void ContactRelation::validate() const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::string which = "contact " + std::to_string(i);
    if (contacts[i].points_W.empty()) throw std::invalid_argument(which + " has no points");
    if (contacts[i].normals_W.empty()) throw std::invalid_argument(which + " has no normal");
    for (const Eigen::Vector3d& point : contacts[i].points_W)
      if (is_far(point)) throw std::invalid_argument(which + ": a point is not finite, or beyond 1e9 m");
    for (const Eigen::Vector3d& normal : contacts[i].normals_W)
      if (has_no_length(normal)) throw std::invalid_argument(which + ": a normal is zero or not finite");
  }
}

ContactRelation parse_contact_relation(const std::string& text, const std::string& name) {
  const JsonNode root = model::parse_json(text, name);
  const JsonNode* contacts = root.kind == JsonNode::Kind::object ? root.find("contacts") : nullptr;
  if (contacts == nullptr || contacts->kind != JsonNode::Kind::array)
    throw InputError(name, root.line, std::string("there is no list 'contacts'; ") + kExpected);
  ContactRelation relation;
  for (const JsonNode& node : contacts->items) relation.contacts.push_back(contact_in(node, name));
  return relation;
}

ContactRelation read_contact_relation(const std::string& path) {
  return parse_contact_relation(model::read_file(path), path);
}

}  // namespace prehend::observation
