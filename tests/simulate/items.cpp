// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: what programs share.
#include "apps.hpp"

namespace simulate {

void must(weft::Status status) {
    if (status != weft::Status::ok) weft::Port::panic(weft::describe(status), 0, nullptr);
}

// Items in a row are counted together, so that the count of all is no bottleneck.
void prepare_items(Share& share, Item* items, uint32_t count, Time length) {
    constexpr uint32_t together = 64;
    const uint32_t groups = (count + together - 1) / together;
    Group* const all = new Group[groups];
    share.left.store(groups, weft::relaxed);
    for (uint32_t i = 0; i != count; ++i) {
        Group& group = all[i / together];
        group.share = &share;
        group.left.store(i % together + 1, weft::relaxed);
        items[i].group = &group;
        items[i].length = length;
    }
}

void submit_items(Share& share, uint32_t count, Time length) {
    Item* const items = new Item[count];
    prepare_items(share, items, count, length);
    weft::Batch all;
    for (uint32_t i = 0; i != count; ++i) must(all.push(items[i]));
    must(share.pool->submit(all));
}

}  // namespace simulate
