// Results of the topology estimate as JSON and as tables. Field names are those of the command line's document.
//
// joints[{name, parent, child, type, status, likeliest, errors{type: value}, posterior{}, kinematic_posterior{}, axis_F, point_F_m, axis_M,
// point_M_m, pitch_m_per_rad, travel_rad or travel_m, std{axis_rad, point_m}, reason}]: F is the parent's frame, M the child's.
// `type` is "undetermined" where the evidence does not suffice. An error is null where the momentum of the whole object says nothing (a
// fixed base whose wrench is not recorded).
#pragma once

#include <string>

#include <prehend/topology/recording.h>
#include <prehend/topology/source_algorithm.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {

struct TopologyFiles {
  std::string urdf, mjcf;  // empty: not written
  std::string online;      // a JSON object for the field `online`; empty: none
};

std::string topology_json(const TopologyResult& result, const ArticulatedObject& object,
                          const Recording& recording, const TopologyFiles& files = {});
std::string source_json(const SourceResult& result, const ArticulatedObject& object,
                        const Recording& recording);

// A line per joint, then sentences.
std::string topology_table(const TopologyResult& result, const ArticulatedObject& object);

}  // namespace prehend::topology
