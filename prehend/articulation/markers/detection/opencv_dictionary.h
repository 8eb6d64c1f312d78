// OpenCV's number of a dictionary; kept as an int, so that no OpenCV header is needed here.
#pragma once

#include <string>

namespace prehend::articulation {

// Throws std::invalid_argument that lists the names.
int opencv_dictionary(const std::string& name);

}  // namespace prehend::articulation
