#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/mesh.h>
#include <prehend/knot/curve/rope_tube.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/test/random_drawing.h>
#include <prehend/knot/test/read_from_above.h>
#include <prehend/report/write_report.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

const PData kDrawnTrefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};

double volume(const geometry::TriangleMesh& mesh) {
  double sum = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto at = [&mesh](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
    sum += at(t.x()).dot(at(t.y()).cross(at(t.z()))) / 6;
  }
  return sum;
}

// The strands of a picture as chords of their cubics.
std::vector<std::vector<Vector2d>> strands_of(const std::string& svg) {
  std::vector<std::vector<Vector2d>> strands;
  const std::string mark = "class=\"strand\" d=\"M";
  for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    std::string path = svg.substr(at + mark.size(), svg.find('"', at + mark.size()) - at - mark.size());
    for (char& letter : path) letter = letter == 'C' ? ' ' : letter;
    std::istringstream numbers(path);
    Vector2d p, a, b, q;
    numbers >> p.x() >> p.y();
    std::vector<Vector2d> strand{p};
    while (numbers >> a.x() >> a.y() >> b.x() >> b.y() >> q.x() >> q.y()) {
      for (int k = 1; k <= 5; ++k) {
        const double t = k / 5.0, s = 1 - t;
        strand.push_back(s * s * s * p + 3 * s * s * t * a + 3 * s * t * t * b + t * t * t * q);
      }
      p = q;
    }
    strands.push_back(strand);
  }
  return strands;
}

// What a person does who looks at the picture: follow the strands, go on straight under whatever lies across a gap.
TEST(DrawingSvg, PictureAloneHasTheCode) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomDrawing random(9500 + seed);
    random.grow(1 + static_cast<int>(seed % 12));
    DrawingOptions options;
    options.relax = seed % 3 != 0;
    const auto strands = strands_of(draw(random.data(), options).svg);
    std::vector<Vector3d> line;
    for (const std::vector<Vector2d>& strand : strands) {
      const Vector3d start(strand.front().x(), -strand.front().y(), 1.0);  // pictures count y downwards
      if (!line.empty()) {
        const Vector3d gap = start - line.back(), down(0, 0, -2);
        line.insert(line.end(), {line.back() + 0.01 * gap + down, line.back() + 0.99 * gap + down});
      }
      for (const Vector2d& p : strand) line.emplace_back(p.x(), -p.y(), 1.0);
    }
    EXPECT_EQ(to_text(read_from_above(line)), to_text(random.data()));
  }
}

TEST(DrawingSvg, StrandsKeepApartByMoreThanTheirWidth) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomDrawing random(9000 + seed);
    random.grow(2 + static_cast<int>(seed % 9));
    const Drawing drawing = draw(random.data());
    const auto strands = strands_of(drawing.svg);
    ASSERT_EQ(strands.size(), static_cast<std::size_t>(random.data().crossings()) + 1);
    const double line = std::stod(drawing.svg.substr(drawing.svg.find("stroke-width=\"") + 14));
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < strands.size(); ++i) {
      for (std::size_t j = i + 1; j < strands.size(); ++j) {
        for (const Vector2d& p : strands[i]) {
          for (const Vector2d& q : strands[j]) least = std::min(least, (p - q).norm());
        }
      }
    }
    // Half a line each, and white between them: the picture shows who is under.
    EXPECT_GT(least, line) << to_text(random.data());
  }
}

TEST(RopeTube, VolumeOfACylinder) {
  const std::vector<Vector3d> line{{0, 0, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 3}};
  const int sides = 24;
  const double area = 0.5 * sides * std::sin(2 * std::numbers::pi / sides) * 0.01;
  EXPECT_NEAR(volume(tube_around(line, 0.1, sides)), 3 * area, 1e-12);
  EXPECT_THROW(tube_around(std::vector<Vector3d>{{1, 1, 1}, {1, 1, 1}}, 0.1), std::invalid_argument);
  EXPECT_THROW(tube_around(line, 0.0), std::invalid_argument);
  EXPECT_THROW(tube_around(line, 0.1, 2), std::invalid_argument);
}

TEST(RopeTube, FollowsAKnotWithoutTwisting) {
  const Drawing drawing = draw(kDrawnTrefoil);
  double length = 0;
  for (std::size_t k = 1; k < drawing.polyline.size(); ++k)
    length += (drawing.polyline[k] - drawing.polyline[k - 1]).norm();
  const double radius = 0.003;
  const double full = length * std::numbers::pi * radius * radius;
  const double tube = volume(tube_around(drawing.polyline, radius));
  EXPECT_LT(tube, full);
  EXPECT_GT(tube, 0.85 * full);  // a decagon has 0.935 of its circle; bends cost a little
}

TEST(DrawingPage, ShowsPictureAndRope) {
  const report::Page page = drawing_page(kDrawnTrefoil, draw(kDrawnTrefoil), "<b>trefoil</b>");
  EXPECT_EQ(page.scene_count(), 1);
  const std::string html = report::report_html(page);
  EXPECT_EQ(html.find("<b>trefoil"), std::string::npos);
  EXPECT_NE(html.find("\"kind\":\"pictures\""), std::string::npos);
  EXPECT_THROW(drawing_page(kDrawnTrefoil, Drawing{}, "x"), std::invalid_argument);
  // A straight rope has a page too.
  EXPECT_EQ(drawing_page({}, draw({}), "straight").scene_count(), 1);
}

TEST(DrawingPage, FilmStrip) {
  const std::vector<FilmFrame> frames{{"straight", {}}, {"a loop", {{2, 1}, {1, 2}}}, {"trefoil", kDrawnTrefoil}};
  const report::Pictures strip = film_strip(frames);
  ASSERT_EQ(strip.pictures.size(), 3u);
  EXPECT_EQ(strip.pictures[1].caption, "a loop");
  EXPECT_NE(strip.pictures[2].svg.find("3 crossings"), std::string::npos);
  const std::vector<FilmFrame> odd{{"odd", {{1}, {1}}}};
  EXPECT_THROW(film_strip(odd), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::knot
