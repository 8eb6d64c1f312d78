// The folder that --out names.
#pragma once

#include <string>

namespace prehend::cli {

// Makes the folder, with its parents, and tries whether it can be written to; a UsageError says why not.
void prepare_output_folder(const std::string& folder);

}  // namespace prehend::cli
