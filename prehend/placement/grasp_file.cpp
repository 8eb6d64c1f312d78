#include <algorithm>
#include <cmath>

#include <prehend/model/files.h>
#include <prehend/model/house/json_tree.h>
#include <prehend/model/input_error.h>
#include <prehend/placement/grasp_file.h>

namespace prehend::placement {
namespace {

using model::InputError;
using model::JsonNode;

constexpr const char* kForm =
    "; a grasp file is {\"gripper\":[{\"half_m\":[x,y,z],\"X_G\":pose}],\"grasps\":[X_OG,...]}, a pose "
    "{\"p\":[x,y,z],\"q\":[w,x,y,z]}";

class GraspReader {
 public:
  explicit GraspReader(const std::string& name) : name_(name) {}

  Grasps read(const JsonNode& root) const {
    only(root, {"gripper", "grasps"});
    Grasps grasps;
    for (const JsonNode& box : list(root, "gripper")) {
      only(box, {"half_m", "X_G"});
      GripperBox read;
      read.half = vector<3>(field(box, "half_m"), "half_m");
      if (!(read.half.array() > 0.0).all()) fail(box, "'half_m' must be above 0");
      read.X_G = pose(field(box, "X_G"), "X_G");
      grasps.gripper.push_back(read);
    }
    for (const JsonNode& item : list(root, "grasps")) grasps.X_OG.push_back(pose(item, "grasps"));
    return grasps;
  }

 private:
  [[noreturn]] void fail(const JsonNode& node, const std::string& what) const {
    throw InputError(name_, node.line, what + kForm);
  }
  void only(const JsonNode& node, std::initializer_list<std::string_view> known) const {
    if (node.kind != JsonNode::Kind::object)
      fail(node, std::string("expected an object, found ") + node.kind_name());
    for (const std::string& key : node.keys) {
      if (std::find(known.begin(), known.end(), key) == known.end()) fail(node, "unknown key '" + key + "'");
    }
  }
  const JsonNode& field(const JsonNode& node, const char* name) const {
    const JsonNode* found = node.find(name);
    if (!found) fail(node, std::string("'") + name + "' is missing");
    return *found;
  }
  const std::vector<JsonNode>& list(const JsonNode& node, const char* name) const {
    const JsonNode& found = field(node, name);
    if (found.kind != JsonNode::Kind::array || found.items.empty())
      fail(found, std::string("'") + name + "' must be a list with at least one entry");
    return found.items;
  }
  template <int kSize>
  Eigen::Matrix<double, kSize, 1> vector(const JsonNode& node, const char* name) const {
    Eigen::Matrix<double, kSize, 1> read;
    if (node.kind != JsonNode::Kind::array || node.items.size() != kSize)
      fail(node, std::string("'") + name + "' must have " + std::to_string(kSize) + " numbers");
    for (int k = 0; k < kSize; ++k) {
      const JsonNode& item = node.items[static_cast<std::size_t>(k)];
      if ((item.kind != JsonNode::Kind::number && item.kind != JsonNode::Kind::integer) ||
          !std::isfinite(item.number))
        fail(item, std::string("'") + name + "' must have " + std::to_string(kSize) + " numbers");
      read[k] = item.number;
    }
    return read;
  }
  math::Pose pose(const JsonNode& node, const char* name) const {
    only(node, {"p", "q"});
    const Eigen::Vector3d p = vector<3>(field(node, "p"), "p");
    const Eigen::Vector4d q = vector<4>(field(node, "q"), "q");
    if (std::abs(q.norm() - 1.0) > 1e-3)
      fail(node, std::string("the quaternion of '") + name + "' is not of unit length");
    return math::Pose(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized(), p);
  }

  const std::string& name_;
};

}  // namespace

Grasps parse_grasps(const std::string& text, const std::string& name) {
  return GraspReader(name).read(model::parse_json(text, name));
}

Grasps read_grasps(const std::string& path) {
  return parse_grasps(model::read_file(path, {.max_bytes = std::size_t{64} << 20}), path);
}

}  // namespace prehend::placement
