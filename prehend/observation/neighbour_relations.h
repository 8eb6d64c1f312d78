// Contact relations next to a given one: which can two polyhedra, convex or not, reach from it by opening contacts, and in which pose?
//
// Takamatsu 2004, section 3.4.2, uses second-order displacements as initial guesses. From a pose in which the bodies touch, motions are
// drawn from the legal cones of first order; for each, some of the contacts that first order leaves closed are to be kept and the others opened, and the
// second-order screw follows from the linear program of second_order.h. The guess is a finite step along that path, its kept
// contacts are closed exactly by Newton's method, and the relation found at the corrected pose (polyhedron_contacts.h) is what counts: a pose in which
// the bodies overlap is dropped. So every relation listed is realised by its pose. Whether all were found cannot be proved: motions are drawn at random,
// and more of them find rarer relations.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <prehend/geometry/polyhedron.h>
#include <prehend/math/pose.h>
#include <prehend/observation/contact_relation.h>

namespace prehend::observation {

struct NeighbourOptions {
  int motions{300};  // drawn per relation
  int most_relations{200};
  bool whole_graph{true};  // false: only the neighbours of the given relation
  double step_rel{0.05};   // [of the smaller body's size] of the guess
  std::uint64_t seed{0};

  void validate() const;
};

// What touches what: "v3-f1" is vertex 3 of the moving body on face 1 of the fixed one.
struct RelationNode {
  std::vector<std::string> pairs;  // sorted
  ContactRelation relation;
  math::Pose X_FM;                // a pose that realises it
  double guess_error{0.0};        // [m] largest distance of a kept contact after the guess
  double first_order_error{0.0};  // [m] the same with s3 = s4 = 0
};

struct RelationGraph {
  std::vector<RelationNode> nodes;         // the given relation first
  std::vector<std::pair<int, int>> edges;  // from more contacts to fewer, each once
  std::vector<std::string> notes;

  std::string brief_report() const;
};

// Throws std::invalid_argument: a body that is not closed, bodies that overlap or do not touch.
RelationGraph neighbouring_relations(const geometry::Polyhedron& moving, const geometry::Polyhedron& fixed,
                                     const math::Pose& X_FM, const NeighbourOptions& options = {});

}  // namespace prehend::observation
