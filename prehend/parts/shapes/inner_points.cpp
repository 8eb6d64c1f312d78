#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <Eigen/LU>

#include <prehend/parts/shapes/inner_points.h>

namespace prehend::parts {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double fraction(double x) { return x - std::floor(x); }

struct Crossing {
  int line;
  double height;
  int step;  // +1: enters
};

class Lines {
 public:
  Lines(const geometry::TriangleMesh& mesh, const Eigen::Matrix3d& axes, int wanted) : mesh_(mesh) {
    for (const Vector3d& p : mesh.vertices) local_.push_back(axes.transpose() * p);
    const geometry::Aabb box = geometry::bounding_box(local_);
    lower_ = box.lower.head<2>();
    const Vector2d size = (box.upper - box.lower).head<2>().cwiseMax(1e-300);
    // As many lines as points over the whole box: between one and some points on each that meets the solid.
    const double ratio = std::sqrt(size[0] / size[1]), across = std::sqrt(static_cast<double>(wanted));
    columns_ = std::clamp(static_cast<int>(across * ratio), 4, wanted);
    rows_ = std::clamp(static_cast<int>(across / ratio), 4, wanted);
    cell_ = {size[0] / columns_, size[1] / rows_};
  }

  // Where the line of a cell runs: off its middle, so that lines of a grid do not run along edges of a drawing.
  Vector2d at(int column, int row) const {
    const int line = row * columns_ + column;
    return lower_ + Vector2d((column + 0.25 + 0.5 * fraction(0.7548776662466927 * (line + 1))) * cell_[0],
                             (row + 0.25 + 0.5 * fraction(0.5698402909980532 * (line + 1))) * cell_[1]);
  }

  std::vector<Crossing> crossings() const {
    std::vector<Crossing> found;
    for (const Eigen::Vector3i& t : mesh_.triangles) {
      Vector2d low = local_[t[0]].head<2>(), high = low;
      for (int k = 1; k < 3; ++k) {
        low = low.cwiseMin(local_[t[k]].head<2>());
        high = high.cwiseMax(local_[t[k]].head<2>());
      }
      const int first_column = cell_of(low, 0), last_column = cell_of(high, 0);
      const int first_row = cell_of(low, 1), last_row = cell_of(high, 1);
      for (int row = first_row; row <= last_row; ++row)
        for (int column = first_column; column <= last_column; ++column) meet(t, column, row, found);
    }
    std::sort(found.begin(), found.end(), [](const Crossing& a, const Crossing& b) {
      return a.line != b.line ? a.line < b.line : a.height < b.height;
    });
    return found;
  }

  Vector3d point(int line, double height) const {
    const Vector2d q = at(line % columns_, line / columns_);
    return {q[0], q[1], height};
  }

 private:
  int cell_of(const Vector2d& p, int k) const {
    return std::clamp(static_cast<int>((p[k] - lower_[k]) / cell_[k]), 0, (k == 0 ? columns_ : rows_) - 1);
  }

  // Twice the area of q, a, b, by the edge's ends in one order, so that both triangles at it decide alike.
  double side(int a, int b, const Vector2d& q) const {
    const bool is_turned = a > b;
    if (is_turned) std::swap(a, b);
    const Vector2d p = local_[a].head<2>() - q, r = local_[b].head<2>() - q;
    const double twice = p[0] * r[1] - p[1] * r[0];
    return is_turned ? -twice : twice;
  }

  void meet(const Eigen::Vector3i& t, int column, int row, std::vector<Crossing>& found) const {
    const Vector2d q = at(column, row);
    std::array<double, 3> weight;  // of the corner opposite
    int left = 0;
    for (int k = 0; k < 3; ++k) {
      const int a = t[(k + 1) % 3], b = t[(k + 2) % 3];
      weight[k] = side(a, b, q);
      // On the edge itself the side is that of its first end, for both triangles.
      left += weight[k] > 0.0 || (weight[k] == 0.0 && a < b);
    }
    if (left != 0 && left != 3) return;
    const double sum = weight[0] + weight[1] + weight[2];
    if (sum == 0.0) return;
    double height = 0.0;
    for (int k = 0; k < 3; ++k) height += weight[k] / sum * local_[t[k]][2];
    found.push_back({row * columns_ + column, height, left == 3 ? -1 : 1});
  }

  const geometry::TriangleMesh& mesh_;
  std::vector<Vector3d> local_;
  Vector2d lower_, cell_;
  int columns_{1}, rows_{1};
};

struct Stretch {
  int line;
  double from, to;
};

std::vector<Stretch> inner_stretches(const std::vector<Crossing>& crossings, InnerPoints& result) {
  std::vector<Stretch> stretches;
  double length = 0.0;
  for (std::size_t i = 0; i < crossings.size();) {
    std::size_t end = i;
    int sum = 0;
    for (; end < crossings.size() && crossings[end].line == crossings[i].line; ++end)
      sum += crossings[end].step;
    int depth = 0;
    for (std::size_t k = i; sum == 0 && k + 1 < end; ++k) {
      depth += crossings[k].step;
      const double along = crossings[k + 1].height - crossings[k].height;
      if (!(along > 0.0)) continue;
      if (depth > 0) stretches.push_back({crossings[k].line, crossings[k].height, crossings[k + 1].height});
      length += depth > 0 ? along : 0.0;
      result.doubled += depth > 1 ? along : 0.0;
      result.reversed += depth < 0 ? along : 0.0;
    }
    i = end;
  }
  if (length > 0.0) result.doubled /= length, result.reversed /= length;
  return stretches;
}

}  // namespace

InnerPoints inner_points(const geometry::TriangleMesh& mesh, const Eigen::Matrix3d& given, int wanted) {
  Eigen::Matrix3d axes = given;
  if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
  const Lines lines(mesh, axes, wanted);
  InnerPoints result;
  const std::vector<Stretch> stretches = inner_stretches(lines.crossings(), result);
  double length = 0.0;
  for (const Stretch& stretch : stretches) length += stretch.to - stretch.from;
  if (!(length > 0.0)) return result;
  // One point in each piece of equal length, at a place in it that does not repeat.
  const double piece = length / wanted;
  double before = 0.0;
  int next = 0;
  const auto place = [&] { return (next + fraction(0.6180339887498949 * (next + 1))) * piece; };
  for (const Stretch& stretch : stretches) {
    const double end = before + stretch.to - stretch.from;
    for (; next < wanted && place() <= end; ++next)
      result.points.push_back(
          axes * lines.point(stretch.line, std::min(stretch.to, stretch.from + place() - before)));
    before = end;
  }
  return result;
}

}  // namespace prehend::parts
