# SPDX-License-Identifier: MIT OR Apache-2.0
# A stand-in for the Raspberry Pi Pico SDK, of our own, with the few parts that weft_pico uses: the names and meanings are
# those of SDK 2.1's documentation, the code is not. For RP2040 it does what it says, on the registers, so that programs
# run on an emulator; for RP2350 it is there to compile and link.
if(NOT PICO_PLATFORM)
  set(PICO_PLATFORM rp2040)
endif()
if(NOT CMAKE_TOOLCHAIN_FILE)
  set(CMAKE_TOOLCHAIN_FILE "${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake")
endif()
set(weft_stub_sdk "${CMAKE_CURRENT_LIST_DIR}")

macro(pico_sdk_init)
  get_filename_component(weft_tree "${weft_stub_sdk}/../../.." ABSOLUTE)
  add_library(weft_stub OBJECT "${weft_stub_sdk}/sdk.cpp" "${weft_stub_sdk}/alarms.cpp"
    "${weft_tree}/boards/common/rp_chip.cpp" "${weft_tree}/boards/rp2040/start.S" "${weft_tree}/boards/common/pl011.cpp"
    "${weft_tree}/boards/common/memory.cpp")
  set_target_properties(weft_stub PROPERTIES CXX_STANDARD 17)
  target_include_directories(weft_stub PRIVATE "${weft_stub_sdk}" "${weft_tree}/boards/rp2040"
    "${weft_tree}/boards/common" "${weft_tree}/port/armv6m" "${weft_tree}/port")
  target_compile_options(weft_stub PRIVATE -Wall -Wextra -Werror $<$<COMPILE_LANGUAGE:CXX>:-fno-builtin>)
  foreach(part pico_multicore hardware_sync hardware_timer)
    add_library(${part} INTERFACE)
    target_include_directories(${part} INTERFACE "${weft_stub_sdk}")
  endforeach()
  add_library(pico_stdlib INTERFACE)
  target_sources(pico_stdlib INTERFACE $<TARGET_OBJECTS:weft_stub>)
  target_link_libraries(pico_stdlib INTERFACE gcc)
  target_include_directories(pico_stdlib INTERFACE "${weft_stub_sdk}")
  target_link_options(pico_stdlib INTERFACE -nostdlib -static -Wl,--gc-sections
    -T "${weft_stub_sdk}/memmap.ld")
endmacro()

# The SDK's: the files to flash. Here the bytes alone.
function(pico_add_extra_outputs target)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND arm-none-eabi-objcopy -O binary $<TARGET_FILE:${target}> $<TARGET_FILE:${target}>.bin)
endfunction()
