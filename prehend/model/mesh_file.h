// Mesh files: STL, OBJ, PLY, glTF 2.0, COLLADA and MuJoCo's MSH read into triangles, with what else they carry
// (colours, normals, names).
//
// Files are untrusted: every error is an InputError naming the file, the line (text formats) and what to do;
// memory and time are bounded by its size (see polygon_triangulation.h for polygons).
// Coordinates are as written, times `scale`. Converted, and said in `notes`: glTF is Y-up by its
// standard and is turned to Z-up (x, y, z) -> (x, -z, y), with its node transforms applied; COLLADA alike, by
// its unit and up axis; STL, which has no shared vertices, is welded where coordinates are equal. The other
// formats keep their vertices: a surface whose file repeats them on creases needs welding to be
// closed. Degenerate, duplicate or inside-out triangles are kept (geometry::check_mesh reports them).
// Gzip files are unpacked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::model {

enum class MeshFormat { stl, obj, ply, gltf, dae, msh };

const char* to_string(MeshFormat format);     // "stl", "obj", "ply", "gltf", "dae", "msh"
const char* display_name(MeshFormat format);  // "STL", "OBJ", "PLY", "glTF", "COLLADA", "MSH"

// [m] of a unit of length by its short name: m, cm, mm or in. Throws std::invalid_argument for any other.
double length_unit(std::string_view name);

struct MeshFileOptions {
  // [m] the file's unit of length: every coordinate is multiplied by it. Formats without a unit are taken as
  // metres; a file in millimetres needs 0.001. Positive.
  double unit{1.0};
  // Takes the unit that the file itself states (a comment 'length unit = millimeters') on top of `unit`.
  // Off, because a file must not change size by a comment unless asked; either way a note tells.
  bool use_stated_unit{false};
  // STL only: vertices with equal coordinates become one. Without it each triangle has its own three.
  bool weld{true};
};

struct MeshFile {
  geometry::TriangleMesh mesh;
  MeshFormat format{MeshFormat::stl};
  std::string encoding;     // "ascii", "binary", "binary big endian", "glb", "json", "xml"
  std::size_t polygons{0};  // faces in the file, before triangulation
  std::vector<Eigen::Vector3d> vertex_normals;   // per vertex, as written; or empty
  std::vector<Eigen::Vector3d> vertex_colors;    // per vertex, red green blue in [0, 1]; or empty
  std::vector<Eigen::Vector3d> triangle_colors;  // per triangle, from face colours; or empty
  std::vector<int> vertex_labels;                // per vertex (`label` or `segmentation`); or empty
  std::vector<double> vertex_volumes;            // [m^3] per vertex (`volume`, times unit^3); or empty
  std::vector<std::string> groups;               // solids, objects and groups, or mesh nodes, by name
  std::vector<int> triangle_groups;     // per triangle, index into groups; or empty when there are none
  std::optional<double> stated_unit_m;  // [m] the unit the file states
  std::vector<std::string> notes;       // sentences: what was converted, ignored or doubtful
};

// The mesh alone, or all that the file holds. A PLY without faces is a cloud and an error here (see
// point_cloud.h).
geometry::TriangleMesh read_mesh(const std::string& path, const MeshFileOptions& options = {});
MeshFile read_mesh_file(const std::string& path, const MeshFileOptions& options = {});

// The same from memory; `name` stands for the file in messages. A .gltf that points to files beside it takes
// them from the folder of `name`; data in memory has none and such a reference is an error.
MeshFile parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name,
                    const MeshFileOptions& options = {});

// By content (PLY and glTF magic, STL's size rule), then by extension. Nothing when it is no mesh format of
// ours.
std::optional<MeshFormat> detect_mesh_format(std::string_view bytes, const std::string& path);

// Writers: the file is complete or absent (write_file). Text has 17 digits and PLY binary has doubles, so
// reading gives the same bits; binary STL holds single precision by definition. A coordinate that is not
// finite or an index out of range is a std::invalid_argument.
enum class PlyEncoding { ascii, binary_little_endian, binary_big_endian };
void write_obj(const std::string& path, const geometry::TriangleMesh& mesh);
void write_stl(const std::string& path, const geometry::TriangleMesh& mesh);
void write_ply(const std::string& path, const MeshFile& file,
               PlyEncoding encoding = PlyEncoding::binary_little_endian);
void write_ply(const std::string& path, const geometry::TriangleMesh& mesh,
               PlyEncoding encoding = PlyEncoding::binary_little_endian);
// By the extension of `path`: .obj, .stl or .ply.
void write_mesh(const std::string& path, const geometry::TriangleMesh& mesh);

}  // namespace prehend::model
