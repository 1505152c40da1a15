# Files in headers, so that a program needs none beside it.

# lw_embed_files(HEADER DECLARATION BEGIN END FILES...): makes generated/HEADER with BEGIN, DECLARATION for each file, and END. In DECLARATION,
# @file@ is the file's name, @identifier@ the same with '_' for '.', and @source@ its content.
function(lw_embed_files header declaration begin end)
  set(text "// Made by cmake/EmbedFiles.cmake.\n#pragma once\n${begin}")
  foreach(path IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    get_filename_component(file ${path} NAME)
    string(REPLACE "." "_" identifier ${file})
    file(READ ${path} source)
    string(CONFIGURE "${declaration}" declared @ONLY)
    string(APPEND text "${declared}")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${header} CONTENT "${text}${end}" @ONLY)
endfunction()

# Each shader as a constant of its name: rgb8.frag -> lw::shaders::rgb8_frag.
function(lw_embed_shaders)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/shaders/*.glsl ${CMAKE_SOURCE_DIR}/shaders/*.vert ${CMAKE_SOURCE_DIR}/shaders/*.frag ${CMAKE_SOURCE_DIR}/shaders/*.comp)
  lw_embed_files(shaders.h "inline constexpr const char* @identifier@ = R\"glsl(@source@)glsl\";\n"
    "namespace lw::shaders {\n" "}  // namespace lw::shaders\n" ${files})
endfunction()

# The page for tablets and its icon, as a table of names and texts.
function(lw_embed_tablet)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/server/tablet/*.html ${CMAKE_SOURCE_DIR}/server/tablet/*.css ${CMAKE_SOURCE_DIR}/server/tablet/*.js)
  configure_file(${CMAKE_SOURCE_DIR}/deploy/desktop/lambdawall-control.svg ${CMAKE_BINARY_DIR}/generated/icon.svg COPYONLY)
  lw_embed_files(tablet_files.h "    {\"@file@\", R\"tablet(@source@)tablet\"},\n"
    "#include <string_view>\nnamespace lw::tablet {\nstruct File {\n  std::string_view name, text;\n};\ninline constexpr File files[] = {\n"
    "};\n}  // namespace lw::tablet\n" ${files} ${CMAKE_BINARY_DIR}/generated/icon.svg)
endfunction()
