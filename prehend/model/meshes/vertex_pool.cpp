#include <bit>
#include <cstdint>
#include <cstring>

#include <prehend/model/meshes/mesh_readers.h>

namespace prehend::model {
namespace {

std::size_t hash_of(const Eigen::Vector3d& p) {
  std::uint64_t bits[3];
  std::memcpy(bits, p.data(), sizeof bits);
  std::uint64_t h = 0x9e3779b97f4a7c15ull;
  for (std::uint64_t b : bits) {
    h = (h ^ b) * 0xbf58476d1ce4e5b9ull;
    h ^= h >> 29;
  }
  h *= 0x94d049bb133111ebull;
  return h ^ (h >> 32);
}

}  // namespace

VertexPool::VertexPool(std::size_t expected) {
  points_.reserve(expected);
  slots_.assign(std::bit_ceil(std::max<std::size_t>(2 * expected, 16)), -1);
}

int VertexPool::insert(const Eigen::Vector3d& p) {
  const Eigen::Vector3d key = p + Eigen::Vector3d::Zero();  // -0 + 0 = +0: equal numbers have equal bits
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(key) & mask;
  while (slots_[slot] >= 0) {
    if (points_[slots_[slot]] == key) return slots_[slot];
    slot = (slot + 1) & mask;
  }
  const int index = static_cast<int>(points_.size());
  slots_[slot] = index;
  points_.push_back(key);
  if (2 * points_.size() > slots_.size()) grow();
  return index;
}

void VertexPool::grow() {
  slots_.assign(2 * slots_.size(), -1);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::size_t slot = hash_of(points_[i]) & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<int>(i);
  }
}

}  // namespace prehend::model
