// phalanx for C++20: Ed25519, XMSS, Rescue hashes, Ligerito commitments and aggregates, over the C library (phalanx.h).
//
// Header only; link the library (phalanx::cpp in CMake, or `pkg-config --libs phalanx`). Each system has a header of its
// own too. What can fail answers a phalanx::Result: see phalanx/core.hpp.
#ifndef PHALANX_HPP
#define PHALANX_HPP

#include <phalanx/aggregate.hpp>
#include <phalanx/core.hpp>
#include <phalanx/custody.hpp>
#include <phalanx/ed25519.hpp>
#include <phalanx/ligerito.hpp>
#include <phalanx/ligerito_provable128.hpp>
#include <phalanx/rescue.hpp>
#include <phalanx/xmss.hpp>

#endif
