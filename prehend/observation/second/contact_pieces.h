// The contacts of a relation, ready for second order: separating planes with the features that touch them, in scaled units.
//
// What a contact's sides say is checked here: curvatures symmetric and without a part along the normal, tangents in the tangent
// plane, edges that cross, bodies that do not overlap before they move. What is missing is flat, and a note says so.
//
// A line or face contact is judged at its corners. A corner is taken as a point of the moving body (of the fixed one where a face
// touches an edge), and the features are followed across the contact only. That is exact where the contact
// closes at all corners and the bodies are flat along it; a note says where it is not.
#pragma once

#include <string>
#include <vector>

#include <prehend/observation/cones/contact_planes.h>
#include <prehend/observation/second/gap.h>

namespace prehend::observation {

// One point of contact; several pieces: one of the planes suffices.
struct JudgedPoint {
  int contact{0}, point{0};
  std::vector<ContactPiece> pieces;
};

struct PreparedContacts {
  ContactPlanes planes;
  std::vector<JudgedPoint> points;
  std::vector<std::string> notes;

  // Throws ContactError.
  explicit PreparedContacts(const ContactRelation& relation);

  int contact_count{0};
};

}  // namespace prehend::observation
