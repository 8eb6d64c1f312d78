#include <stdexcept>

#include <prehend/articulation/discovered_files.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/xml_input.h>

namespace prehend::articulation {
namespace {

using model::JointType;

std::string loop_sentence(const Discovery& discovery, const Loop& loop, const std::string& why) {
  return std::string("the loop that a ") + to_string(loop.joint.type) + " joint closes between '" +
         discovery.name(loop.a) + "' and '" + discovery.name(loop.b) + "' is open here: " + why;
}

// A comment may not hold two hyphens.
std::string comment(std::string sentence) {
  for (std::size_t at = sentence.find("--"); at != std::string::npos; at = sentence.find("--"))
    sentence.replace(at, 2, "- -");
  return "  <!-- " + sentence + " -->\n";
}

std::string number_list(const Eigen::Vector3d& p, const Eigen::Quaterniond* q) {
  std::string text = " pos=\"" + model::format_vector(p) + "\"";
  if (!q) return text;
  const double values[4]{q->w(), q->x(), q->y(), q->z()};
  return text + " quat=\"" + model::format_numbers(values, 4) + "\"";
}

// Lines inside a body's element, and equalities between them.
class LoopWriter {
 public:
  LoopWriter(const model::Scene& scene, std::string text) : scene_(scene), text_(std::move(text)) {}

  void close(const Loop& loop, int number) {
    const std::string stem = "loop" + std::to_string(number);
    // Two points of a hinge's axis stand as far apart as the boxes that parts are drawn as.
    const double half = 0.5 * scene_.bodies[1].geoms.front().shape.size.x();
    switch (loop.joint.type) {
      case JointType::rigid:
        tie("weld", stem, loop, math::Pose());
        break;
      case JointType::revolute:
        tie("connect", stem + "_top", loop, math::Pose::translation({0, 0, half}));
        tie("connect", stem + "_bottom", loop, math::Pose::translation({0, 0, -half}));
        break;
      case JointType::spherical:
        tie("connect", stem, loop, math::Pose());
        break;
      default:
        close_by_body(stem, loop, half);
    }
  }

  std::string text() const {
    if (equalities_.empty()) return text_;
    std::string out = text_;
    const std::string section = "  <equality>\n";
    const std::size_t there = out.find(section);
    if (there != std::string::npos)
      out.insert(there + section.size(), equalities_);
    else
      out.insert(out.rfind("</mujoco>"), section + equalities_ + "  </equality>\n");
    return out;
  }

 private:
  // A small body on a that moves as the closing joint does, welded to b: for joints that no equality describes.
  void close_by_body(const std::string& stem, const Loop& loop, double half) {
    const auto joint = [&](const char* name, const char* type, const char* axis) {
      return "        <joint name=\"" + stem + "_" + name + "\" type=\"" + type + "\" axis=\"" + axis +
             "\"/>\n";
    };
    std::string joints;
    switch (loop.joint.type) {
      case JointType::prismatic:
        joints = joint("slide", "slide", "0 0 1");
        break;
      case JointType::cylindrical:
      case JointType::screw:
        joints = joint("slide", "slide", "0 0 1") + joint("turn", "hinge", "0 0 1");
        break;
      case JointType::universal:
        joints = joint("turn", "hinge", "0 0 1") + joint("turn2", "hinge", "0 1 0");
        break;
      case JointType::planar:
        joints = joint("slide_x", "slide", "1 0 0") + joint("slide_y", "slide", "0 1 0") +
                 joint("turn", "hinge", "0 0 1");
        break;
      default:
        throw std::logic_error("such a joint closes no loop");
    }
    // Light, and as large as the boxes that parts are drawn as: engines want some inertia. They also make a constraint the softer
    // the lighter the bodies at its ends are, hence the stiffest impedance there is.
    const double mass = 1e-2 * scene_.bodies[1].inertia.mass, moment = mass * half * half;
    const double moments[3]{moment, moment, moment};
    const Eigen::Quaterniond q = loop.joint.X_FJ.q();
    insert_into(loop.a, "      <body name=\"" + stem + "\"" + number_list(loop.joint.X_FJ.p(), &q) + ">\n" +
                            joints + "        <inertial pos=\"0 0 0\" mass=\"" +
                            model::format_numbers(&mass, 1) + "\" diaginertia=\"" +
                            model::format_numbers(moments, 3) + "\"/>\n        <site name=\"" + stem +
                            "_a\"/>\n      </body>\n");
    add_site(loop.b, stem + "_b", loop.joint.X_MJ, true);
    equalities_ += "    <weld name=\"" + stem + "\" site1=\"" + stem + "_a\" site2=\"" + stem +
                   "_b\" solimp=\"0.9999 0.9999 0.001\"/>\n";
    if (loop.joint.type == JointType::screw)
      equalities_ += "    <joint name=\"" + stem + "_pitch\" joint1=\"" + stem + "_slide\" joint2=\"" + stem +
                     "_turn\" polycoef=\"0 " + model::format_numbers(&loop.joint.pitch, 1) +
                     " 0 0 0\" solimp=\"0.9999 0.9999 0.001\"/>\n";
  }

  void tie(const char* word, const std::string& name, const Loop& loop, const math::Pose& X_JS) {
    const bool turns = std::string(word) == "weld";
    add_site(loop.a, name + "_a", loop.joint.X_FJ * X_JS, turns);
    add_site(loop.b, name + "_b", loop.joint.X_MJ * X_JS, turns);
    equalities_ += std::string("    <") + word + " name=\"" + name + "\" site1=\"" + name + "_a\" site2=\"" +
                   name + "_b\"/>\n";
  }

  void add_site(int group, const std::string& name, const math::Pose& X_BS, bool turns) {
    const Eigen::Quaterniond q = X_BS.q();
    insert_into(group,
                "      <site name=\"" + name + "\"" + number_list(X_BS.p(), turns ? &q : nullptr) + "/>\n");
  }

  // Right after the element of the group's body begins.
  void insert_into(int group, const std::string& lines) {
    const std::string start =
        "<body name=\"" + model::xml_escaped(scene_.bodies[model::BodyIndex(group + 1)].name) + "\"";
    const std::size_t body = text_.find(start);
    const std::size_t end = body == std::string::npos ? body : text_.find(">\n", body);
    if (end == std::string::npos) throw std::logic_error("the written scene lacks a body");
    text_.insert(end + 2, lines);
  }

  const model::Scene& scene_;
  std::string text_, equalities_;
};

// After the line of the outermost element.
std::string with_comments(std::string text, const std::string& element,
                          const std::vector<std::string>& sentences) {
  const std::size_t at = text.find(">\n", text.find("<" + element));
  std::string comments;
  for (const std::string& sentence : sentences) comments += comment(sentence);
  if (at != std::string::npos) text.insert(at + 2, comments);
  return text;
}

}  // namespace

std::vector<std::string> loops_left_open_in_urdf(const Discovery& discovery) {
  std::vector<std::string> sentences;
  for (const Loop& loop : discovery.loops)
    sentences.push_back(loop_sentence(discovery, loop, "URDF has trees only"));
  return sentences;
}

std::string discovered_mjcf(const Discovery& discovery, const DiscoveredSceneOptions& options) {
  const model::Scene scene = discovered_scene(discovery, options);
  LoopWriter writer(scene, model::mjcf_text(scene, "object").text);
  int number = 0;
  for (const Loop& loop : discovery.loops) writer.close(loop, ++number);
  return writer.text();
}

std::string discovered_urdf(const Discovery& discovery, const DiscoveredSceneOptions& options) {
  const model::Scene scene = discovered_scene(discovery, options);
  return with_comments(model::urdf_text(scene, "object").text, "robot", loops_left_open_in_urdf(discovery));
}

}  // namespace prehend::articulation
