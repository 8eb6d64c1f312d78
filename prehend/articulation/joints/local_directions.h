// The local parameters of a joint: turns (W) and shifts (V) of its two frames, P on the fixed part and C on the moving one, in their
// own axes, and the pitch. A type of joint lists which of them are its free ones. Not part of the public interface.
#pragma once

namespace prehend::articulation {

inline constexpr int kWPx = 0, kWPy = 1, kWPz = 2, kVPx = 3, kVPy = 4, kVPz = 5;
inline constexpr int kWCx = 6, kWCy = 7, kWCz = 8, kVCx = 9, kVCy = 10, kVCz = 11;
inline constexpr int kPitch = 12;

}  // namespace prehend::articulation
