// What a file is, recognised by its content first and its extension second: for `inspect` and for verbs that take
// several kinds. Only the head of the file is looked at, so a file of a known kind may still fail to read.
#pragma once

#include <string>
#include <string_view>

namespace prehend::model {

enum class FileKind { mesh, cloud, scene, poses, wrench_log, rope, topology_log };

// "mesh", "cloud", "scene", "poses", "wrench_log", "rope", "topology_log".
const char* to_string(FileKind kind);

struct FileType {
  FileKind kind{FileKind::mesh};
  // The format by name: "STL", "OBJ", "PLY", "glTF", "MJCF", "URDF", "SDF", "COMPAS assembly", "transport arrangement", "CSV",
  // "track", "pose list", "PCD", "XYZ".
  std::string format;
};

// Throws InputError, naming what was expected, when the file is empty or of no kind that is read. Two kinds
// get their own advice: STEP and IGES (convert to STL or OBJ), and documents of other tools that look alike.
FileType detect_file_type(const std::string& path);
FileType detect_file_type(std::string_view bytes, const std::string& path);

}  // namespace prehend::model
