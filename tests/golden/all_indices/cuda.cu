// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_mine Aos
#define OP2_STRIDE_mine 1
#define OP2_LAYOUT_own Aos
#define OP2_STRIDE_own 1
#define OP2_ROWS_fa 1000
#define OP2_ROWS_fv 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void claim(u32 f, Arr<const u32*, 3> g, Arr<u32, 3> c,
        Arr<bool, 3>& mine, u32& own) {
    own = 0;
    for (usize i = 0; i < 3; i += 1) {
        u32 chosen;
        if (g[i] != nullptr) {
            const u32 some = *g[i];
            chosen = some;
        } else {
            chosen = op2::Limits<u32>::max();
        }
        mine[i] = f < chosen && c[i] != c[(i + 1) % 3];
        own += u32(mine[i]);
    }
}

}  // namespace user

namespace user {

struct mine_view : op2::View<Arr<bool, 3>, op2::OP2_LAYOUT_mine> {
    static __device__ op2::usize stride() { return OP2_STRIDE_mine; }
};
struct own_view : op2::View<u32, op2::OP2_LAYOUT_own> {
    static __device__ op2::usize stride() { return OP2_STRIDE_own; }
};

}  // namespace user

// `claim` over `facets`:
//   f: idx()
//   g: idx(fa[..])
//   c: idx(fv[..])
//   mine_arg: write(mine)
//   own_arg: write(own)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
claim_global(op2::Range range, bool* mine, op2::u32* own, const op2::u32* __restrict__ fa,
        const op2::u32* __restrict__ fv, const op2::u32* __restrict__ f_numbers,
        const op2::u32* __restrict__ g_numbers, const op2::u32* __restrict__ c_numbers) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto fa_all = op2::targets<3>(fa, OP2_ROWS_fa, e);
        const auto fv_all = op2::targets<3>(fv, OP2_ROWS_fv, e);
        user::mine_view::Value mine_arg;
        user::own_view::Value own_arg;
        const auto g = op2::numbers<op2::u32>(g_numbers, fa_all);
        user::claim(op2::u32(op2::number(f_numbers, e)), op2::maybe(fa_all, g),
            op2::numbers<op2::u32>(c_numbers, fv_all), mine_arg, own_arg);
        op2::store_own<user::mine_view>(mine, e, op2::side_by_side(range, p), mine_arg);
        op2::store_own<user::own_view>(own, e, op2::side_by_side(range, p), own_arg);
    }
}
