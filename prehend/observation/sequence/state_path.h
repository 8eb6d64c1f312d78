// Which relation holds in which frame: the most probable sequence by dynamic programming over the whole recording.
#pragma once

#include <vector>

#include <prehend/observation/sequence/relation_table.h>

namespace prehend::observation {

struct PathPrices {
  double reward{3.0};    // [nats] for each freedom that a relation takes: the logarithm of range over noise
  double singular{1.5};  // [nats] per frame against singular relations: nobody rests in one by chance
  double change{5.0};    // [nats] from a relation to one inside it or around it
  double jump{10.0};     // [nats] to any other: something was passed between two frames
  double share{1.0};     // of a frame that is news: neighbours that were averaged tell the same
  double astray{3.0};  // [nats] a frame off its neighbours' line says nothing: one in twenty such frames does
  double scale{1.0};   // costs of the table are for this times the noise meant
};

struct StatePath {
  std::vector<int> relations;  // by frame
  double score{0.0};           // [nats]
};

// [nats] What a relation is worth in a frame; far below zero where it is impossible.
double frame_score(const RelationTable& table, std::size_t frame, std::size_t relation,
                   const PathPrices& prices);

StatePath best_path(const RelationTable& table, const PathPrices& prices);

}  // namespace prehend::observation
