// Numbers of a code as a page shows them.
#pragma once

#include <string>
#include <vector>

namespace prehend::knot {

// With a space between them; "none" where there are none.
std::string number_row(const std::vector<int>& numbers);

}  // namespace prehend::knot
