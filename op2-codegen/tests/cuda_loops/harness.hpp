// Runs all wrappers of a loop on a random mesh and compares what they leave with a plain loop. All sets
// have `size` elements. Numbers are small integers, so that no order of summation makes a difference.
// Stands behind the header, in programs of loops and in the harness: here is what depends on the types of a loop.

using op2::Arr;
using op2::u16;
using op2::u32;
using op2::u64;
using op2::u8;
using op2::usize;

const u32 size = 203;

u64 random_bits();

// Memory as on a device: 256-byte aligned, and of exactly the size needed.
void* allocated(usize bytes);
template <class S>
struct Buffer {
    S* data;
    usize length;
    explicit Buffer(usize n) : data(static_cast<S*>(allocated(n * sizeof(S)))), length(n) {}
    Buffer(const Buffer&) = delete;
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
// One value for each element.
template <class V>
struct Values {
    V* all;
    Values() : all(static_cast<V*>(allocated(size * sizeof(V)))) {
        for (u32 e = 0; e < size; e += 1) all[e] = random_value<V>();
    }
    Values(const Values& other) : all(static_cast<V*>(allocated(size * sizeof(V)))) {
        memcpy(static_cast<void*>(all), other.all, size * sizeof(V));
    }
    Values& operator=(const Values&) = delete;
    ~Values() { free(all); }
    V& operator[](u32 e) { return all[e]; }
    const V& operator[](u32 e) const { return all[e]; }
};

// A map with targets near by, so that some are shared between blocks and others are not.
struct Map {
    u32 arity;
    // Row by row for the loop by hand; entry by entry, as devices have it.
    Buffer<u32> rows, data;
    explicit Map(u32 arity);
    const u32* operator[](u32 e) const { return rows.data + e * arity; }
};

// Position of a component, by the book.
template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;
template <class View>
static usize position(usize e, usize c) {
    const usize dim = op2::Flat<typename View::Value>::dim, stride = View::stride();
    if (same<typename View::Layout, op2::Aos>) return e * dim + c;
    if (same<typename View::Layout, op2::Soa>) return c * stride + e;
    return e / stride * (stride * dim) + c * stride + e % stride;
}
// The values of a view where a loop finds them. An absent one has none.
template <class View>
struct LaidOut : Buffer<typename View::Scalar> {
    using V = typename View::Value;
    static usize elements() {
        const usize stride = View::stride();
        return same<typename View::Layout, op2::Blocked> ? (size + stride - 1) / stride * stride : size;
    }
    LaidOut(const Values<V>& values, bool there)
        : Buffer<typename View::Scalar>(there ? elements() * op2::Flat<V>::dim : 0) {
        for (u32 e = 0; there && e < size; e += 1) {
            for (u32 c = 0; c < op2::Flat<V>::dim; c += 1) this->data[position<View>(e, c)] = op2::part(values[e], c);
        }
    }
    void take_back(Values<V>& values) const {
        for (u32 e = 0; this->length > 0 && e < size; e += 1) {
            for (u32 c = 0; c < op2::Flat<V>::dim; c += 1) op2::part(values[e], c) = this->data[position<View>(e, c)];
        }
    }
};

// The user's number of an element; what a loop is checked against asks for it.
extern const u32* user_numbers;
inline u32 number(u32 e) { return user_numbers ? user_numbers[e] : e; }

// The numbers by which the user knows the elements of every set from now on; those of the data if they are plain.
void number_elements(bool plain);

// A function of the program's that the harness calls.
template <class... Args>
struct Call {
    const void* what;
    void (*how)(const void*, Args...);
    template <class F>
    Call(const F& function)
        : what(&function), how([](const void* what, Args... args) { (*static_cast<const F*>(what))(args...); }) {}
    void operator()(Args... args) const { how(what, args...); }
};

// Maps, whole or single entries, by which an element reaches others.
struct Way {
    const Map* map;
    usize start, end;
};
struct Ways {
    const Way* all;
    u32 count;
};

// A choice of elements and its blocks. What it points to stays while the program runs.
struct Plan {
    const struct Planned* planned;
    bool all;
    const u32* order;
    u32 rows;
    // Positions of blocks, which each have as many as threads, and of those behind.
    u32 positions;
    Plan(bool all, Ways ways);
};

// Where blocks store a contribution, and whether it may be the opposite that is there.
struct Stored {
    u32 at;
    bool turned;
};

// The targets of some ways in the blocks of a plan, in both forms. `stored` has one for each way, or is null if all have places of their own.
struct Cover {
    op2::Stage<op2::Staged> stage, tiles;
    op2::Sums sums, tiled;
    Cover(const Plan& plan, Ways ways, const Stored* stored);
};

// A thread for each target of some ways.
struct Each {
    op2::PerTarget frame;
    // The element at each of `frame.rows` places of the list; `size` where there is none.
    const u32* elements;
    Each(const Plan& plan, Ways ways);
    // The rows of a map in the order of the list, entry by entry.
    const u32* entries(const Map& map) const;
};

// Runs a kernel: all threads of a block at the same time.
void launch(u32 blocks, u32 threads, Call<> kernel);

// As a wrapper without stages is launched: at once, or colour by colour where elements meet. `run` gets
// a range and the number of blocks; the number of all blocks is returned.
u32 in_ranges(const Plan& plan, bool coloured, Call<op2::Range, u32> run);

// As a staged wrapper is launched: colour by colour, or all blocks at once.
u32 in_blocks(const Plan& plan, bool coloured, Call<op2::Blocks, u32> run);

template <class T>
static bool equal(const T& a, const T& b) {
    constexpr u32 count = op2::Slots<T>::count;
    u64 left[count], right[count];
    op2::Slots<T>::put(a, left);
    op2::Slots<T>::put(b, right);
    return memcmp(left, right, sizeof left) == 0;
}
extern u32 faults;
void fault(const char* wrapper, const char* what);
void fault(const char* wrapper, const char* what, u32 element);
template <class T>
static void compare(const char* wrapper, const char* what, const T& found, const T& expected) {
    if (!equal(found, expected)) fault(wrapper, what);
}
template <class T>
static void compare(const char* wrapper, const char* what, const Values<T>& found, const Values<T>& expected) {
    for (u32 e = 0; e < size; e += 1) {
        if (equal(found[e], expected[e])) continue;
        fault(wrapper, what, e);
        return;
    }
}
void forget_visits();
void compare_visits(const char* wrapper, const Plan& plan, u32 stages);
