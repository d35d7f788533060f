# SPDX-License-Identifier: MIT OR Apache-2.0
# A stand-in for ESP-IDF's build system, of our own: the functions that integrations/esp-idf uses, as ESP-IDF's
# documentation of its build system says what they do.
function(idf_build_get_property variable property)
  if(NOT property STREQUAL "IDF_TARGET")
    message(FATAL_ERROR "the stand-in knows no property ${property}")
  endif()
  set(${variable} "${IDF_TARGET}" PARENT_SCOPE)
endfunction()
macro(idf_component_register)
  cmake_parse_arguments(registered "" "" "SRCS;INCLUDE_DIRS;PRIV_INCLUDE_DIRS;REQUIRES;PRIV_REQUIRES" ${ARGV})
  if(registered_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "idf_component_register: ${registered_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(registered_name "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set(COMPONENT_LIB "__idf_${registered_name}")
  add_library(${COMPONENT_LIB} STATIC ${registered_SRCS})
  target_include_directories(${COMPONENT_LIB} PUBLIC ${registered_INCLUDE_DIRS})
endmacro()
