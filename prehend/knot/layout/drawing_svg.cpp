#include <algorithm>
#include <array>
#include <cstdio>

#include <prehend/knot/layout/drawing_svg.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;

// The longer side of the drawing in the picture, and the rim around it.
constexpr double kSide = 480, kRim = 24;  // of the viewBox: the longer side, and room for thick lines

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value == 0 ? 0.0 : value);
  std::string trimmed(text.data());
  while (trimmed.back() == '0') trimmed.pop_back();
  if (trimmed.back() == '.') trimmed.pop_back();
  return trimmed == "-0" ? "0" : trimmed;
}

std::string place(const Vector2d& p) { return number(p.x()) + " " + number(p.y()); }

CubicPiece part(const CubicPiece& piece, double t0, double t1) {
  const auto blossom = [&piece](double a, double b, double c) -> Vector2d {
    const auto mix = [](const Vector2d& p, const Vector2d& q, double t) -> Vector2d {
      return p + (q - p) * t;
    };
    const Vector2d p0 = mix(piece.from, piece.first_handle, a),
                   p1 = mix(piece.first_handle, piece.second_handle, a),
                   p2 = mix(piece.second_handle, piece.to, a);
    return mix(mix(p0, p1, b), mix(p1, p2, b), c);
  };
  return {blossom(t0, t0, t0), blossom(t0, t0, t1), blossom(t0, t1, t1), blossom(t1, t1, t1)};
}

// A place on the curve.
struct Spot {
  std::size_t piece;
  double t;
};

class Picture {
 public:
  Picture(const RopeCurve& curve, const PData& data, const SvgStyle& style) : data_(data), style_(style) {
    Vector2d low = curve.pieces.front().from, high = low;
    for (const CubicPiece& piece : curve.pieces) {
      for (const Vector2d& p : {piece.from, piece.first_handle, piece.second_handle, piece.to}) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
      }
    }
    const double scale = kSide / (high - low).maxCoeff();
    width_ = (high - low).x() * scale + 2 * kRim;
    height_ = (high - low).y() * scale + 2 * kRim;
    line_ = style.line_width * kSide;
    // Pictures count y downwards; turning the drawing over here keeps it from being mirrored.
    const auto put = [&](const Vector2d& p) -> Vector2d {
      return {(p.x() - low.x()) * scale + kRim, (high.y() - p.y()) * scale + kRim};
    };
    passage_pieces_ = curve.passage_pieces;
    for (const CubicPiece& piece : curve.pieces)
      pieces_.push_back({put(piece.from), put(piece.first_handle), put(piece.second_handle), put(piece.to)});
  }

  SvgPicture picture() const {
    std::string svg =
        "<g fill=\"none\" stroke=\"#2a5674\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
        "stroke-width=\"" +
        number(line_) + "\">\n";
    Spot start{0, 0.0};
    for (int i = 1; i <= data_.passages(); ++i) {
      if (data_.is_over(i)) continue;
      svg += strand(start, gap(i, false));
      start = gap(i, true);
    }
    svg += strand(start, {pieces_.size() - 1, 1.0}) + "</g>\n";
    svg += "<circle class=\"selected-end\" cx=\"" + number(pieces_.front().from.x()) + "\" cy=\"" +
           number(pieces_.front().from.y()) + "\" r=\"" + number(1.15 * line_) + "\" fill=\"#c8553d\"/>\n";
    if (style_.crossing_numbers) svg += numbers();
    return {std::move(svg), {width_, height_}};
  }

 private:
  Vector2d crossing(int passage) const {
    const CubicPiece& piece = pieces_[index_of(passage)];
    const CubicPiece& other = pieces_[index_of(data_.other(passage))];
    const Vector2d a = piece.to - piece.from, b = other.to - other.from, to_other = other.from - piece.from;
    const double t = (to_other.x() * b.y() - to_other.y() * b.x()) / (a.x() * b.y() - a.y() * b.x());
    return piece.from + t * a;
  }
  std::size_t index_of(int passage) const {
    return static_cast<std::size_t>(passage_pieces_[static_cast<std::size_t>(passage) - 1]);
  }

  // Where the strand that passes under stops before the crossing, or goes on after it.
  Spot gap(int passage, bool after) const {
    const CubicPiece& own = pieces_[index_of(passage)];
    const CubicPiece& other = pieces_[index_of(data_.other(passage))];
    const Vector2d u = (own.to - own.from).normalized(), v = (other.to - other.from).normalized();
    const double sine = std::max(0.35, std::abs(u.x() * v.y() - u.y() * v.x()));
    // Round caps reach half a line further; at least a third of the segment stays.
    double length = 0;
    const std::size_t here = index_of(passage);
    const std::size_t limit = after
                                  ? (passage == data_.passages() ? pieces_.size() - 1 : index_of(passage + 1))
                                  : (passage == 1 ? 0 : index_of(passage - 1));
    for (std::size_t k = std::min(here, limit); k <= std::max(here, limit); ++k)
      length += (pieces_[k].to - pieces_[k].from).norm();
    const double wanted = std::min((1.0 / sine + 0.85) * line_, length / 3);
    const Vector2d c = crossing(passage);
    for (std::size_t k = here;;) {
      for (int j = 0; j <= 16; ++j) {
        const double t = after ? j / 16.0 : 1 - j / 16.0;
        if (k == here && (pieces_[k].at(t) - c).dot(after ? u : -u) < 0) continue;
        if ((pieces_[k].at(t) - c).norm() >= wanted) return {k, t};
      }
      if (k == limit) return {k, 0.5};
      after ? ++k : --k;
    }
  }

  std::string strand(const Spot& from, const Spot& to) const {
    std::string path;
    for (std::size_t k = from.piece; k <= to.piece; ++k) {
      const double t0 = k == from.piece ? from.t : 0.0, t1 = k == to.piece ? to.t : 1.0;
      if (t1 <= t0 && from.piece < to.piece) continue;  // cut exactly where two pieces meet
      const CubicPiece piece = part(pieces_[k], t0, std::max(t0, t1));
      if (path.empty()) path = "M" + place(piece.from);
      path += "C" + place(piece.first_handle) + " " + place(piece.second_handle) + " " + place(piece.to);
    }
    return "<path class=\"strand\" d=\"" + path + "\"/>\n";
  }

  std::string numbers() const {
    std::string text =
        "<g class=\"passages\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#6b6f72\" "
        "text-anchor=\"middle\">\n";
    for (int i = 1; i <= data_.passages(); ++i) {
      // Beside the strand, a little before the crossing, to its left.
      const CubicPiece& piece = pieces_[index_of(i)];
      const Vector2d u = (piece.to - piece.from).normalized();
      const Vector2d p = crossing(i) - (0.9 * line_ + 9) * u + Vector2d(u.y(), -u.x()) * (0.6 * line_ + 7);
      text += "<text x=\"" + number(p.x()) + "\" y=\"" + number(p.y() + 4) + "\">" + std::to_string(i) +
              "</text>\n";
    }
    return text + "</g>\n";
  }

  const PData& data_;
  SvgStyle style_;
  double width_, height_, line_;
  std::vector<CubicPiece> pieces_;
  std::vector<int> passage_pieces_;
};

}  // namespace

SvgPicture to_svg(const RopeCurve& curve, const PData& data, const SvgStyle& style) {
  return Picture(curve, data, style).picture();
}

std::string svg_text(const SvgPicture& picture, const PData& data) {
  const std::string width = number(picture.size.x()), height = number(picture.size.y());
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
         width + "\" height=\"" + height + "\" role=\"img\">\n<title>" + svg_title(data) +
         "</title>\n<rect width=\"100%\" height=\"100%\" rx=\"12\" fill=\"#fbfaf7\"/>\n" + picture.elements +
         "</svg>\n";
}

std::string svg_title(const PData& data) {
  return "A rope with " + std::to_string(data.crossings()) +
         (data.crossings() == 1 ? " crossing" : " crossings");
}

}  // namespace prehend::knot
