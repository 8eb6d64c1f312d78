// The files that the examples in help texts name: installed with the program, or in the sources it was built from.
#pragma once

#include <string>

namespace prehend::cli {

// The example as it runs from the current folder: `data/scenes/stack.xml` stays where there is such a file here, and is the
// installed file's path (../share/prehend/data beside the program's folder) elsewhere.
std::string runnable_example(const std::string& example);

}  // namespace prehend::cli
