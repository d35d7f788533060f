// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// CoreSet: where a task may run.
#pragma once

#include <weft/config.hpp>

namespace weft {

/// Some cores of a pool, by their numbers as this_core() counts. A value.
///
///     constexpr auto with_fpu = weft::CoreSet::of(1, 3);
///     pool.submit_on(with_fpu, filter);
///
/// With WEFT_CORE_SETS=n, the number of different sets of two or more cores that the image uses. (A set of one core,
/// and the set of all cores of a pool, need no place.)
/// @lifetime Any.
class CoreSet {
public:
    /// No core.
    /// @context Any context.
    constexpr CoreSet() = default;

    /// These cores.
    /// @context Any context.
    /// @return The set. A number that no pool can have makes it one that submit_on() refuses: unknown_core.
    template <class... Numbers>
    static constexpr CoreSet of(Numbers... cores) {
        return CoreSet((bit(static_cast<uint64_t>(cores)) | ... | 0u));
    }
    /// The cores whose bits are set in `mask`: bit k says it of core k.
    /// @context Any context.
    /// @return The set.
    static constexpr CoreSet from_mask(uint32_t mask) { return CoreSet(mask); }

    /// The mask that from_mask() takes.
    /// @context Any context.
    constexpr uint32_t mask() const { return mask_; }
    /// No core is in it.
    /// @context Any context.
    constexpr bool empty() const { return mask_ == 0; }
    /// Is this core in it?
    /// @context Any context.
    constexpr bool contains(uint32_t core) const { return core < 32 && (mask_ >> core & 1) != 0; }

    /// The cores that are in one of them, or in both.
    /// @context Any context.
    friend constexpr CoreSet operator|(CoreSet one, CoreSet other) {
        return CoreSet(one.mask_ | other.mask_);
    }
    /// The cores that are in both.
    /// @context Any context.
    friend constexpr CoreSet operator&(CoreSet one, CoreSet other) {
        return CoreSet(one.mask_ & other.mask_);
    }
    /// The same cores are in both.
    /// @context Any context.
    friend constexpr bool operator==(CoreSet one, CoreSet other) { return one.mask_ == other.mask_; }
    /// Some core is in one of them only.
    /// @context Any context.
    friend constexpr bool operator!=(CoreSet one, CoreSet other) { return one.mask_ != other.mask_; }

private:
    constexpr explicit CoreSet(uint32_t mask) : mask_(mask) {}
    // No pool has a core 31. 64 bits: no number is cut down to one that a pool has.
    static constexpr uint32_t bit(uint64_t core) {
        return 1u << (core < 31 ? static_cast<uint32_t>(core) : 31);
    }

    uint32_t mask_ = 0;
};

}  // namespace weft
