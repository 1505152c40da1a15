# lw_folder(NAME [LINK libs...]): the sources of the folder this stands in (main.cpp apart) as the static library NAME.
# A file dropped into a folder is part of its library; CMake looks again at every build.
function(lw_folder name)
  cmake_parse_arguments(arg "" "" "LINK;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${pattern})
  endforeach()
  # With sanitizers the control planes, much template and little data, take half as long to compile without optimizing.
  if(LW_SANITIZE)
    set(control ${sources})
    list(FILTER control INCLUDE REGEX "/control/")
    set_source_files_properties(${control} PROPERTIES COMPILE_OPTIONS -O0)
  endif()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC lw_options ${arg_LINK})
endfunction()

# lw_program(NAME [LINK libs...]): main.cpp of this folder as the program NAME.
function(lw_program name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE lw_options ${arg_LINK})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)  # a crash names functions (common/host/crash_report)
endfunction()
