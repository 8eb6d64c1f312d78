#include <algorithm>
#include <tuple>

#include <prehend/knot/diagram.h>
#include <prehend/knot/p_data.h>

namespace prehend::knot {

std::string find_table_problem(const PData& data) {
  const int n = data.passages();
  if (data.attr.size() != data.sigma.size()) {
    return "sigma has " + std::to_string(data.sigma.size()) + " columns, attr " +
           std::to_string(data.attr.size()) + "; they must agree";
  }
  if (n % 2 != 0)
    return "there are " + std::to_string(n) + " columns; every crossing has two, so the number is even";
  for (int i = 1; i <= n; ++i) {
    const std::string column = "column " + std::to_string(i) + ": ";
    const int j = data.other(i);
    if (j < 1 || j > n)
      return column + "sigma is " + std::to_string(j) + ", must be between 1 and " + std::to_string(n);
    if (j == i) return column + "sigma is the column itself; a crossing has two numbers";
    if (data.other(j) != i) {
      return column + "sigma is " + std::to_string(j) + ", but that column's is " +
             std::to_string(data.other(j)) + "; they must name each other";
    }
    if (data.attribute(i) < 1 || data.attribute(i) > 4) {
      return column + "attr is " + std::to_string(data.attribute(i)) + ", must be 1, 2, 3 or 4";
    }
  }
  for (int i = 1; i <= n; ++i) {
    const int j = data.other(i);
    const std::string columns = "columns " + std::to_string(i) + " and " + std::to_string(j) + ": ";
    if (data.is_over(i) == data.is_over(j))
      return columns + "one passage of a crossing must be over, the other under";
    if (data.sign(i) != data.sign(j)) return columns + "both passages of a crossing have the same sign";
  }
  return "";
}

std::string find_problem(const PData& data) {
  if (std::string problem = find_table_problem(data); !problem.empty()) return problem;
  const Diagram diagram(data);
  if (diagram.genus() != 0) {
    return "no drawing in the plane has this code: its strands would need a surface with " +
           std::to_string(diagram.genus()) + (diagram.genus() == 1 ? " handle" : " handles");
  }
  return "";
}

PData swapped_ends(const PData& data) {
  const int n = data.passages();
  PData swapped;
  for (int i = 1; i <= n; ++i) {
    // Both strands turn round, so over x under stays.
    swapped.sigma.push_back(n + 1 - data.other(n + 1 - i));
    swapped.attr.push_back(data.attribute(n + 1 - i));
  }
  return swapped;
}

PData mirrored(const PData& data) {
  PData mirror = data;
  for (int i = 1; i <= data.passages(); ++i) {
    // The strands keep their places in the drawing; who is over changes, and with it the sign of over x under.
    mirror.attr[static_cast<std::size_t>(i) - 1] = attribute_of(!data.is_over(i), -data.sign(i));
  }
  return mirror;
}

PData seen_from_below(const PData& data) {
  PData below = data;
  for (int i = 1; i <= data.passages(); ++i) {
    // Heights change places, and so does left and right: the sign stays.
    below.attr[static_cast<std::size_t>(i) - 1] = attribute_of(!data.is_over(i), data.sign(i));
  }
  return below;
}

PData canonical(const PData& data) {
  PData swapped = swapped_ends(data);
  return std::tie(swapped.sigma, swapped.attr) < std::tie(data.sigma, data.attr) ? swapped : data;
}

std::string to_text(const PData& data) {
  std::string text = "sigma";
  for (const int number : data.sigma) text += " " + std::to_string(number);
  text += ", attr";
  for (const int number : data.attr) text += " " + std::to_string(number);
  return text;
}

}  // namespace prehend::knot
