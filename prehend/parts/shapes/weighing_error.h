// How far an inertia from weighing depends on errors of the shape.
//
// At rest a wrench tells mass and first moments only; the masses m of parts with centroids c follow from sum m_i = M, sum m_i c_i = M c (source N,
// 3.24), nearest to equal densities where these leave them free. Centroids nearly in a line or plane make that a lever: an error of the
// centroids, which a cloud always has, is paid for by masses moved from part to part. To first order, with errors of the centroids
// that are independent and normal: dm = -K sum m_i e_i, K = W A^T (A W A^T + S)^-1, W = diag(m^2), A the rows 1 and c, S what is left of
// the noise of the forces. Cost: some microseconds.
#pragma once

#include <span>

#include <Eigen/Core>

namespace prehend::parts {

struct WeighedPart {
  double volume{0.0};                                 // [m^3] positive
  Eigen::Vector3d centroid{Eigen::Vector3d::Zero()};  // [m]
  double spread{0.0};                                 // [m^2] mean squared distance from the centroid
};

// Standard deviation of the trace of the inertia about the centre of mass, as a share of it, when each centroid is off by `error` [m] (standard
// deviation of a coordinate). `extent` [m] of the object scales the noise of the forces.
double weighing_error(std::span<const WeighedPart> parts, double error, double extent);

}  // namespace prehend::parts
