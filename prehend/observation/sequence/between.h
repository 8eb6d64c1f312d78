// The relation that is passed from one contact state to another where neither lies inside the other.
#pragma once

#include <optional>

#include <prehend/observation/sequence/relation_table.h>

namespace prehend::observation {

// One that lies inside both, reached from `before` by keeping it and nearing `after`, or the other way; none where there is none near.
// The relations' example poses are the last frame of `before` and the first of `after`.
std::optional<Relation> relation_between(const BodyPair& pair, const Relation& before, const Relation& after,
                                         const CorrectionOptions& options);
// What both have in common, freedom at least.
Relation common_relation(const BodyPair& pair, const Relation& before, const Relation& after,
                         const CorrectionOptions& options);

}  // namespace prehend::observation
