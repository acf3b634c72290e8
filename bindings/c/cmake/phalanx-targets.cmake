# The targets, in the installed tree and in that of a build: phalanx_INCLUDE_DIR and phalanx_LIBRARY_DIR say where.
if(TARGET phalanx::phalanx)
  return()
endif()

# What Rust's standard library needs of the system, as `cargo rustc -- --print native-static-libs` says.
add_library(phalanx::static STATIC IMPORTED)
set_target_properties(phalanx::static PROPERTIES
  IMPORTED_LOCATION "${phalanx_LIBRARY_DIR}/${CMAKE_STATIC_LIBRARY_PREFIX}phalanx${CMAKE_STATIC_LIBRARY_SUFFIX}"
  INTERFACE_INCLUDE_DIRECTORIES "${phalanx_INCLUDE_DIR}"
  INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")

add_library(phalanx::shared SHARED IMPORTED)
set_target_properties(phalanx::shared PROPERTIES
  IMPORTED_LOCATION "${phalanx_LIBRARY_DIR}/${CMAKE_SHARED_LIBRARY_PREFIX}phalanx${CMAKE_SHARED_LIBRARY_SUFFIX}"
  INTERFACE_INCLUDE_DIRECTORIES "${phalanx_INCLUDE_DIR}")

add_library(phalanx::phalanx INTERFACE IMPORTED)
if(PHALANX_SHARED)
  set_target_properties(phalanx::phalanx PROPERTIES INTERFACE_LINK_LIBRARIES phalanx::shared)
else()
  set_target_properties(phalanx::phalanx PROPERTIES INTERFACE_LINK_LIBRARIES phalanx::static)
endif()

# The same for C++: phalanx.hpp is C++20.
add_library(phalanx::cpp INTERFACE IMPORTED)
set_target_properties(phalanx::cpp PROPERTIES
  INTERFACE_LINK_LIBRARIES phalanx::phalanx
  INTERFACE_COMPILE_FEATURES cxx_std_20)
