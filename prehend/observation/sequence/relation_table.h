// All contact relations that a recording may show, and how well each explains each frame.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/observation/pose_correction.h>
#include <prehend/observation/relations/contact_rows.h>
#include <prehend/observation/sequence/candidates.h>

namespace prehend::observation {

struct Relation {
  PrincipalContacts contacts;
  std::vector<ContactRow> rows;
  int restricted{0};  // freedoms that it takes, of six
  bool is_singular{false};
  math::Pose X_FM;  // an example
};

// A frame under a relation: least motion, or that of a relation it contains where its own pose would overlap or miss a face.
struct FrameFit {
  bool is_possible{false};
  double cost{0.0};        // in units of the noise, squared
  double log_spread{0.0};  // [nats] of the noise in the directions that the relation restricts, over its mean
  math::Pose X_FM;
};

struct RelationTable {
  std::vector<Relation> relations;           // the first is free
  std::vector<std::vector<char>> is_inside;  // [a][b]: b touches all that a touches, and takes more freedoms
  std::vector<std::vector<FrameFit>> fits;   // [frame][relation]
  std::vector<char> is_overlapping;          // the seen pose, by frame
  std::vector<double> weight;  // of the costs, by frame: the noise meant over the frame's own, squared
  std::vector<char> is_lost;   // overlapping, and no relation is near: the frame says nothing
  std::vector<char>
      is_astray;  // the tracker may have gone astray: any relation explains the frame at a price
};

Relation make_relation(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& example);
// Whether every contact of `a` touches in `b`, which takes more freedoms (Donald 1987).
bool lies_inside(const BodyPair& pair, const Relation& a, const Relation& b, double tolerance);

// The eight numbers of its freedoms at its example; empty where they cannot be told.
std::string numbers_at(const BodyPair& pair, const Relation& relation);

struct TableOptions {
  CandidateSearch search;
  std::vector<NoiseDirections> directions;  // by frame; those of `search` where empty
  int most_searched{60};                    // [frames] evenly spread, in which relations are looked for
  int most_relations{120};                  // those with the best scores
};
// A frame under one relation by itself.
FrameFit fit_frame(const BodyPair& pair, const Relation& relation, const math::Pose& seen,
                   const CandidateSearch& search);
RelationTable make_table(const BodyPair& pair, const std::vector<math::Pose>& seen,
                         const TableOptions& options);

}  // namespace prehend::observation
