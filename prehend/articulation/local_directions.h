// The local parameters of a joint: turns (W) and shifts (V) of its two frames, P on the fixed part and C on the moving one, in their
// own axes, and the pitch. A type of joint lists which of them are its free ones. Not part of the public interface.
#pragma once

namespace prehend::articulation {

enum Direction { kWPx, kWPy, kWPz, kVPx, kVPy, kVPz, kWCx, kWCy, kWCz, kVCx, kVCy, kVCz, kPitch };

}  // namespace prehend::articulation
