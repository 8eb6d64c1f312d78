// Can the super-object move at all, were there no friction? (source N, (4.31)-(4.33))
//
// Form closure: the contact normals' wrenches span all six dimensions and some strictly positive combination of them
// is zero, so that a motion that enters no contact is zero. Then the cut is not feasible. Both are tested, the second
// by a linear program.
//
// The print puts +-tangents beside each normal (and loses the minus of the lower right block, (4.31)). With tangents
// the test is about motions that do not slide anywhere: a block that two walls hold would count as fixed, although it
// can be pushed along them. Here only normals are used, as in the definition that the source cites.
#pragma once

#include <prehend/stability/methods/super_object.h>

namespace prehend::stability {

bool is_form_closed(const ContactSystem& system, const SuperObject& object);

}  // namespace prehend::stability
