// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: OpenMP's `single`, `critical` and `atomic`, and the locks of omp.h.
#include "layer.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

namespace {

Lock unnamed;     // of `critical` without a name
Lock of_atomics;  // of `atomic` where the machine has no instruction for it

// A name of `critical`: a pointer that GCC defines, zero at the start. It is a lock's word.
class Named {
public:
    explicit Named(void** name) : word_(*reinterpret_cast<Atomic<uintptr_t>*>(name)) {}
    void lock() {
        // relaxed: a guess. [O1] what the holder before has done
        while (word_.load(relaxed) != 0 || word_.exchange(1, acquire) != 0) Port::relax();
    }
    void unlock() { word_.store(0, release); }  // [O1]

private:
    Atomic<uintptr_t>& word_;
};
static_assert(sizeof(Port::Plain<void*>) != sizeof(void*) || sizeof(Atomic<uintptr_t>) == sizeof(void*),
              "weft: a word of the port is not what GCC takes for the name of `critical`");

// Is the member the first one that comes to its next `single`?
bool is_first(Member& member) {
    if (member.team == nullptr) return true;
    uint32_t seen = member.met_singles++;
    for (;;) {  // ends: a failure without a cause is rare
        const uint32_t mine = seen;
        // relaxed: it decides only who is the first
        if (member.team->singles.compare_exchange(seen, mine + 1, relaxed, relaxed)) return true;
        if (seen != mine) return false;
    }
}

}  // namespace
}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

using namespace weft::detail::openmp;

extern "C" {

void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void** name);
void GOMP_critical_name_end(void** name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
bool GOMP_single_start(void);
void* GOMP_single_copy_start(void);
void GOMP_single_copy_end(void* data);

void GOMP_critical_start(void) { unnamed.lock(); }
void GOMP_critical_end(void) { unnamed.unlock(); }
void GOMP_critical_name_start(void** name) { Named(name).lock(); }
void GOMP_critical_name_end(void** name) { Named(name).unlock(); }
void GOMP_atomic_start(void) { of_atomics.lock(); }
void GOMP_atomic_end(void) { of_atomics.unlock(); }

bool GOMP_single_start(void) { return is_first(this_member()); }

// nullptr: the caller is the one, and ends it by GOMP_single_copy_end(). Else what that one says.
void* GOMP_single_copy_start(void) {
    Member& member = this_member();
    if (is_first(member)) return nullptr;
    member.team->barrier(member);
    return member.team->copied.get();
}
void GOMP_single_copy_end(void* data) {
    Member& member = this_member();
    if (member.team == nullptr) return;
    member.team->copied.set(data);
    member.team->barrier(member);
}

}  // extern "C"
