// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: numbers and stacks of cores.
#include "crew.hpp"

namespace conformance {
namespace {

uint32_t* limits[max_crew];

// noinline: the frame of this function is inside the stack in any case.
[[gnu::noinline]] void look_at_stack(uint32_t core) {
    uint32_t* const limit = Port::stack_limit();
    limits[core] = limit;
    if (limit == nullptr) return;
    const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const uintptr_t lowest = reinterpret_cast<uintptr_t>(limit);
    CHECK(lowest < here);
    CHECK_EQ(lowest % alignof(uint32_t), 0);
    static_cast<void>(*static_cast<volatile uint32_t*>(limit));  // it is memory
    CHECK_EQ(Port::stack_limit(), limit);
    tap::note("core ", core, ": stack from ", tap::hex(lowest), ", ", here - lowest, " bytes below here");
}

void core_ids() {
    tap::note(board::name, ": built for ", board::cores, " cores, the port for ", Port::max_cores,
              ", there are ", crew());
    CHECK_EQ(board::cores, max_crew);
    CHECK(max_crew <= Port::max_cores);
    CHECK_EQ(Port::core_id(), 0);
    on_all("asking for core_id", [](uint32_t core) {
        // run_job() asked too; the first core_id() there has given `core`.
        CHECK(core < max_crew);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < 1000; ++i) wrong += Port::core_id() == core ? 0 : 1;
        CHECK_EQ(wrong, 0);
    });
    for (uint32_t i = 1; i < crew(); ++i) {
        static Atomic<uint32_t> id;
        id.store(UINT32_MAX, relaxed);
        start_entry(
            member(i), [](void*) { id.store(Port::core_id(), release); }, &id);
        tap::wait_for([] { return id.load(acquire) != UINT32_MAX; }, "a core that says its number");
        CHECK_EQ(id.load(relaxed), member(i));
    }
}

void core_stack_limits() {
    on_all("asking for stack_limit", look_at_stack);
    for (uint32_t i = 0; i < crew(); ++i) {
        if (limits[member(i)] == nullptr) tap::note("core ", member(i), ": stack limit not known");
        for (uint32_t j = 0; j < i; ++j) {
            CHECK(limits[member(i)] == nullptr || limits[member(i)] != limits[member(j)]);
        }
    }
}

constexpr tap::Test tests[] = {
    TEST(core_ids),
    TEST(core_stack_limits),
};

}  // namespace

extern const tap::Tests cores_tests{tests};

}  // namespace conformance
