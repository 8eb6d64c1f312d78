// How an Inspection is shown: as a readable table and as JSON.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include <prehend/math/enum_text.h>
#include <prehend/model/inspection.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>

namespace prehend::model {
namespace {

__attribute__((format(printf, 1, 2))) std::string printed(const char* pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

bool has_axis(JointType type) {
  return type != JointType::rigid && type != JointType::spherical && type != JointType::free;
}

std::string summary_text(std::monostate) { return {}; }

std::string vector_text(const Eigen::Vector3d& v) {
  return printed("(%.6g, %.6g, %.6g)", v.x(), v.y(), v.z());
}

std::string summary_text(const MeshSummary& mesh) {
  const geometry::MeshReport& report = mesh.report;
  std::string text = printed("  vertices   %d (welded)\n  triangles  %d\n  faces      %zu\n  closed     %s\n",
                             report.vertices, report.triangles, mesh.faces, report.is_closed ? "yes" : "no");
  text += printed("  area       %.6g m2\n", mesh.mass.area);
  if (mesh.shells.size() > 1) {
    text += printed("  shells     %zu\n", mesh.shells.size());
    constexpr std::size_t kShown = 12;
    for (std::size_t i = 0; i < std::min(kShown, mesh.shells.size()); ++i)
      text += printed("    %-10s %7d triangles  %10.5g m2  %10.5g m3\n", mesh.shells[i].kind.c_str(),
                      mesh.shells[i].triangles, mesh.shells[i].area, mesh.shells[i].volume);
    if (mesh.shells.size() > kShown) text += printed("    and %zu more\n", mesh.shells.size() - kShown);
  }
  if (!report.is_closed) return text;
  text += printed("  volume     %.6g m3\n  centroid   %s m\n", mesh.mass.volume,
                  vector_text(mesh.mass.centroid).c_str());
  const Eigen::Matrix3d& I = mesh.mass.inertia_unit_density;
  text += printed(
      "  inertia    xx %.6g  yy %.6g  zz %.6g  xy %.6g  xz %.6g  yz %.6g m5 (unit density, about the "
      "centroid)\n",
      I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  return text;
}

std::string summary_text(const CloudSummary& cloud) {
  std::string text = printed("  points     %zu\n  box        %s to %s m\n", cloud.points,
                             vector_text(cloud.lower).c_str(), vector_text(cloud.upper).c_str());
  text += printed("  carries    %s%s%s%s\n", cloud.has_normals ? "normals " : "",
                  cloud.has_colors ? "colours " : "", cloud.has_volumes ? "volumes " : "",
                  cloud.labels.empty() ? "" : "labels");
  for (const auto& [label, count] : cloud.labels) text += printed("  label %-4d %zu points\n", label, count);
  return text;
}

std::string summary_text(const Scene& scene) {
  std::string text = printed("  gravity    %s m/s2\n", vector_text(scene.gravity_W).c_str());
  text += printed("  %-24s %-8s %10s  %5s  %s\n", "body", "", "mass [kg]", "geoms", "position [m]");
  for (const BodyIndex b : scene.listed_bodies()) {
    const Body& body = scene.bodies[b];
    text +=
        printed("  %-24.60s %-8s %10.5g  %5zu  %s\n", body.name.c_str(), body.movable ? "movable" : "fixed",
                body.inertia.mass, body.geoms.size(), vector_text(body.X_WB.p()).c_str());
  }
  for (const Joint& joint : scene.joints) {
    text += printed("  joint %-18.60s %-12s %.60s -> %.60s", joint.name.c_str(), to_string(joint.type),
                    scene.bodies[joint.parent].name.c_str(), scene.bodies[joint.child].name.c_str());
    text += has_axis(joint.type) ? "  axis " + vector_text(joint.axis_C) + "\n" : "\n";
  }
  return text;
}

std::string summary_text(const LogSummary& log) {
  std::string text = printed("  rows       %zu\n", log.rows);
  if (log.frames > 0) text += printed("  frames     %zu\n", log.frames);
  if (log.frames == 0) text += printed("  duration   %.6g s\n", log.duration);
  text += "  columns   ";
  for (const std::string& column : log.columns) text += " " + column;
  text += "\n";
  if (!log.parts.empty()) {
    text += "  parts     ";
    for (const std::string& part : log.parts) text += " " + part;
    text += "\n";
  }
  return text;
}

void write_summary(JsonWriter&, std::monostate) {}

void write_summary(JsonWriter& json, const MeshSummary& mesh) {
  json.field("vertices", mesh.report.vertices)
      .field("triangles", mesh.report.triangles)
      .field("faces", mesh.faces)
      .field("closed", mesh.report.is_closed)
      .field("area_m2", mesh.mass.area);
  if (mesh.report.is_closed) {
    json.field("volume_m3", mesh.mass.volume)
        .field("centroid_m", mesh.mass.centroid)
        .field("inertia_unit_density_m5", mesh.mass.inertia_unit_density);
  } else {
    json.key("volume_m3").null().key("centroid_m").null().key("inertia_unit_density_m5").null();
  }
  json.field("components", mesh.report.components)
      .field("self_intersections", mesh.report.self_intersections);
  json.key("shells").array();
  for (const ShellSummary& shell : mesh.shells)
    json.object()
        .field("kind", shell.kind)
        .field("triangles", shell.triangles)
        .field("area_m2", shell.area)
        .field("volume_m3", shell.volume)
        .end();
  json.end();
}

void write_summary(JsonWriter& json, const CloudSummary& cloud) {
  json.field("points", cloud.points).field("lower_m", cloud.lower).field("upper_m", cloud.upper);
  json.field("normals", cloud.has_normals)
      .field("colours", cloud.has_colors)
      .field("volumes", cloud.has_volumes);
  json.key("labels").array();
  for (const auto& [label, count] : cloud.labels)
    json.object().field("label", label).field("points", count).end();
  json.end();
}

void write_summary(JsonWriter& json, const Scene& scene) {
  json.field("gravity_mps2", scene.gravity_W).key("bodies").array();
  for (const BodyIndex b : scene.listed_bodies()) {
    const Body& body = scene.bodies[b];
    json.object()
        .field("name", body.name)
        .field("movable", body.movable)
        .field("mass_kg", body.inertia.mass)
        .field("com_B_m", body.inertia.com)
        .field("inertia_com_kgm2", body.inertia.I_com)
        .field("X_WB", body.X_WB)
        .field("geoms", body.geoms.size())
        .end();
  }
  json.end().key("joints").array();
  for (const Joint& joint : scene.joints) {
    json.object()
        .field("name", joint.name)
        .field("type", to_string(joint.type))
        .field("parent", scene.bodies[joint.parent].name)
        .field("child", scene.bodies[joint.child].name)
        .key("axis");
    if (has_axis(joint.type)) {
      json.value(joint.axis_C);
    } else {
      json.null();
    }
    if (joint.type == JointType::screw) json.field("pitch_m_per_rad", joint.pitch);
    if (joint.type != JointType::free) json.field("held", joint.is_held());
    json.end();
  }
  json.end();
}

void write_summary(JsonWriter& json, const LogSummary& log) {
  json.field("rows", log.rows).field("columns", log.columns);
  if (log.frames > 0) {
    json.field("frames", log.frames).key("duration_s").null();
  } else {
    json.field("duration_s", log.duration);
  }
  if (!log.parts.empty()) json.field("parts", log.parts);
}

}  // namespace

const char* to_string(InspectionStatus status) { return enum_text(status); }

std::string Inspection::brief_report() const {
  std::string text = file + ": " + kind + " (" + format + ")\n";
  text += std::visit([](const auto& of_kind) { return summary_text(of_kind); }, summary);
  for (const std::string& note : notes) text += "  note: " + note + "\n";
  text += problem_lines(problems, "  problem: ");
  return text;
}

std::string Inspection::to_json() const {
  JsonWriter json;
  json.object()
      .field("status", to_string(status))
      .field("file", file)
      .field("kind", kind)
      .field("format", format);
  std::visit([&](const auto& of_kind) { write_summary(json, of_kind); }, summary);
  return json.field("problems", problems).field("notes", notes).end().text();
}

}  // namespace prehend::model
