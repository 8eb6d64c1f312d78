#include <stdexcept>
#include <string_view>
#include <vector>

#include <tinyxml2.h>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scenes/xml_input.h>

namespace prehend::model {
namespace {

using tinyxml2::XMLElement;

std::vector<XMLElement*> elements_named(XMLElement* root, const char* name) {
  std::vector<XMLElement*> found;
  std::vector<XMLElement*> open{root};
  while (!open.empty()) {
    XMLElement* element = open.back();
    open.pop_back();
    if (std::string_view(element->Name()) == name) found.push_back(element);
    for (XMLElement* child = element->LastChildElement(); child != nullptr;
         child = child->PreviousSiblingElement())
      open.push_back(child);
  }
  return found;
}

XMLElement* find_body(const std::vector<XMLElement*>& bodies, const std::string& name, const char* what,
                      const std::string& file) {
  std::string names;
  for (XMLElement* body : bodies) {
    const char* own = body->Attribute("name");
    if (own != nullptr && name == own) return body;
    names += (names.empty() ? "" : ", ") +
             (own ? "'" + std::string(own) + "'" : std::string("one without a name"));
  }
  if (name.empty() && bodies.size() == 1) return bodies.front();
  const std::string there = bodies.empty() ? "there is none" : "there are " + names;
  throw InputError(file, 0,
                   name.empty() ? std::string("which ") + what + " gets the inertia must be said; " + there
                                : std::string("no ") + what + " named '" + name + "'; " + there);
}

// The first child, where writers put it; emptied when it exists.
XMLElement* fresh_inertial(XMLElement* body) {
  if (XMLElement* old = body->FirstChildElement("inertial")) {
    XMLElement* made = body->GetDocument()->NewElement("inertial");
    body->InsertAfterChild(old, made);
    body->DeleteChild(old);
    return made;
  }
  XMLElement* made = body->GetDocument()->NewElement("inertial");
  body->InsertFirstChild(made);
  return made;
}

void fill_urdf(XMLElement* link, const math::SpatialInertia& inertia) {
  XMLElement* inertial = fresh_inertial(link);
  XMLElement* origin = inertial->InsertNewChildElement("origin");
  origin->SetAttribute("xyz", format_vector(inertia.com).c_str());
  origin->SetAttribute("rpy", "0 0 0");
  const auto set = [](XMLElement* element, const char* name, double value) {
    element->SetAttribute(name, format_numbers(&value, 1).c_str());
  };
  set(inertial->InsertNewChildElement("mass"), "value", inertia.mass);
  XMLElement* moments = inertial->InsertNewChildElement("inertia");
  const Eigen::Matrix3d& I = inertia.I_com;
  set(moments, "ixx", I(0, 0));
  set(moments, "ixy", I(0, 1));
  set(moments, "ixz", I(0, 2));
  set(moments, "iyy", I(1, 1));
  set(moments, "iyz", I(1, 2));
  set(moments, "izz", I(2, 2));
}

void fill_mjcf(XMLElement* body, const math::SpatialInertia& inertia) {
  XMLElement* inertial = fresh_inertial(body);
  const Eigen::Matrix3d& I = inertia.I_com;
  const double full[6] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  inertial->SetAttribute("pos", format_vector(inertia.com).c_str());
  inertial->SetAttribute("mass", format_numbers(&inertia.mass, 1).c_str());
  inertial->SetAttribute("fullinertia", format_numbers(full, 6).c_str());
}

}  // namespace

std::string with_inertial(const std::string& path, const std::string& body,
                          const math::SpatialInertia& inertia) {
  const math::ConsistencyReport consistency = math::check_consistency(inertia);
  if (!consistency.is_consistent())
    throw std::invalid_argument("no body has this inertia: " + consistency.brief_report());
  tinyxml2::XMLDocument document;
  parse_xml(document, read_file(path), path, SceneOptions{});
  XMLElement* root = document.RootElement();
  const std::string_view kind = root->Name();
  if (kind == "robot") {
    fill_urdf(find_body(elements_named(root, "link"), body, "link", path), inertia);
  } else if (kind == "mujoco") {
    for (const XMLElement* compiler : elements_named(root, "compiler")) {
      const char* from_geoms = compiler->Attribute("inertiafromgeom");
      if (from_geoms != nullptr && std::string_view(from_geoms) == "true")
        throw InputError(path, compiler->GetLineNum(),
                         "the compiler takes inertias from geoms and would ignore <inertial>; remove "
                         "inertiafromgeom=\"true\"");
    }
    fill_mjcf(find_body(elements_named(root, "body"), body, "body", path), inertia);
  } else {
    throw InputError(path, root->GetLineNum(),
                     "expected URDF (<robot>) or MJCF (<mujoco>), found <" + std::string(kind) + ">");
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace prehend::model
