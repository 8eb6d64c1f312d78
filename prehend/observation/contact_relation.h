// What touches what: the contact relation of a moving body with a fixed one, as points with separating planes.
//
// Around a contact point the two bodies are cones; a plane through the point that has the moving body on its positive side and the fixed
// one on the other separates them. To first order the moving body may go wherever, at every contact point, at least one of its
// separating planes is not crossed. Ordinary contacts have one; those of a vertex or edge with a vertex, or with a parallel edge, have
// several, of which the extreme ones are given: the relation is singular there.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::observation {

// One contact: points that share their planes. A line or a face contact is given by its corners.
struct Contact {
  std::string type;  // "vertex-face": what the moving body touches with, then the fixed one; may be empty
  std::vector<Eigen::Vector3d> points_W;  // [m] at least one
  std::vector<Eigen::Vector3d>
      normals_W;  // out of the fixed body, any length above zero; several: one suffices

  bool is_singular() const { return normals_W.size() > 1; }
};

struct ContactRelation {
  std::vector<Contact> contacts;  // none: the body is free

  // Throws std::invalid_argument: a contact without points or normals, a number that is not finite, a normal of no length.
  void validate() const;
};

// {"contacts":[{"type","points_W_m":[[x,y,z],...],"n_W":[...] or "normals_W":[[...],...]}]}; curvatures and tangents ("moving",
// "fixed") are left to the second order. Throws model::InputError with file and line.
ContactRelation read_contact_relation(const std::string& path);
ContactRelation parse_contact_relation(const std::string& text, const std::string& name);

}  // namespace prehend::observation
