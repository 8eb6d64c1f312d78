// The recorded workshop tools of source N, 3.2.4, where their folder is at hand: log, shapes and truth.
#pragma once

#include <string>
#include <vector>

#include "identification_trial.h"
#include <prehend/inertia/shape.h>
#include <prehend/model/wrench_log.h>

namespace prehend::reproduce {

struct WorkshopTool {
  std::string name;
  model::WrenchLog log;      // free of noise; its gravity is kToolGravity
  inertia::Shape mesh;       // the drawing's surface, filled; parts by the nearest point of `parts`
  inertia::Shape parts;      // the authors' segmentation of their scan: tetrahedra with volume and label
  inertia::Shape shells;     // closed shells of the drawing as parts, exact (parts/segmentation.h)
  inertia::Shape scan;       // the cloud of 2000 points divided here, as many parts as suggested
  inertia::Shape scan_four;  // the same, four parts
  Truth truth;               // errors relative to the box of the scan
  Truth truth_by_drawing;    // relative to the drawing's own box
};
inline const Eigen::Vector3d kToolGravity{0.0, 0.0, 9.81};  // [m/s^2] upwards, in these recordings

// Where the tools are, or empty: `data` (--data) when given, else beside the sources.
std::string tools_folder(const std::string& data);
std::vector<WorkshopTool> read_workshop_tools(const std::string& folder);

}  // namespace prehend::reproduce
