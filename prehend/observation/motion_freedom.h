// How a body may move that touches another, to first order: the cone of legal screws, and its freedoms counted.
//
// A screw is [w, v]: angular velocity, and velocity of the body point at the world's origin. At a point p with normal n, n.(v + w x p)
// must not be negative; zero keeps the contact. Freedoms are those of Takamatsu 2004, chapter 2,
// in translation (w = 0), rotation (directions of w) and all motion:
//   maintaining   keep every contact
//   detaching     possible, but a contact opens; about an axis both ways (type 1) or one way only (type 2)
//   constraining  impossible
//   restricted    cannot keep every contact, planes of singular contacts included
// In a singular relation the first three leave the singular contacts out; legal cones are exact.
// Neither the unit nor the place of the origin matters; contacts in single precision count as exact (`FreedomOptions::tolerance`).
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/spatial.h>
#include <prehend/observation/contact_relation.h>

namespace prehend::observation {

enum class FreedomStatus {
  undetermined,  // the union of legal cones has too many members to list
  ok,
};
const char* to_string(FreedomStatus status);

struct Freedoms {
  int maintaining{0}, detaching{0}, constraining{0}, restricted{0};
};

struct RotationFreedoms : Freedoms {
  int detaching_type1{0}, detaching_type2{0};
};

// Screws that are sums of any multiples of the lineality and multiples of the rays that are not negative.
struct LegalCone {
  std::vector<math::Vector6d> lineality_W, rays_W;
};

enum class ScrewVerdict {
  maintaining,  // keeps all contacts
  detaching,    // legal, and a contact opens
  illegal,      // the bodies would overlap
};
const char* to_string(ScrewVerdict verdict);

struct FreedomOptions {
  // [cones] A union of more is not listed. A singular relation of k contacts with two planes each has 2^k at most, usually far fewer.
  int most_cones{256};
  // [of the contacts' radius, and of unit normals] Contacts are taken to be off by no more: dependent and opposite planes are recognised by it, screws judged
  // by it. Six standard deviations of numbers that are good to 1e-6, such as single precision.
  double tolerance{1e-5};

  void validate() const;
};

struct MotionFreedom {
  FreedomStatus status{FreedomStatus::undetermined};
  bool singular{false};
  Freedoms translation, all;
  RotationFreedoms rotation;
  std::vector<math::Vector6d> maintaining_W;  // basis: translations first
  std::vector<LegalCone> legal;               // their union; none contains another
  std::vector<ScrewVerdict> screws;           // of those asked about
  std::string note;

  // "210 210 11": maintaining, detaching, constraining in translation and in rotation, restricted in both; as figure 2.23 of the
  // source prints them.
  std::string eight_numbers() const;
  // {"status","singular","dof":{"translation":{maintaining,detaching,constraining,restricted},"rotation":{...,detaching_type1,
  // detaching_type2},"all":{...}},"maintaining":{"basis_W":[]},"legal":{"cones":[{"lineality_W":[],"rays_W":[]}]},"screws":[{"verdict"}]}
  std::string to_json() const;
  // The same without "screws".
  std::string document_without_screws() const;
  std::string brief_report() const;
};

// Throws std::invalid_argument where the relation or a screw is no input.
MotionFreedom motion_freedom(const ContactRelation& relation,
                             const std::vector<math::Vector6d>& screws_W = {},
                             const FreedomOptions& options = {});

// "turn about (0, 0, 1) through (0.1, 0, 0), shifting 0.02 m per rad" or "shift along (1, 0, 0)".
std::string screw_text(const math::Vector6d& screw_W);

// CSV with the columns wx, wy, wz, vx, vy, vz. Throws model::InputError.
std::vector<math::Vector6d> read_screws(const std::string& path);

}  // namespace prehend::observation
