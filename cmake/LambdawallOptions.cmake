# Compiler settings of every target. The presets in CMakePresets.json choose the sanitizers.
option(LW_TESTS "Build the tests" ON)
option(LW_WERROR "Warnings are errors" OFF)
option(LW_FUZZ "Build the libFuzzer targets (clang)" OFF)
option(LW_COVERAGE "Count which lines run (clang)" OFF)
set(LW_SANITIZE "" CACHE STRING "Sanitizers: 'address,undefined' or 'thread'")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE)  # what was compiled counts in every clone and under every locale
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale,pch_defines,time_macros ${CCACHE})
endif()

find_program(LLD ld.lld)  # links programs with sanitizers, and tests, in a sixth of the time

add_library(lw_options INTERFACE)
target_include_directories(lw_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(lw_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wunused -Wcast-align -Wconversion -Wno-sign-conversion -Wnull-dereference -Wimplicit-fallthrough)
if(LW_WERROR)
  target_compile_options(lw_options INTERFACE -Werror)
endif()
# gcc 12 reports these in correct library code once it inlines (Boost.Beast, std::string, fmt), sanitized builds most of all.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(lw_options INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow
    -Wno-array-bounds -Wno-tsan)
endif()
# Files that are compiled as one do not see less of each other's names for having them in unnamed namespaces.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(lw_options INTERFACE -Wno-shadow -Wshadow=local)
endif()
target_compile_definitions(lw_options INTERFACE LW_VERSION="${PROJECT_VERSION}"
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)
if(LW_SANITIZE)
  target_compile_options(lw_options INTERFACE -fsanitize=${LW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(lw_options INTERFACE -fsanitize=${LW_SANITIZE})
  if(LLD)
    target_link_options(lw_options INTERFACE -fuse-ld=lld)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # else no precompiled header is like another to ccache
  target_compile_options(lw_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(LW_COVERAGE)
  target_compile_options(lw_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(lw_options INTERFACE -fprofile-instr-generate)
endif()
if(LW_FUZZ)
  target_compile_options(lw_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
