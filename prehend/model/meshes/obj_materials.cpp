#include <algorithm>
#include <filesystem>
#include <optional>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/meshes/obj_materials.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

namespace fs = std::filesystem;

// The file in the folder of the OBJ or below it. Exporters write paths of the machine they ran on: then the file's name alone counts.
std::optional<fs::path> beside_obj(const std::string& written, const std::string& name) {
  std::string text = written;
  std::replace(text.begin(), text.end(), '\\', '/');
  if (text.empty() || text.find('\0') != std::string::npos) return std::nullopt;
  std::error_code error;
  if (name.empty() || !fs::exists(name, error)) return std::nullopt;
  const fs::path folder = fs::weakly_canonical(fs::absolute(name, error), error).parent_path();
  const fs::path relative = text;
  for (const fs::path& candidate : {relative, relative.filename()}) {
    if (candidate.empty() || candidate.is_absolute()) continue;
    const fs::path file = fs::weakly_canonical(folder / candidate, error);
    // A link or `..` may lead elsewhere.
    const auto [in_folder, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    if (in_folder == folder.end() && fs::is_regular_file(file, error)) return file;
  }
  return std::nullopt;
}

void parse_mtl(std::string_view bytes, ObjMaterials& materials) {
  LineScanner lines(bytes);
  std::string_view line;
  ObjMaterials::Material* open = nullptr;
  while (lines.next(line)) {
    const std::string_view keyword = take_word(line);
    if (keyword == "newmtl") {
      open = &materials.by_name[std::string(trimmed(line))];
    } else if (open != nullptr && keyword == "map_Kd") {
      open->has_texture = true;
    } else if (open != nullptr && keyword == "Kd") {
      Eigen::Vector3d color;
      bool is_color = true;
      for (double& value : color) {
        const auto number = parse_number(take_word(line));
        is_color = is_color && number && *number >= 0.0 && *number <= 1.0;
        value = number.value_or(0.0);
      }
      if (is_color) open->color = color;
    }
  }
}

}  // namespace

ObjMaterials read_obj_materials(const std::vector<std::string>& libraries, const std::string& name) {
  constexpr std::size_t kMostBytes = std::size_t{1}
                                     << 24;  // libraries of thousands of materials have a megabyte
  ObjMaterials materials;
  const auto read = [&](const fs::path& file) {
    try {
      parse_mtl(read_file(file.string(), {.max_bytes = kMostBytes}), materials);
    } catch (const InputError& error) {
      materials.notes.push_back(std::string("a material file could not be read: ") + error.what());
    }
  };
  constexpr int kMostFiles = 100;
  int files = 0;
  for (const std::string& library : libraries) {
    if (const auto whole = beside_obj(library, name)) {  // a name with spaces in it
      read(*whole);
      continue;
    }
    std::string_view rest = library;
    for (std::string_view word = take_word(rest); !word.empty() && files < kMostFiles;
         word = take_word(rest), ++files) {
      if (const auto file = beside_obj(std::string(word), name)) {
        read(*file);
      } else {
        materials.notes.push_back("the material file " + in_quotes(word) +
                                  " is not in the folder of the OBJ: its colours are missing");
      }
    }
  }
  return materials;
}

}  // namespace prehend::model
