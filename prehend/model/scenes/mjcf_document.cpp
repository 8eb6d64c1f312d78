#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include <tinyxml2.h>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scenes/mjcf_document.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;

// Bodies, geoms and frames that <replicate> may produce in all; engines slow down far below this.
constexpr double kMaxReplicated = 10'000;

const std::string kPlacement = " pos quat axisangle xyaxes zaxis euler ";

// Attributes the engine gets to see, per element.
const std::map<std::string, std::string>& kept_attributes() {
  static const std::map<std::string, std::string> kept{
      {"mujoco", " model "},
      {"compiler",
       " autolimits boundmass boundinertia settotalmass balanceinertia angle fitaabb eulerseq discardvisual "
       "inertiafromgeom inertiagrouprange "},
      {"option", " gravity "},
      {"flag", " gravity contact constraint equality limit frictionloss actuation "},
      {"default", " class "},
      {"worldbody", ""},
      {"asset", ""},
      {"contact", ""},
      {"equality", " class active "},
      {"tendon",
       " limited range stiffness springlength frictionloss name tendon1 tendon2 polycoef active class "},
      {"fixed", " name class limited range stiffness springlength frictionloss "},
      {"spatial", " name class limited range stiffness springlength frictionloss "},
      {"pulley", " divisor "},
      {"site", " name class site " + kPlacement},
      {"custom", ""},
      {"text", " name data "},
      {"body", " name childclass mocap gravcomp " + kPlacement},
      {"frame", " name childclass scale scaling massscale " + kPlacement},
      {"replicate", " count sep offset suffix euler "},
      {"inertial", " mass diaginertia fullinertia " + kPlacement},
      {"joint",
       " name class type pos axis range limited ref joint1 joint2 polycoef active frictionloss stiffness "
       "springref joint coef "},
      {"freejoint", " name "},
      {"geom",
       " name class type contype conaffinity condim group priority size mass density shellinertia friction "
       "fromto mesh hfield margin gap geom sidesite "
       "fitscale " +
           kPlacement},
      {"mesh", " name class scale vertex face refpos refquat inertia maxhullvert builtin params "},
      {"hfield", " nrow ncol size elevation "},
      {"pair", " name class geom1 geom2 condim friction "},
      {"exclude", " name body1 body2 "}};
  return kept;
}

// Children kept inside each element.
const std::map<std::string, std::string>& kept_children() {
  static const std::string in_body = " body geom joint freejoint inertial frame replicate site ";
  static const std::map<std::string, std::string> kept{
      {"mujoco", " compiler option default worldbody asset contact equality custom tendon "},
      {"option", " flag "},
      {"default", " default geom joint mesh pair equality site tendon "},
      {"asset", " mesh hfield "},
      {"contact", " pair exclude "},
      {"equality", " joint tendon "},
      {"tendon", " fixed spatial "},
      {"fixed", " joint "},
      {"spatial", " site geom pulley "},
      {"custom", " text "},
      {"worldbody", in_body},
      {"body", in_body},
      {"frame", in_body},
      {"replicate", in_body}};
  return kept;
}

bool listed(const std::string& words, const std::string& word) {
  return words.find(" " + word + " ") != std::string::npos;
}

bool is_name(const std::string& attribute) {
  static const std::string names =
      " name class childclass mesh hfield joint joint1 joint2 geom geom1 geom2 body1 body2 site sidesite "
      "tendon1 tendon2 file "
      "data suffix model ";
  return listed(names, attribute);
}

// Digits of a number past the range of double; parse_number takes those below its smallest value.
bool overflows(std::string_view digits) {
  double value = 0.0;
  return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec ==
         std::errc::result_out_of_range;
}

bool names_no_usable_number(std::string_view word) {
  if (parse_number(word)) return false;
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower.starts_with("nan") || lower.starts_with("inf")) return true;
  // Digits that do not fit a double.
  return !lower.empty() && std::isdigit(static_cast<unsigned char>(lower.front())) && overflows(lower);
}

class Loader {
 public:
  Loader(const std::string& file, const SceneOptions& options, double mass_unit, bool with_tendons)
      : file_(file), options_(options), mass_unit_(mass_unit), with_tendons_(with_tendons) {}

  MjcfDocument load(const std::string& text) {
    auto document = std::make_unique<XMLDocument>();
    parse_xml(*document, text, file_, options_);
    const XMLElement* root = document->RootElement();
    const XmlNode node(root, &file_);
    if (node.name() != "mujoco") {
      node.fail("the root element is <" + std::string(node.name()) + ">; MJCF starts with <mujoco>");
    }
    if (const auto model = node.text_of("model")) result_.name = *model;
    documents_.emplace(file_, std::move(document));
    open_.push_back(file_);
    scan_compilers(node);
    seen_files_.clear();
    if (expanded_count(node) > std::max(kMaxReplicated, static_cast<double>(options_.max_elements))) {
      node.fail("the document grows beyond " + std::to_string(options_.max_elements) + " elements");
    }
    seen_files_.clear();
    print(node, "");
    if (!options_.arrangement.empty() && !result_.has_keyframe) {
      std::string names;
      for (const std::string& name : result_.keyframes) names += (names.empty() ? "" : ", ") + name;
      node.fail("the model has no keyframe '" + options_.arrangement + "'; " +
                (names.empty() ? "it has none at all" : "it has " + names));
    }
    return std::move(result_);
  }

 private:
  // Opens an included file once; cycles and repeats are errors of the include element.
  XmlNode open_include(const XmlNode& include) {
    const std::string reference = include.required("file");
    if (!options_.allow_files)
      include.fail("the scene includes '" + reference + "', and reading further files is off");
    std::string path = join_path(folder_of(file_), reference);
    if (!is_plain_file(path)) path = join_path(folder_of(include.file()), reference);
    if (!is_plain_file(path)) {
      include.fail("the included file '" + reference + "' does not exist; looked for " +
                   join_path(folder_of(file_), reference));
    }
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      include.fail("'" + reference + "' includes itself; break the cycle");
    }
    if (open_.size() > 32) include.fail("includes are nested deeper than 32 files");
    auto found = documents_.find(path);
    if (found == documents_.end()) {
      auto document = std::make_unique<XMLDocument>();
      parse_xml(*document, read_file(path, {.max_bytes = options_.max_file_bytes}), path, options_);
      found = documents_.emplace(path, std::move(document)).first;
    }
    if (!seen_files_.insert(path).second) include.fail("'" + reference + "' is included twice; remove one");
    return {found->second->RootElement(), &found->first};
  }

  // Visits an element's children with includes replaced by their content.
  template <class Visit>
  void for_children(const XmlNode& parent, const Visit& visit) {
    for (const XmlNode& child : parent.children()) {
      if (child.name() != "include") {
        visit(child);
        continue;
      }
      const XmlNode root = open_include(child);
      open_.push_back(root.file());
      for_children(root, visit);
      open_.pop_back();
    }
  }

  void scan_compilers(const XmlNode& root) {
    for_children(root, [&](const XmlNode& section) {
      if (section.name() != "compiler") return;
      if (const auto dir = section.text_of("assetdir")) mesh_folder_ = *dir;
      if (const auto dir = section.text_of("meshdir")) mesh_folder_ = *dir;
      if (const auto strip = section.text_of("strippath")) strip_path_ = *strip == "true";
    });
  }

  double expanded_count(const XmlNode& node) {
    double count = 1.0;
    for_children(node, [&](const XmlNode& child) { count += expanded_count(child); });
    if (node.name() == "replicate") {
      const double copies = node.required_number("count");
      if (!(copies >= 0.0) || copies * count > kMaxReplicated) {
        node.fail("<replicate> makes " + exact_number(copies * count) + " elements; the limit is " +
                  exact_number(kMaxReplicated));
      }
      count *= std::max(copies, 1.0);
    }
    return count;
  }

  void emit(const XmlNode& node, const std::string& text) {
    result_.xml += text + "\n";
    result_.origin.emplace_back(node.file(), node.line());
  }

  void check_numbers(const XmlNode& node) {
    for (const XMLAttribute* a = node.element()->FirstAttribute(); a; a = a->Next()) {
      if (is_name(a->Name())) continue;
      for (const std::string_view word : split_words(a->Value())) {
        if (!names_no_usable_number(word)) continue;
        node.fail("attribute '" + std::string(a->Name()) + "' of <" + std::string(node.name()) + "> holds '" +
                  std::string(word.substr(0, 40)) + "'; it must be a finite number");
      }
    }
  }

  void check_values(const XmlNode& node, const std::string& parent) {
    const std::string tag(node.name());
    check_numbers(node);
    if (tag == "geom" || tag == "pair") {
      if (const auto friction = node.text_of("friction")) {
        for (const std::string_view word : split_words(*friction)) {
          const auto value = parse_number(word);
          if (value && *value < 0.0) {
            node.fail("the friction coefficient " + exact_number(*value) +
                      " is negative; it must be at least 0");
          }
        }
      }
    }
    if (tag == "geom") {
      for (const char* attribute : {"mass", "density"}) {
        if (node.has(attribute) && node.required_number(attribute) < 0.0) {
          node.fail(std::string(attribute) + " is " + *node.text_of(attribute) + "; it must not be negative");
        }
      }
      const std::string type = node.text_of("type").value_or("");
      if (type == "sdf") node.fail("signed-distance geoms are not supported; turn it into a mesh");
    }
    if (tag == "joint") {
      for (const char* attribute : {"frictionloss", "stiffness"}) {
        const std::string text = node.text_of(attribute).value_or("");  // words are views of it
        const auto words = split_words(text);
        const auto value = words.empty() ? std::nullopt : parse_number(words.front());
        if (value && *value < 0.0)
          node.fail(std::string(attribute) + " is " + exact_number(*value) + "; it must not be negative");
      }
    }
    if (tag == "inertial" && parent != "default") {
      // The engine refuses a moving body without mass, by name; for all others zero is no error.
      if (!(node.required_number("mass") >= 0.0)) {
        node.fail("the mass " + *node.text_of("mass") + " kg is negative; give the body a real mass");
      }
    }
    if (tag == "mesh" && node.has("builtin")) {
      const std::string params = node.text_of("params").value_or("");  // words are views of it
      for (const std::string_view word : split_words(params)) {
        const auto value = parse_number(word);
        if (!value || std::abs(*value) > 100.0) node.fail("a built-in mesh takes parameters of at most 100");
      }
    }
    if (parent == "default" || !node.has("name")) return;
    if (tag != "body" && tag != "geom" && tag != "joint" && tag != "freejoint" && tag != "mesh") return;
    if (tag == "joint" && parent == "equality") return;
    const std::string kind = tag == "freejoint" ? "joint" : tag, name = *node.text_of("name");
    const auto [first, added] = names_.emplace(kind + " " + name, node.line());
    if (!added) {
      node.fail("two " +
                std::string(kind == "body"   ? "bodies"
                            : kind == "mesh" ? "meshes"
                                             : kind + "s") +
                " are named '" + name + "' (the first on line " + std::to_string(first->second) +
                "); give each its own name");
    }
    if (kind == "body") {
      if (name == "world") node.fail("a body may not be named 'world'; that is the fixed surroundings");
      result_.body_lines.emplace(name, node.line());
    }
  }

  // The mesh is read here; the engine gets its vertices later, from memory.
  std::string take_mesh(const XmlNode& node) {
    const std::string reference = node.required("file"), name = asset_name(node);
    result_.meshes.push_back({name, read_mesh(asset_path(node, "mesh"))});
    if (result_.meshes.back().mesh.triangles.size() > options_.max_triangles) {
      node.fail("the mesh '" + reference + "' has more than " + std::to_string(options_.max_triangles) +
                " triangles");
    }
    return name;
  }

  // The file of an asset, beside the model or beside the file that names it.
  std::string asset_path(const XmlNode& node, const char* kind) const {
    const std::string reference = node.required("file");
    if (!options_.allow_files)
      node.fail("the scene names the " + std::string(kind) + " '" + reference +
                "', and reading further files is off");
    const std::string base = reference.substr(reference.find_last_of("/\\") + 1);
    const std::string inside = join_path(mesh_folder_, strip_path_ ? base : reference);
    std::string path = join_path(folder_of(file_), inside);
    if (!is_plain_file(path)) path = join_path(folder_of(node.file()), inside);
    if (!is_plain_file(path)) {
      node.fail("the " + std::string(kind) + " file '" + reference + "' does not exist; looked for " +
                join_path(folder_of(file_), inside));
    }
    return path;
  }

  // Of a tendon's site nothing but its place counts.
  static std::string middle_of(const XmlNode& node) {
    const std::string ends = *node.text_of("fromto");  // words are views of it
    const auto words = split_words(ends);
    if (words.size() != 6)
      node.fail("fromto of a site has " + std::to_string(words.size()) + " numbers; it takes 6");
    std::string text;
    for (std::size_t k = 0; k < 3; ++k)
      text += (k > 0 ? " " : "") + exact_number(0.5 * (parse_number(words[k]).value_or(0.0) +
                                                       parse_number(words[k + 3]).value_or(0.0)));
    return " pos=\"" + text + "\"";
  }

  static std::string asset_name(const XmlNode& node) {
    const std::string reference = node.text_of("file").value_or("");
    const std::string base = reference.substr(reference.find_last_of("/\\") + 1);
    return node.text_of("name").value_or(base.substr(0, base.find_last_of('.')));
  }

  // Attributes of a height field that the engine gets beside those that are kept. It reads the file itself (an image, or
  // counts and heights in single precision).
  std::string take_height_field(const XmlNode& node) {
    const std::string name = asset_name(node);
    std::string text = " name=\"" + xml_escaped(name) + "\"";
    const double cells = node.number("nrow", 0.0) * node.number("ncol", 0.0);
    if (!(cells >= 0.0) || 2.0 * cells > static_cast<double>(options_.max_triangles))
      node.fail("the height field '" + name + "' has more than " + std::to_string(options_.max_triangles) +
                " triangles");
    if (node.has("file")) {
      const std::string path = asset_path(node, "height field");
      const std::uintmax_t bytes = std::filesystem::file_size(path);
      if (bytes > options_.max_file_bytes)
        node.fail("the height field '" + name + "' is larger than " +
                  std::to_string(options_.max_file_bytes >> 20) + " MiB");
      return text + " file=\"" + xml_escaped(std::filesystem::absolute(path).string()) + "\"";
    }
    if (!node.has("elevation"))
      result_.problems.push_back(
          "the height field '" + name +
          "' has no heights in the file and is read as flat; programs that use it set them "
          "later");
    return text;
  }

  // Without the engine's knowledge of them.
  void take_tendons(const XmlNode& section) {
    for_children(section, [&](const XmlNode& node) {
      if (result_.tendons_left_out++ == 0)  // one sentence
        result_.problems.push_back(
            "the tendon '" + node.text_of("name").value_or("") + "' on line " + std::to_string(node.line()) +
            " and others, if any, cannot be read as they stand; their limits and springs "
            "hold nothing here");
      if (node.name() != "fixed") return;
      MjcfTendon tendon{node.text_of("name").value_or(""), {}};
      for (const XmlNode& joint : node.children("joint"))
        tendon.joints.emplace_back(joint.text_of("joint").value_or(""), joint.number("coef", 1.0));
      result_.tendons.push_back(std::move(tendon));
    });
  }

  void take_motors(const XmlNode& section) {
    for_children(section, [&](const XmlNode& node) {
      MjcfMotor motor{node.text_of("name").value_or("a motor"), "", node.text_of("tendon").value_or(""),
                      false};
      motor.pulls_only = node.name() == "muscle" || node.text_of("gaintype").value_or("") == "muscle";
      motor.joint = node.text_of("joint").value_or(node.text_of("jointinparent").value_or(""));
      result_.motors.push_back(std::move(motor));
    });
  }

  // The engine sees the keyframe asked for alone: what others hold may not fit what is left of the model.
  void take_keyframes(const XmlNode& section) {
    for_children(section, [&](const XmlNode& node) {
      if (node.name() != "key") return;
      const std::string number = std::to_string(result_.keyframes.size()),
                        name = node.text_of("name").value_or(number);
      result_.keyframes.push_back(name);
      const std::string& asked = options_.arrangement;
      if (asked.empty() || result_.has_keyframe || (asked != name && asked != number)) return;
      result_.has_keyframe = true;
      check_numbers(node);
      result_.keyframe_states = split_words(node.text_of("qpos").value_or("")).size();
      result_.keyframe_file = node.file();
      result_.keyframe_line = node.line();
      std::string text = "<keyframe><key";
      for (const char* attribute : {"qpos", "mpos", "mquat"}) {
        if (const auto value = node.text_of(attribute))
          text += std::string(" ") + attribute + "=\"" + xml_escaped(*value) + "\"";
      }
      emit(node, text + "/></keyframe>");
    });
  }

  // <connect> or <weld>.
  void take_loop(const XmlNode& node) {
    if (node.text_of("active").value_or("true") == "false") return;
    check_numbers(node);
    MjcfLoop loop;
    loop.is_weld = node.name() == "weld";
    loop.name = node.text_of("name").value_or("equality_" + std::to_string(result_.loops.size()));
    loop.body1 = node.text_of("body1").value_or("");
    loop.body2 = node.text_of("body2").value_or("world");
    loop.file = node.file();
    loop.line = node.line();
    if (!loop.body1.empty() && loop.body1 == loop.body2)
      node.fail("the equality '" + loop.name + "' connects the body '" + loop.body1 + "' with itself");
    if (!loop.is_weld && node.has("anchor")) loop.anchor = node.vector("anchor", Eigen::Vector3d::Zero());
    if (with_tendons_ && node.has("site1")) {
      loop.site1 = node.required("site1");
      loop.site2 = node.required("site2");
    } else if (loop.body1.empty()) {
      result_.problems.push_back("the equality '" + loop.name +
                                 "' connects sites, which are not read; it holds nothing here");
      return;
    }
    result_.loops.push_back(std::move(loop));
  }

  void leave_out(const XmlNode& node, const std::string& parent) {
    const std::string tag(node.name());
    if (parent == "mujoco" && tag == "tendon") take_tendons(node);
    if (parent == "mujoco" && tag == "actuator") take_motors(node);
    if (parent == "mujoco" && tag == "keyframe") take_keyframes(node);
    if (parent == "equality" && (tag == "connect" || tag == "weld")) {
      take_loop(node);
    } else if (parent == "equality") {
      result_.problems.push_back("the equality <" + tag + "> on line " + std::to_string(node.line()) +
                                 " holds nothing here; those of joints, points and welds are known");
    }
    if (tag == "attach" || tag == "model")
      node.fail("<" + tag + "> is not supported; use <include> or one file");
    if (tag == "composite" || tag == "flexcomp" || tag == "deformable" || tag == "flex") {
      result_.problems.push_back("<" + tag + "> on line " + std::to_string(node.line()) +
                                 " is left out: soft and composite bodies are not supported");
    }
  }

  std::string in_mass_unit(const std::string& tag, const XMLAttribute& attribute) const {
    const std::string name = attribute.Name(), value = attribute.Value();
    const bool is_mass = (tag == "geom" && listed(" mass density ", name)) ||
                         (tag == "inertial" && listed(" mass diaginertia fullinertia ", name)) ||
                         (tag == "compiler" && listed(" boundmass boundinertia settotalmass ", name));
    if (!is_mass || mass_unit_ == 1.0) return value;
    std::string scaled;
    for (const std::string_view word : split_words(value)) {
      const auto number = parse_number(word);
      scaled += (number ? exact_number(mass_unit_ * *number) : std::string(word)) + " ";
    }
    return scaled;
  }

  void print(const XmlNode& node, const std::string& parent) {
    const std::string tag(node.name());
    check_values(node, parent);
    std::string text = "<" + tag;
    for (const XMLAttribute* a = node.element()->FirstAttribute(); a; a = a->Next()) {
      if (!listed(kept_attributes().at(tag), a->Name())) continue;
      if (tag == "mesh" && node.has("file") && std::string_view(a->Name()) == "name") continue;
      text += " " + std::string(a->Name()) + "=\"" + xml_escaped(in_mass_unit(tag, *a)) + "\"";
    }
    if (tag == "mesh" && parent == "asset" && node.has("file"))
      text += " name=\"" + xml_escaped(take_mesh(node)) + "\"";
    if (tag == "hfield") text += take_height_field(node);
    if (tag == "site" && node.has("fromto")) text += middle_of(node);
    emit(node, text + ">");
    if (tag == "mujoco" && mass_unit_ != 1.0) {  // the density that geoms have by default
      emit(node, "<default><geom density=\"" + exact_number(1000.0 * mass_unit_) + "\"/></default>");
    }
    const auto children = kept_children().find(tag);
    for_children(node, [&](const XmlNode& child) {
      const std::string name(child.name());
      const bool keep = children != kept_children().end() && listed(children->second, name) &&
                        (with_tendons_ || (name != "site" && name != "tendon"));
      if (keep) {
        print(child, tag);
      } else {
        leave_out(child, tag);
      }
    });
    emit(node, "</" + tag + ">");
  }

  const std::string& file_;
  const SceneOptions& options_;
  double mass_unit_;
  bool with_tendons_;
  std::map<std::string, std::unique_ptr<XMLDocument>> documents_;
  std::vector<std::string> open_;
  std::set<std::string> seen_files_;
  std::map<std::string, int> names_;
  std::string mesh_folder_;
  bool strip_path_{false};
  MjcfDocument result_;
};

}  // namespace

MjcfDocument load_mjcf_document(const std::string& text, const std::string& file, const SceneOptions& options,
                                double mass_unit, bool with_tendons) {
  return Loader(file, options, mass_unit, with_tendons).load(text);
}

}  // namespace prehend::model
