#include <cmath>
#include <stdexcept>
#include <utility>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

bool has_extension(const std::string& path, std::string_view extension) {
  std::string_view name = path;
  if (name.size() > 3 && equals_ignoring_case(name.substr(name.size() - 3), ".gz")) name.remove_suffix(3);
  return name.size() > extension.size() &&
         equals_ignoring_case(name.substr(name.size() - extension.size()), extension);
}

}  // namespace

const char* to_string(MeshFormat format) { return enum_text(format); }

const char* display_name(MeshFormat format) {
  switch (format) {
    case MeshFormat::stl:
      return "STL";
    case MeshFormat::obj:
      return "OBJ";
    case MeshFormat::ply:
      return "PLY";
    case MeshFormat::gltf:
      return "glTF";
    case MeshFormat::dae:
      return "COLLADA";
    case MeshFormat::msh:
      return "MSH";
  }
  return "unknown";
}

double length_unit(std::string_view name) {
  if (name == "m") return 1.0;
  if (name == "cm") return 0.01;
  if (name == "mm") return 0.001;
  if (name == "in") return 0.0254;
  throw std::invalid_argument("the unit is " + in_quotes(name) + "; it must be m, cm, mm or in");
}

std::optional<double> stated_unit(std::string_view comment) {
  static const std::pair<std::string_view, double> kUnits[] = {{"mm", 0.001},
                                                               {"millimeter", 0.001},
                                                               {"millimeters", 0.001},
                                                               {"millimetre", 0.001},
                                                               {"millimetres", 0.001},
                                                               {"cm", 0.01},
                                                               {"centimeter", 0.01},
                                                               {"centimeters", 0.01},
                                                               {"centimetre", 0.01},
                                                               {"centimetres", 0.01},
                                                               {"m", 1.0},
                                                               {"meter", 1.0},
                                                               {"meters", 1.0},
                                                               {"metre", 1.0},
                                                               {"metres", 1.0},
                                                               {"inch", 0.0254},
                                                               {"inches", 0.0254},
                                                               {"in", 0.0254},
                                                               {"ft", 0.3048},
                                                               {"foot", 0.3048},
                                                               {"feet", 0.3048},
                                                               {"um", 1e-6},
                                                               {"micrometers", 1e-6},
                                                               {"micrometres", 1e-6}};
  const std::string text = lower_case(comment.substr(0, 400));
  // "unit" or "units", then '=' or ':', then the name of a unit.
  for (std::size_t at = text.find("unit"); at != std::string::npos; at = text.find("unit", at + 1)) {
    std::size_t i = at + 4;
    if (i < text.size() && text[i] == 's') ++i;
    while (i < text.size() && text[i] == ' ') ++i;
    if (i == text.size() || (text[i] != '=' && text[i] != ':')) continue;
    ++i;
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    std::size_t end = i;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    for (const auto& [name, metres] : kUnits) {
      if (text.compare(i, end - i, name) == 0) return metres;
    }
  }
  return std::nullopt;
}

void validate(const MeshFileOptions& options) {
  math::OptionCheck("MeshFileOptions").above("unit", options.unit, 0.0, "m");
}

void apply_scale(MeshFile& file, const std::string& name, const MeshFileOptions& options) {
  double scale = options.unit;
  if (file.stated_unit_m && *file.stated_unit_m != 1.0) {
    const std::string unit = "the file states a length unit of " + exact_number(*file.stated_unit_m) + " m";
    if (options.use_stated_unit) {
      scale *= *file.stated_unit_m;
      file.notes.push_back(unit + "; coordinates were scaled by it");
    } else if (options.unit == 1.0) {
      file.notes.push_back(unit + "; coordinates were taken as metres because no unit was asked for");
    }
  }
  for (Eigen::Vector3d& p : file.mesh.vertices) {
    if (scale != 1.0) p *= scale;
    if (!p.allFinite())
      throw InputError(name, 0, "a vertex is not finite after scaling by " + exact_number(scale));
  }
  for (double& volume : file.vertex_volumes) {
    volume *= scale * scale * scale;
    if (!std::isfinite(volume)) {
      throw InputError(name, 0, "a volume is not finite after scaling by " + exact_number(scale) + " cubed");
    }
  }
}

std::optional<MeshFormat> detect_mesh_format(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) return MeshFormat::ply;
  if (bytes.starts_with("glTF")) return MeshFormat::gltf;
  if (has_extension(path, ".stl")) return MeshFormat::stl;
  if (has_extension(path, ".obj")) return MeshFormat::obj;
  if (has_extension(path, ".ply")) return MeshFormat::ply;
  if (has_extension(path, ".gltf") || has_extension(path, ".glb")) return MeshFormat::gltf;
  if (has_extension(path, ".dae")) return MeshFormat::dae;
  if (has_extension(path, ".msh")) return MeshFormat::msh;
  if (is_binary_stl(bytes)) return MeshFormat::stl;
  return std::nullopt;
}

MeshFile parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name,
                    const MeshFileOptions& options) {
  validate(options);
  if (bytes.empty()) {
    const bool vowel = format == MeshFormat::stl || format == MeshFormat::obj || format == MeshFormat::msh;
    throw InputError(name, 0,
                     std::string("the file is empty; a") + (vowel ? "n " : " ") + display_name(format) +
                         " mesh was expected");
  }
  const auto read = [&] {
    switch (format) {
      case MeshFormat::stl:
        return read_stl(bytes, name, options);
      case MeshFormat::obj:
        return read_obj(bytes, name, options);
      case MeshFormat::ply:
        return read_ply_mesh(bytes, name, options);
      case MeshFormat::gltf:
        return read_gltf(bytes, name, options);
      case MeshFormat::dae:
        return read_dae(bytes, name);
      case MeshFormat::msh:
        return read_msh(bytes, name);
    }
    throw std::invalid_argument("unknown MeshFormat");
  };
  MeshFile file = read();
  apply_scale(file, name, options);
  return file;
}

MeshFile read_mesh_file(const std::string& path, const MeshFileOptions& options) {
  const std::string bytes = read_file(path);
  const auto format = detect_mesh_format(bytes, path);
  if (!format) {
    throw InputError(path, 0,
                     "not a mesh format that is read; expected STL, OBJ, PLY, glTF, COLLADA or MSH (.stl "
                     ".obj .ply .gltf .glb "
                     ".dae .msh)");
  }
  return parse_mesh(bytes, *format, path, options);
}

geometry::TriangleMesh read_mesh(const std::string& path, const MeshFileOptions& options) {
  return std::move(read_mesh_file(path, options).mesh);
}

}  // namespace prehend::model
