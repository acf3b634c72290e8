# The targets, in the installed tree and in that of a build: phalanx_INCLUDE_DIR, phalanx_LIBRARY_DIR and, for libraries that
# are loaded on Windows, phalanx_RUNTIME_DIR say where.
if(TARGET phalanx::phalanx)
  return()
endif()

# What Rust's standard library needs of the system, as `cargo rustc -- --print native-static-libs` says.
if(WIN32)
  set(phalanx_system_libraries kernel32 ntdll userenv ws2_32 dbghelp bcrypt advapi32)
else()
  set(phalanx_system_libraries Threads::Threads ${CMAKE_DL_LIBS} m)
endif()
add_library(phalanx::static STATIC IMPORTED)
set_target_properties(phalanx::static PROPERTIES
  IMPORTED_LOCATION "${phalanx_LIBRARY_DIR}/${CMAKE_STATIC_LIBRARY_PREFIX}phalanx${CMAKE_STATIC_LIBRARY_SUFFIX}"
  INTERFACE_INCLUDE_DIRECTORIES "${phalanx_INCLUDE_DIR}"
  INTERFACE_LINK_LIBRARIES "${phalanx_system_libraries}")

add_library(phalanx::shared SHARED IMPORTED)
set_target_properties(phalanx::shared PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${phalanx_INCLUDE_DIR}")
if(WIN32)
  if(MSVC)
    set(phalanx_import_library "phalanx.dll.lib")
  else()
    set(phalanx_import_library "libphalanx.dll.a")
  endif()
  set_target_properties(phalanx::shared PROPERTIES
    IMPORTED_LOCATION "${phalanx_RUNTIME_DIR}/phalanx.dll"
    IMPORTED_IMPLIB "${phalanx_LIBRARY_DIR}/${phalanx_import_library}")
else()
  set_target_properties(phalanx::shared PROPERTIES
    IMPORTED_LOCATION "${phalanx_LIBRARY_DIR}/${CMAKE_SHARED_LIBRARY_PREFIX}phalanx${CMAKE_SHARED_LIBRARY_SUFFIX}")
endif()

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
