//! CUDA C++ from the typed IR: a kernel and its device functions as `__device__` functions with
//! Rust's meaning, and the loop around them as `__global__` ones. The text stands on op2's own header
//! alone (`op2_device::language::cuda::HEADER`), so that NVRTC compiles it without include paths, and a host compiler
//! behind a few definitions.
//!
//! # The text
//!
//! ```text
//! [header]
//! [definitions: OP2_FLOAT if the kernel is generic; every constant of `consts`, in `namespace user`]
//! namespace user {
//! typedef OP2_FLOAT F;
//! __device__ __forceinline__ double minmod(double a, double b) { … }
//! __device__ __forceinline__ void flux(const Arr<double, 4>& q, Arr<double, 4>& res) { … }
//! }
//! ```
//!
//! A constant is defined ahead of the text as `OP2_CONST double GAM = 1.4;`, lengths among them:
//! `OP2_CONST usize NVAR = 4;`. The values of arrays are written `{{1.0, 2.0}}`.
//!
//! # The wrappers
//!
//! A loop's text ([`unit()`]) goes on with a struct for each of its distinct dats (*views*, named as the
//! user's last field), and with the wrappers, `extern "C" __global__`, named after the kernel `K`. Their building
//! blocks are in the header (`op2_waits.cuh`, `op2_loop.cuh`, `op2_rows.cuh`, `op2_staged.cuh`, `op2_collected.cuh`,
//! `op2_targets.cuh`); the text combines them and uses the user's names.
//!
//! | wrapper | when | a launch runs |
//! | --- | --- | --- |
//! | `K_global` | always | a range of positions; loads and stores in global memory. For loops in which no two elements share a target, and for one colour of the others |
//! | `K_atomic` | contributions through maps, and nothing written through one | the same, all contributions by atomics |
//! | `K_staged` | some dat through a map | one colour of blocks. A block fetches its targets to shared memory, collects contributions there colour by colour, and writes each target back once |
//! | `K_combined` | as `K_atomic` | all blocks at once, staged; targets that several blocks reach get their contributions by atomics |
//! | `K_tiled` | as `K_atomic` | as `K_combined`, but a block adds only to targets that it owns. Its sums for other targets go to separate arrays, or are dropped |
//! | `K_scatter` | as `K_atomic` | as `K_global`, but contributions through maps go to separate arrays, one place per position and entry |
//! | `K_per_target` | as `K_atomic`, if all that the loop changes are contributions through one cover | a thread for each target, which runs all elements that contribute to it and keeps the sums for this target. No one else adds to it, so that nothing is shared, and no thread waits for others; in return an element runs once for each of its targets |
//! | `K_gather_V` | as `K_atomic`, for each such view `V` | combines every target, or every target of a list, with its redirected contributions, in the order of another list |
//!
//! Loops over pairs have other wrappers, and `K_gather_V` as above. A thread searches for the partners of an element by the
//! grid that the host made, and calls the kernel with each (`op2_pairs.cuh`):
//!
//! | wrapper | when | a launch runs |
//! | --- | --- | --- |
//! | `K_pairs` | nothing is written outside | a block for each patch of elements outside. Its threads share the partners of one element after the other, one image of the period at a time, in which no two of them have the same partner. Contributions to partners go to the copies of the patch; those to the element are summed up by the block |
//! | `K_pairs_single` | always | a range of elements outside, a thread for each, with its partners in the order of the host. Contributions to partners go by atomics |
//!
//! A loop whose kernel takes rows of any length has `K_global` alone, and runs colour by colour where elements share targets.
//!
//! Contributions (`inc`, `min`, `max`, `or`) start from the neutral element in a local and are combined behind the
//! kernel. Where dats are written through maps, `K_staged` calls the kernel itself colour by colour, since
//! an element may read values that another element wrote.
//!
//! Of contributions of an element that repeat each other, as the flux of an edge to both of its ends (`crate::model::repeats`), blocks store
//! one. Lists of contributions name its place for all of them, with a mark for those that are the opposite.
//!
//! `K_tiled` runs two strategies. With *overlapped tiles* the targets that several blocks reach belong to none of
//! them: each block leaves its sum in a copy, and `K_gather_V` adds the copies in the order of the blocks. Where the
//! *owner computes*, every target belongs to one block, which runs all elements that contribute to it. Sums for the
//! targets of other blocks are dropped, because those blocks compute them, too. In the list of staged targets a block's own ones come
//! first, and each kind is in the order of memory. Two numbers per block then tell for each place of the list whether the block owns
//! the target, and which copy it writes otherwise. Copies of a block are adjacent, so that writes fill whole sectors.
//!
//! Parameters are, in this order: the frame (`Range`; or `Blocks` and a `Stage` for each cover; or `Sums`; or `PerTarget`; of pairs `Patches` or `Range`, and
//! `Grid`), the views' data (null if absent), the maps, for each index the user's numbers of the elements (null where they are those
//! of the data), the values of globals that are read, for each reduction where its partial results and its result are, and if there are
//! any, how many blocks reduce; then, of `K_scatter`, `K_tiled` and `K_pairs`, the arrays for contributions. A *cover* is the set of ways
//! through maps by which a view is reached; views with equal covers share one stage and one list of sums.
//!
//! Every block of a loop that reduces leaves its partial results and counts itself. The one that counts last, over all launches of the
//! loop, combines all partial results in an order that does not depend on which block it is.
//!
//! # Stages
//!
//! A loop in stages (`crate::split`) is a text of its own, with `K_staged` and `K_combined` under the same names. They have
//! one more parameter behind the stages of the frame, `Kept`: memory for values that stages leave for later ones. Namespace
//! `rooms` has the type and the place of each. Every stage allocates shared memory anew.
//!
//! `K_staged_atomic` is `K_atomic` with staged reads: all blocks run at once. There are no updates behind the contribution
//! stages, because the last stage that adds to a contribution combines it with its target by atomics. Contributions of a single
//! stage are never kept here; their rooms are the first ones, and the memory of this wrapper begins behind them.
//!
//! In a wrapper the kernel works on locals. Only `load`, `store` and `combine` of the header touch global and shared memory: they
//! know layouts and vector words.
//!
//! # Definitions of the run time
//!
//! Properties that the key of a plan holds (layouts, sizes of sets, absent arguments, computed entries) are definitions; data and
//! values of globals, which every call brings anew, are parameters.
//!
//! | name | meaning |
//! | --- | --- |
//! | `OP2_BLOCK` | threads per block at most |
//! | `OP2_READS` | of loops through maps: `Staged` or `Gathered`, how blocks read their targets |
//! | `OP2_FLOAT`, `OP2_FLOAT1`, … | the float types of a generic kernel |
//! | `OP2_LENGTH0`, … | the lengths of a generic kernel |
//! | `OP2_LAYOUT_V`, `OP2_STRIDE_V` | `Aos`, `Soa` or `Blocked`; the distance of components (of blocks: a power of two) |
//! | `OP2_HAS_V` | of a view of an optional argument: 1 if it is there |
//! | `OP2_MISS_V` | of a view that is reached through maps: 1 if entries of these may be missing |
//! | `OP2_ROWS_M` | rows of map `M`, which is stored entry by entry; rows of any length are stored behind their starts |
//! | `OP2_ARITY_M` | of a map whose rows a kernel takes as wholes: their length, or 0 if it varies |
//! | `OP2_ENTRY_T` | the entry of target `T` where the loop computes it |
//! | `OP2_DIMENSIONS` | of pairs: the dimensions of the space |
//! | `OP2_FROM_OUTSIDE` | of pairs: 1 if the elements that they lead from are outside |
//!
//! Numbers among them need not be constant expressions, so that the emulator can look them up when it runs, and a GPU those that change as
//! sets grow: `OP2_STRIDE_V` of `Soa`, `OP2_SIZE_V` and `OP2_ROWS_M`.
//!
//! # How a wrapper calls the kernel
//!
//! | parameter in Rust | in C++ |
//! | --- | --- |
//! | `q: &[f64; 4]`, `adt: &mut f64` | `const Arr<double, 4>& q`, `double& adt` |
//! | `x: [&[f64; 2]; 4]` | `Arr<const Arr<double, 2>*, 4> x` |
//! | `x: &Row<f64>`, `y: &mut Row<f64>` | `const Row<double>& x`, `Row<double>& y`: values in global memory, in any layout; changed in place |
//! | `w: Option<&f64>` | `const double* w`, null if it is not there |
//! | `w: Option<[&f64; 2]>` | `const Arr<const double*, 2>* w`, null if it is not there |
//! | `w: [Option<&f64>; 2]` | `Arr<const double*, 2> w`, null where an entry is missing |
//! | `cell: usize`, `cell: Option<u32>` | `usize cell`, `const u32* cell`, null if the entry is missing |
//! | `cells: [u32; 2]`, `cells: [Option<u32>; 2]` | `Arr<u32, 2> cells`, `Arr<const u32*, 2> cells`, null where an entry is missing |
//! | `worst: &mut ArgMax<f64, usize>` | `ArgMax<double, usize>& worst` |
//!
//! `Arr<T, N>` has the layout of `[T; N]`, so that AoS data can be used in place; from other layouts the
//! wrapper gathers into a local. References may lead to registers, shared or global memory.
//!
//! # Meaning
//!
//! Operands are evaluated from left to right; integers wrap; `f32` stays `f32`; `as` saturates. Where
//! Rust would panic, results are defined in the header: a quotient by zero is zero, and so on. Indices and these operations
//! pass the hooks `OP2_CHECK_INDEX` and `OP2_CHECK`, which are empty unless `OP2_KERNEL_CHECKS` is defined.
//!
//! NVRTC contracts `a * b + c` unless `--fmad=false` forbids it. The text relies on its other defaults (`--ftz=false`,
//! `--prec-div=true`, `--prec-sqrt=true`) and must not be compiled with `--use_fast_math`. With
//! `--fmad=false` a kernel of `+ - * / sqrt` and comparisons gives the bits of the CPU; functions such as
//! `exp` are as exact as CUDA's library.

mod body;
mod control;
mod element;
mod expr;
mod literal;
mod loops;
mod names;
mod ops;
mod pairs;
mod per_target;
mod preamble;
mod shape;
mod simple;
mod split;
mod stored;
mod types;
mod unit;
mod value;
mod variant;
mod wrapper;
mod writer;

use crate::emit::device::DeviceConst;
use crate::ir::{ConstId, Expr, ExprKind, FuncId, Len, LocalId, Param, Ty, Unit};

use body::{Body, Storage};
use control::Dest;
use names::{Names, escaped};
use types::Types;
use value::Value;
use writer::{Line, render};

pub use unit::unit;

/// The functions of a unit in CUDA C++.
#[derive(Debug, Clone)]
pub struct CudaText {
    /// The functions, callees first, in `namespace user`.
    pub text: String,
    /// The kernel's name: `user::res_calc`.
    pub kernel: String,
    /// The kernel's parameters in order.
    pub params: Vec<CudaParam>,
    /// The C++ type of its result: `void` but for a device function as `funcs[0]`.
    pub result: String,
    /// The constants that must be defined ahead of the text, in order of first mention.
    pub consts: Vec<DeviceConst>,
}

/// A parameter of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CudaParam {
    /// The user's name, as far as C++ allows it; unique among the parameters.
    pub name: String,
    /// How it is passed.
    pub passing: CudaPassing,
    /// The C++ type of one value: `Arr<double, 4>` for `&[f64; 4]` and for `[&[f64; 4]; 2]`. The names
    /// in it are those of `namespace user`.
    pub value: String,
}

/// How a parameter is passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CudaPassing {
    /// By value.
    Value,
    /// As a reference, to change it if `mutable`.
    Reference {
        /// `&mut`
        mutable: bool,
    },
    /// As an `Arr` of `len` pointers, one per entry of a map.
    Entries {
        /// `&mut`
        mutable: bool,
        /// The number of entries as C++ writes it.
        len: String,
    },
    /// As an `Arr` of `len` values, one per entry of a map.
    Values {
        /// The number of entries as C++ writes it.
        len: String,
    },
    /// As a pointer to the value that is otherwise passed as the inner variant says; null if the argument is absent.
    Optional(Box<CudaPassing>),
}

/// Emits a checked unit: `funcs[0]` is the kernel.
pub fn functions(unit: &Unit) -> CudaText {
    let names = Names::new(unit);
    let text = functions_of(unit, &names);
    let kernel = format!("user::{}", names.funcs[0]);
    let result = Types::new(unit, FuncId(0), &names).result(&unit.funcs[0].ret);
    CudaText { text, kernel, params: params(unit, &names), result, consts: consts(unit, &names) }
}

fn functions_of(unit: &Unit, names: &Names) -> String {
    let mut text = "namespace user {\n\nusing namespace op2::types;\n".to_string();
    for (n, float) in names.floats.iter().enumerate() {
        text.push_str(&format!("typedef {} {float};\n", op2_core::float_definition(n)));
    }
    for (n, len) in names.lens.iter().enumerate() {
        text.push_str(&format!("constexpr usize {len} = {};\n", op2_core::length_definition(n)));
    }
    for id in callees_first(unit) {
        text.push('\n');
        text.push_str(&function(unit, id, names));
    }
    text.push_str("\n}  // namespace user\n");
    text
}

/// The functions in an order in which C++ knows each one before it is called.
fn callees_first(unit: &Unit) -> Vec<FuncId> {
    fn visit(unit: &Unit, id: FuncId, done: &mut Vec<FuncId>) {
        if done.contains(&id) {
            return;
        }
        unit.funcs[id.0].body.walk(&mut |e: &Expr| {
            if let ExprKind::Call(callee, _) = &e.kind {
                visit(unit, *callee, done);
            }
        });
        done.push(id);
    }
    let mut done = Vec::new();
    visit(unit, FuncId(0), &mut done);
    done
}

fn function(unit: &Unit, id: FuncId, names: &Names) -> String {
    let mut body = Body::new(unit, id, names);
    let func = &unit.funcs[id.0];
    let list: Vec<String> =
        func.params.iter().map(|p| format!("{} {}", body.types.param(&p.ty), body.param(p.local))).collect();
    let ret = body.types.result(&func.ret);
    let head = format!("__device__ __forceinline__ {ret} {}({}) {{", names.funcs[id.0], list.join(", "));
    body.block(&func.body, &Dest::Return);
    let mut lines = vec![Line { depth: 0, text: head }];
    lines.extend(body.held);
    lines.extend(body.lines);
    lines.push(Line { depth: 0, text: "}".to_string() });
    render(&lines)
}

fn params(unit: &Unit, names: &Names) -> Vec<CudaParam> {
    let types = Types::new(unit, FuncId(0), names);
    let mut body = Body::new(unit, FuncId(0), names);
    let param = |p: &Param| {
        let (passing, value) = passing(&types, &p.ty);
        CudaParam { name: body.param(p.local), passing, value: types.of(value) }
    };
    unit.funcs[0].params.iter().map(param).collect()
}

/// How a parameter is passed, and the type of one value.
fn passing<'t>(types: &Types, ty: &'t Ty) -> (CudaPassing, &'t Ty) {
    match ty {
        Ty::Ref(mutable, value) => match &**value {
            Ty::Array(item, Len::Row) | Ty::Table(item) => (CudaPassing::Reference { mutable: *mutable }, item),
            value => (CudaPassing::Reference { mutable: *mutable }, value),
        },
        Ty::Option(inner) => {
            let (passing, value) = self::passing(types, inner);
            (CudaPassing::Optional(Box::new(passing)), value)
        }
        Ty::Array(inner, len) => match &**inner {
            Ty::Ref(mutable, value) => (CudaPassing::Entries { mutable: *mutable, len: types.len(len) }, value),
            Ty::Option(inner) => match &**inner {
                Ty::Ref(mutable, value) => (CudaPassing::Entries { mutable: *mutable, len: types.len(len) }, value),
                value => (CudaPassing::Entries { mutable: false, len: types.len(len) }, value),
            },
            // The shift of a pair is of floats.
            Ty::Scalar(index) if index.is_int() => (CudaPassing::Values { len: types.len(len) }, inner),
            _ => (CudaPassing::Value, ty),
        },
        ty => (CudaPassing::Value, ty),
    }
}

fn consts(unit: &Unit, names: &Names) -> Vec<DeviceConst> {
    let mut found: Vec<DeviceConst> = Vec::new();
    for (f, func) in unit.funcs.iter().enumerate() {
        let mentioned = func.consts.iter().enumerate().filter(|(_, c)| c.origin.is_none());
        for (own, (c, constant)) in mentioned.enumerate() {
            // Two instances of a generic function mention the same constants.
            if found.iter().any(|known| known.source == func.source && known.own == own) {
                continue;
            }
            let (func_id, id) = (FuncId(f), ConstId(c));
            found.push(DeviceConst {
                name: names.consts[f][c].clone(),
                path: names::path(unit, func_id, id),
                kind: constant.kind,
                ty: constant.ty.clone(),
                func: func_id,
                id,
                source: func.source.clone(),
                own,
            });
        }
    }
    found
}

impl Body<'_> {
    /// Names a parameter. A parameter that is stored as a pointer inside is still passed as a reference.
    fn param(&mut self, id: LocalId) -> String {
        if self.storage(id) != Storage::Pointer {
            return self.name(id, self.storage(id));
        }
        let outside = self.fresh(&escaped(&self.func.locals[id.0].name.to_string()));
        self.declare(id, &Value::primary(outside.clone()));
        outside
    }
}
