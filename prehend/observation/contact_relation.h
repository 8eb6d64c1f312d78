// What touches what: the contact relation of a moving body with a fixed one, as points with separating planes.
//
// Around a contact point the two bodies are cones; a plane through the point that has the moving body on its positive side and the fixed
// one on the other separates them. To first order the moving body may go wherever, at every contact point, at least one of its
// separating planes is not crossed. Ordinary contacts have one; those of a vertex or edge with a vertex, or with a parallel edge, have
// several, of which the extreme ones are given: the relation is singular there.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::observation {

// What one body has at a contact; only second order reads it. A curvature that is absent is flat.
struct ContactSide {
  // Of an edge; away from its vertex for a half_edge; any length above zero.
  std::optional<Eigen::Vector3d> tangent_W;
  // [1/m] Of an edge: curvature times principal normal.
  std::optional<Eigen::Vector3d> edge_curvature_W;
  // [1/m] Of a face n.x + 1/2 x'mx = 0, n its own outward normal: 1/r for a ball, zero along n.
  std::optional<Eigen::Matrix3d> face_curvature_W;
  // half_face: from its edge into the face.
  std::optional<Eigen::Vector3d> inward_W;
  // quarter_face: its two edges. Vertex: all its edges, in order around it. Away from the vertex.
  std::vector<Eigen::Vector3d> tangents_W;
  // Edge: the outward normals of its two faces.
  std::vector<Eigen::Vector3d> normals_W;
  // [1/m] Vertex: of the faces between successive edges; edge: of its two faces. None: flat.
  std::vector<Eigen::Matrix3d> curvatures_W;

  bool is_empty() const;
};

// One contact: points that share their planes. A line or a face contact is given by its corners.
struct Contact {
  std::string type;  // "vertex-face": what the moving body touches with, then the fixed one; may be empty
  std::vector<Eigen::Vector3d> points_W;  // [m] at least one
  // Out of the fixed body, any length above zero; several: one suffices.
  std::vector<Eigen::Vector3d> normals_W;
  ContactSide moving{}, fixed{};
  int line{0};  // in the file it was read from

  bool is_singular() const { return normals_W.size() > 1; }
};

struct ContactRelation {
  std::vector<Contact> contacts;  // none: the body is free

  // Throws std::invalid_argument: a contact without points or normals, a number that is not finite, a normal of no length.
  void validate() const;
};

// A contact that cannot be: which one, and why.
class ContactError : public std::invalid_argument {
 public:
  ContactError(std::size_t contact, const std::string& why)
      : std::invalid_argument("contact " + std::to_string(contact) + ": " + why), contact_(contact) {}
  std::size_t contact() const { return contact_; }

 private:
  std::size_t contact_;
};

// {"contacts":[{"type","points_W_m":[[x,y,z],...],"n_W":[...] or "normals_W":[[...],...],"moving":{},"fixed":{}}]}; a side may have
// "tangent_W", "curvature_W_1pm" (3x3 or a vector), "inward_W", "tangents_W", "normals_W", "curvatures_W_1pm". Whether they fit
// the contact is checked by what uses them. Throws model::InputError with file and line.
ContactRelation read_contact_relation(const std::string& path);
ContactRelation parse_contact_relation(const std::string& text, const std::string& name);

}  // namespace prehend::observation
