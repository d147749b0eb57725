// Runs all wrappers of a loop on a random mesh and compares what they leave with a plain loop. All sets
// have `size` elements. Numbers are small integers, so that no order of summation makes a difference.
// Stands behind the text.

using op2::Arr;
using op2::u16;
using op2::u32;
using op2::u64;
using op2::u8;
using op2::usize;

alignas(16) unsigned char op2_arena[1 << 17];

static const u32 size = 203;

static u64 state = 88172645463325252ull;
static u64 random_bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

// Memory as on a device: 256-byte aligned, and of exactly the size needed.
template <class S>
struct Buffer {
    S* data = nullptr;
    usize length = 0;
    explicit Buffer(usize n) : length(n) {
        if (posix_memalign(reinterpret_cast<void**>(&data), 256, n * sizeof(S) + (n == 0))) abort();
        memset(static_cast<void*>(data), 0, n * sizeof(S));
    }
    template <class Items>
    static Buffer of(const Items& items) {
        Buffer buffer(items.size());
        for (usize i = 0; i < buffer.length; i += 1) buffer.data[i] = items[i];
        return buffer;
    }
    Buffer(const Buffer&) = delete;
    Buffer(Buffer&& other) : data(other.data), length(other.length) { other.data = nullptr; }
    ~Buffer() { free(data); }
};

template <class S>
static S random_scalar() {
    if constexpr (sizeof(S) == 1) return random_bits() % 2 == 0;
    else return S(random_bits() % 17) - (S(-1) < S(0) ? S(8) : S(0));
}
template <class V>
static V random_value() {
    V value;
    for (u32 c = 0; c < op2::Flat<V>::dim; c += 1) {
        op2::part(value, c) = random_scalar<typename op2::Flat<V>::Scalar>();
    }
    return value;
}
// Unlike a vector, it has flags that references lead to.
template <class V>
using Values = std::deque<V>;
template <class V>
static Values<V> random_values() {
    Values<V> values(size);
    for (V& value : values) value = random_value<V>();
    return values;
}

// A map with targets near by, so that some are shared between blocks and others are not.
template <usize N>
static std::vector<Arr<u32, N>> random_map() {
    std::vector<Arr<u32, N>> rows(size);
    for (u32 e = 0; e < size; e += 1) {
        for (usize i = 0; i < N; i += 1) rows[e].at[i] = u32((e + random_bits() % 9) % size);
    }
    return rows;
}
// As devices have it: entry by entry.
template <usize N>
static Buffer<u32> uploaded(const std::vector<Arr<u32, N>>& rows) {
    Buffer<u32> map(N * size);
    for (usize i = 0; i < N; i += 1) {
        for (u32 e = 0; e < size; e += 1) map.data[i * size + e] = rows[e].at[i];
    }
    return map;
}

// Position of a component, by the book.
template <class View>
static usize position(usize e, usize c) {
    const usize dim = op2::Flat<typename View::Value>::dim, stride = View::stride();
    if (std::is_same<typename View::Layout, op2::Aos>::value) return e * dim + c;
    if (std::is_same<typename View::Layout, op2::Soa>::value) return c * stride + e;
    return e / stride * (stride * dim) + c * stride + e % stride;
}
template <class View>
static Buffer<typename View::Scalar> laid_out(const Values<typename View::Value>& values, bool there) {
    using V = typename View::Value;
    const usize stride = View::stride();
    const bool blocked = std::is_same<typename View::Layout, op2::Blocked>::value;
    const usize elements = blocked ? (size + stride - 1) / stride * stride : size;
    Buffer<typename View::Scalar> data(there ? elements * op2::Flat<V>::dim : 0);
    for (u32 e = 0; there && e < size; e += 1) {
        for (u32 c = 0; c < op2::Flat<V>::dim; c += 1) {
            data.data[position<View>(e, c)] = op2::part(values[e], c);
        }
    }
    return data;
}
template <class View>
static void take_back(const Buffer<typename View::Scalar>& data, Values<typename View::Value>& values) {
    for (u32 e = 0; data.length > 0 && e < size; e += 1) {
        for (u32 c = 0; c < op2::Flat<typename View::Value>::dim; c += 1) {
            op2::part(values[e], c) = data.data[position<View>(e, c)];
        }
    }
}

// The user's number of an element; what a loop is checked against asks for it.
static const u32* user_numbers = nullptr;
static u32 number(u32 e) { return user_numbers ? user_numbers[e] : e; }

// The targets of the entries of a cover, by element.
using Ways = std::vector<std::vector<u32>>;
template <usize N>
static void add_entry(Ways& ways, const std::vector<Arr<u32, N>>& map, usize entry) {
    ways.emplace_back();
    for (const auto& row : map) ways.back().push_back(row.at[entry]);
}
template <usize N>
static void add_all(Ways& ways, const std::vector<Arr<u32, N>>& map) {
    for (usize i = 0; i < N; i += 1) add_entry(ways, map, i);
}

// Blocks of positions, coloured; an element touches itself and all that maps lead to.
struct Plan {
    std::vector<u32> order;
    bool listed;
    u32 threads;
    std::vector<u32> offsets, colours, counts, block_colours;
    std::vector<std::set<u32>> touched;
    std::vector<u32> global;

    Plan(const std::vector<u32>& positions, bool all, u32 block, const Ways& ways)
        : order(positions), listed(!all), threads(block) {
        for (u32 at = 0; at < order.size(); at += 1 + u32(random_bits() % block)) offsets.push_back(at);
        offsets.push_back(u32(order.size()));
        colours.assign(order.size(), 0);
        for (u32 b = 0; b < blocks(); b += 1) {
            touched.emplace_back();
            for (u32 p = offsets[b]; p < offsets[b + 1]; p += 1) {
                for (u32 t : touches(p, ways)) touched.back().insert(t);
            }
            counts.push_back(coloured(offsets[b], offsets[b + 1], ways, colours));
        }
        for (u32 b = 0; b < blocks(); b += 1) {
            std::set<u32> taken;
            for (u32 a = 0; a < b; a += 1) {
                if (meets(a, b)) taken.insert(block_colours[a]);
            }
            u32 colour = 0;
            while (taken.count(colour)) colour += 1;
            block_colours.push_back(colour);
        }
        global.assign(order.size(), 0);
        coloured(0, u32(order.size()), ways, global);
    }
    u32 blocks() const { return u32(offsets.size()) - 1; }
    std::set<u32> touches(u32 p, const Ways& ways) const {
        std::set<u32> found{order[p]};
        for (const auto& way : ways) found.insert(way[order[p]]);
        return found;
    }
    bool meets(u32 a, u32 b) const {
        for (u32 t : touched[a]) {
            if (touched[b].count(t)) return true;
        }
        return false;
    }
    u32 coloured(u32 start, u32 end, const Ways& ways, std::vector<u32>& into) const {
        std::vector<std::set<u32>> taken(size);
        u32 count = 0;
        for (u32 p = start; p < end; p += 1) {
            const auto mine = touches(p, ways);
            const auto met = [&](u32 colour) {
                for (u32 t : mine) {
                    if (taken[t].count(colour)) return true;
                }
                return false;
            };
            u32 colour = 0;
            while (met(colour)) colour += 1;
            for (u32 t : mine) taken[t].insert(colour);
            into[p] = colour;
            count = colour + 1 > count ? colour + 1 : count;
        }
        return count;
    }
};

// A stage of a plan, with what it points to.
struct Staged {
    std::vector<u32> offsets{0}, list;
    std::vector<u16> local;
    std::vector<u8> shared;
    op2::Stage stage;

    Staged(const Plan& plan, const Ways& cover) {
        const usize rows = plan.order.size();
        local.assign(cover.size() * rows, 0);
        u32 most = 0;
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            std::set<u32> targets;
            for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                for (const auto& way : cover) targets.insert(way[plan.order[p]]);
            }
            const std::vector<u32> sorted(targets.begin(), targets.end());
            for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                for (usize k = 0; k < cover.size(); k += 1) {
                    const u32 target = cover[k][plan.order[p]];
                    u32 i = 0;
                    while (sorted[i] != target) i += 1;
                    local[k * rows + p] = u16(i);
                }
            }
            for (u32 t : sorted) {
                u32 blocks = 0;
                for (const auto& other : plan.touched) blocks += u32(other.count(t));
                shared.push_back(blocks > 1);
                list.push_back(t);
            }
            offsets.push_back(u32(list.size()));
            most = sorted.size() > most ? u32(sorted.size()) : most;
        }
        stage = op2::Stage{offsets.data(), list.data(), local.data(), shared.data(), nullptr, u32(rows), most, 0, 0};
    }
};

// The same where blocks have copies of the targets that they share, and what these add up to.
struct Tiled {
    std::vector<u32> list, copies{0}, targets, starts{0}, added;
    std::vector<u16> local;
    op2::Stage stage;
    op2::Sums sums;

    Tiled(const Plan& plan, const Staged& from) : local(from.local) {
        const usize rows = plan.order.size();
        std::vector<u32> copied;
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            std::vector<u16> place(from.offsets[b + 1] - from.offsets[b]);
            for (u8 shared : {0, 1}) {
                for (u32 i = from.offsets[b]; i < from.offsets[b + 1]; i += 1) {
                    if (from.shared[i] != shared) continue;
                    place[i - from.offsets[b]] = u16(list.size() - from.offsets[b]);
                    list.push_back(from.list[i]);
                    if (shared) copied.push_back(from.list[i]);
                }
            }
            copies.push_back(u32(copied.size()));
            for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                for (usize k = p; k < local.size(); k += rows) local[k] = place[local[k]];
            }
        }
        for (u32 t = 0; t < size; t += 1) {
            for (u32 n = 0; n < copied.size(); n += 1) {
                if (copied[n] == t) added.push_back(n);
            }
            if (added.size() == starts.back()) continue;
            targets.push_back(t);
            starts.push_back(u32(added.size()));
        }
        const u32 all = u32(copied.size());
        stage = op2::Stage{from.offsets.data(), list.data(), local.data(), nullptr, copies.data(), u32(rows),
                from.stage.most, all, 0};
        sums = op2::Sums{starts.data(), added.data(), targets.data(), u32(targets.size()), all};
    }
};

// Contributions by target, with what they point to.
struct Summed {
    std::vector<u32> offsets{0}, list;
    op2::Sums sums;

    Summed(const Plan& plan, const Ways& cover) {
        const u32 rows = u32(plan.order.size());
        for (u32 t = 0; t < size; t += 1) {
            for (u32 p = 0; p < rows; p += 1) {
                for (u32 k = 0; k < cover.size(); k += 1) {
                    if (cover[k][plan.order[p]] == t) list.push_back(k * rows + p);
                }
            }
            offsets.push_back(u32(list.size()));
        }
        sums = op2::Sums{offsets.data(), list.data(), nullptr, size, u32(cover.size()) * rows};
    }
};

// Runs a kernel: all threads of a block at the same time.
template <class Kernel>
static void launch(u32 blocks, u32 threads, Kernel kernel) {
    blockDim.x = threads;
    gridDim.x = blocks;
    for (u32 b = 0; b < blocks; b += 1) {
        pthread_barrier_init(&barrier, nullptr, threads);
        std::vector<std::thread> all;
        for (u32 t = 0; t < threads; t += 1) {
            all.emplace_back([=] {
                blockIdx.x = b;
                threadIdx.x = t;
                kernel();
            });
        }
        for (auto& thread : all) thread.join();
        pthread_barrier_destroy(&barrier);
    }
}

// As a wrapper without stages is launched: at once, or colour by colour where elements meet. `run` gets
// a range and the number of blocks; the number of all blocks is returned.
template <class Run>
static u32 in_ranges(const Plan& plan, bool coloured, Run run) {
    const u32 rows = u32(plan.order.size());
    if (!coloured) {
        run(op2::Range{plan.listed ? plan.order.data() : nullptr, 0, rows, 0, rows}, 3u);
        return 3;
    }
    std::vector<u32> order, starts;
    for (u32 colour = 0; order.size() < rows; colour += 1) {
        starts.push_back(u32(order.size()));
        for (u32 p = 0; p < rows; p += 1) {
            if (plan.global[p] == colour) order.push_back(plan.order[p]);
        }
    }
    starts.push_back(rows);
    for (u32 c = 0; c + 1 < starts.size(); c += 1) {
        run(op2::Range{order.data(), starts[c], starts[c + 1], c, rows}, 1u);
    }
    return u32(starts.size()) - 1;
}

// As a staged wrapper is launched: colour by colour, or all blocks at once.
template <class Run>
static u32 in_blocks(const Plan& plan, bool coloured, Run run) {
    u32 done = 0;
    for (u32 colour = 0; done < plan.blocks(); colour += 1) {
        std::vector<u32> ids;
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            if (!coloured || plan.block_colours[b] == colour) ids.push_back(b);
        }
        const u32* order = plan.listed ? plan.order.data() : nullptr;
        run(op2::Blocks{ids.data(), plan.offsets.data(), order, plan.colours.data(), plan.counts.data(), 0, 0},
                u32(ids.size()));
        done += u32(ids.size());
    }
    return plan.blocks();
}

template <class T>
static bool equal(const T& a, const T& b) {
    constexpr u32 count = op2::Slots<T>::count;
    u64 left[count], right[count];
    op2::Slots<T>::put(a, left);
    op2::Slots<T>::put(b, right);
    return memcmp(left, right, sizeof left) == 0;
}
static u32 faults = 0;
template <class T>
static void compare(const char* wrapper, const char* what, const T& found, const T& expected) {
    if (equal(found, expected)) return;
    faults += 1;
    printf("%s: `%s` is wrong\n", wrapper, what);
}
template <class T>
static void compare(const char* wrapper, const char* what, const Values<T>& found,
        const Values<T>& expected) {
    for (u32 e = 0; e < size; e += 1) {
        if (equal(found[e], expected[e])) continue;
        faults += 1;
        printf("%s: element %u of `%s` is wrong\n", wrapper, e, what);
        return;
    }
}
static void compare_visits(const char* wrapper, const std::vector<u32>& order, unsigned stages) {
    std::vector<unsigned> expected(size);
    for (u32 e : order) expected[e] += stages;
    if (visits == expected) return;
    faults += 1;
    printf("%s: not every element was visited once in each stage\n", wrapper);
}

// The numbers by which the user knows the elements of every set; null where they are those of the data.
static Buffer<u32> shuffled(bool plain) {
    Buffer<u32> numbers(plain ? 0 : size);
    if (plain) return numbers;
    for (u32 e = 0; e < size; e += 1) numbers.data[e] = e;
    for (u32 e = size - 1; e > 0; e -= 1) std::swap(numbers.data[e], numbers.data[random_bits() % (e + 1)]);
    return numbers;
}

// The elements of a loop: all, or some in another order.
static std::vector<u32> elements(bool all) {
    std::vector<u32> order;
    for (u32 e = 0; e < size; e += 1) {
        if (all || random_bits() % 3 != 0) order.push_back(e);
    }
    for (usize i = order.size() - 1; !all && i > 0; i -= 1) std::swap(order[i], order[random_bits() % (i + 1)]);
    return order;
}
