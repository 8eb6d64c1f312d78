#include <cmath>
#include <cstdio>

#include <prehend/assist/pages.h>

namespace prehend::assist {
namespace {

// A pattern may use fewer numbers than are given.
std::string format(const char* pattern, double a, double b, double c = 0.0, double d = 0.0) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, a, b, c, d);
  return text;
}

std::string line(double x0, double y0, double x1, double y1) {
  return format("<path d=\"M%.1f %.1fL%.1f %.1f\"/>", x0, y0, x1, y1);
}

std::string disc(double x, double y, double r) { return format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", x, y, r); }

}  // namespace

// Seen from the robot: the person faces the reader, so their right side is on the left of the picture.
std::string tablet_picture(const ContactSpec& contact) {
  const bool is_right = contact.region == BodyRegion::right_shoulder || contact.region == BodyRegion::right_hand;
  const bool is_hand = contact.region == BodyRegion::right_hand || contact.region == BodyRegion::left_hand;
  const double side = is_right ? -1.0 : 1.0;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 200 150\"><rect width=\"200\" height=\"150\" fill=\"#f7f9fb\"/>";
  svg += "<g fill=\"none\" stroke=\"#46566b\" stroke-width=\"9\" stroke-linecap=\"round\">";
  svg += line(100, 52, 100, 100) + line(78, 56, 122, 56) + line(78, 56, 70, 84) + line(122, 56, 130, 84) + line(100, 100, 84, 122) + line(100, 100, 116, 122) +
         line(84, 122, 84, 143) + line(116, 122, 116, 143) + "</g><g fill=\"#46566b\">" + disc(100, 34, 13) + "</g>";
  const double x = 100 + side * (is_hand ? 34 : 22), y = is_hand ? 92 : 55;
  svg += "<g fill=\"none\" stroke=\"#4c78a8\" stroke-width=\"7\" stroke-linecap=\"round\">" + line(100 + side * 92, 128, x + side * 12, y + 6) + "</g>";
  svg += "<g fill=\"#4c78a8\">" + disc(x + side * 8, y + 3, 7) + "</g>";
  svg += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"15\" fill=\"none\" stroke=\"#e4572e\" stroke-width=\"3\"/>", x, y);
  if (contact.invites) svg += format("<path d=\"M%.1f %.1fv-22m-6 14l6 8l6 -8\" fill=\"none\" stroke=\"#e4572e\" stroke-width=\"3\"/>", x, y - 4);
  return svg + "</svg>";
}

}  // namespace prehend::assist
