// Reads lines "orient2d x y x y x y" (hexadecimal or decimal numbers) and prints the sign of each; for
// predicates_test.py.
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <prehend/geometry/exact/predicates.h>

int main() {
  using namespace prehend::geometry;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    std::vector<double> v;
    while (words >> word) v.push_back(std::strtod(word.c_str(), nullptr));
    const auto p2 = [&](int i) { return Eigen::Vector2d(v.at(2 * i), v.at(2 * i + 1)); };
    const auto p3 = [&](int i) { return Eigen::Vector3d(v.at(3 * i), v.at(3 * i + 1), v.at(3 * i + 2)); };
    if (name == "orient2d") {
      std::cout << orient2d(p2(0), p2(1), p2(2)) << '\n';
    } else if (name == "orient3d") {
      std::cout << orient3d(p3(0), p3(1), p3(2), p3(3)) << '\n';
    } else if (name == "insphere") {
      std::cout << insphere(p3(0), p3(1), p3(2), p3(3), p3(4)) << '\n';
    } else {
      std::cerr << "unknown predicate '" << name << "'\n";
      return 2;
    }
  }
}
