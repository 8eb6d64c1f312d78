// What is known of the object's shape, in its own frame O: points with volumes, parts, and a box.
//
// Read from a mesh (closed: filled with evenly spread points) or a cloud (its points, each with its volume where the file
// has them; points on a surface are filled as a mesh is). Labelled clouds and sets of meshes have parts: homogeneous pieces whose masses are the unknowns of `hps`.
// Volume, centroid and inertia of a sound mesh are exact (mass_properties.h); those of anything else are sums over its
// points, and `notes` says so. A mesh with a hole or with overlapping shells is filled by its winding number, which
// counts overlaps once; where that encloses nothing, the hull of its vertices stands for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/math/inertia.h>

namespace prehend::geometry {
struct TriangleMesh;
}
namespace prehend::model {
struct PointCloud;
}

namespace prehend::inertia {

// A piece of one density. Its parameters scale with its mass.
struct Part {
  std::string name;                   // label of the cloud or name of the mesh file
  double volume{0.0};                 // [m^3]
  math::SpatialInertia of_unit_mass;  // in O, mass 1 kg
};

struct Shape {
  std::vector<Eigen::Vector3d> points;  // [m] in O, inside the object or on its surface
  std::vector<double> volumes;          // [m^3] one per point; all equal where the source had none
  std::vector<int> labels;              // part of each point, index into parts; empty without parts
  std::vector<Part> parts;
  math::SpatialInertia of_unit_mass;  // the homogeneous object, in O, mass 1 kg
  Eigen::AlignedBox3d box;            // [m] in O
  // Of a cloud of surface points, which was filled: those points themselves, in O, 1 kg. How thick the object is was guessed.
  std::optional<math::SpatialInertia> shell_of_unit_mass;
  // Known by points that stand for volumes of their own (centroids of cells), by no closed surface.
  bool is_of_cells{false};
  std::vector<std::string> notes;  // sentences: scaled, closed by hull, ...
};

struct ShapeOptions {
  // Metres per unit of the file: 0.001 for meshes in millimetres. Positive.
  double unit{1.0};
  // Takes the unit that the file itself states (a PLY comment) on top of `unit`; see MeshFileOptions.
  bool use_stated_unit{false};
  // About how many points fill a mesh. 4000 put volume and second moments within 2 % of exact. In [50, 1e6].
  int fill_points{4000};
};

// `path`: a mesh (STL, OBJ, PLY, glTF) or a cloud (PLY, PCD, XYZ without faces), in the frame O. A labelled cloud has parts, a mesh
// none. Throws model::InputError for a file that holds no shape, std::invalid_argument for an option out of range.
Shape read_shape(const std::string& path, const ShapeOptions& options = {});
// One labelled cloud, or one mesh per part, named after its file; all in the same frame.
Shape read_parts(const std::vector<std::string>& paths, const ShapeOptions& options = {});

// What is known of an object from its files: its parts where they are given (they go first), else the shape of `object`; none
// where both are empty.
std::optional<Shape> read_object_shape(const std::string& object, const std::vector<std::string>& parts,
                                       const ShapeOptions& options = {});
// The object's surface, for pictures and models; none where the path is empty or its file is a cloud.
std::optional<geometry::TriangleMesh> read_surface(const std::string& object,
                                                   const ShapeOptions& options = {});

// The same from memory; `name` stands for the file in messages.
Shape shape_of_mesh(const geometry::TriangleMesh& mesh, const std::string& name,
                    const ShapeOptions& options = {});
Shape shape_of_cloud(const model::PointCloud& cloud, const std::string& name);

}  // namespace prehend::inertia
