//! An embedded language for unstructured-mesh computation, in the tradition of OP2 (Mudalige, Giles,
//! Reguly, Bertolli, Kelly: *OP2: an active library framework for solving unstructured mesh-based
//! applications on multi-core and many-core architectures*, InPar 2012).
//!
//! An application declares **sets** (nodes, edges, cells), **maps** between them, and **dats**, data on
//! the sets. It writes what happens to one element as an ordinary Rust function, the **kernel**, and
//! states a parallel **loop** over a set. The macros generate the code that runs it; the run time
//! inspects the maps and makes a **plan**, so that no two threads meet on the same data.
//!
//! ```
//! use op2::prelude::*;
//!
//! op2::sets! { pub Nodes, Edges }                       // mixing them up does not compile
//!
//! /// The flux along an edge: one end loses it, the other gains it.
//! #[op2::kernel]
//! fn diffuse(k: &f64, u: [&f64; 2], du: [&mut f64; 2]) {
//!     let flux = *k * (*u[0] - *u[1]);
//!     *du[0] -= flux;
//!     *du[1] += flux;
//! }
//!
//! /// Advances a node, and gathers the total.
//! #[op2::kernel]
//! fn advance(u: &mut f64, du: &mut f64, total: &mut f64) {
//!     *u += *du;
//!     *du = 0.0;
//!     *total += *u;
//! }
//!
//! fn main() -> op2::Result<()> {
//!     let mut op = Op2::new()?;                         // as many threads as there are cores
//!     let nodes = op.decl_set::<Nodes>("nodes", 4)?;
//!     let edges = op.decl_set::<Edges>("edges", 4)?;
//!     let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2], [2, 3], [3, 0]])?;
//!     let k = op.decl_dat_filled("k", edges, 0.25)?;
//!     let u = op.decl_dat("u", nodes, &[4.0, 0.0, 0.0, 0.0])?;
//!     let du = op.decl_dat_filled("du", nodes, 0.0)?;
//!     let total = op.decl_global("total", 0.0);
//!
//!     for _ in 0..50 {
//!         op.set(total, 0.0)?;
//!         op_par_loop!(op, diffuse, edges, read(k), read(u, ends[..]), inc(du, ends[..]))?;
//!         op_par_loop!(op, advance, nodes, rw(u), rw(du), gbl_inc(total))?;
//!     }
//!     assert_eq!(op.get(total)?, 4.0);
//!     assert!(op.fetch(u)?.iter().all(|u| (u - 1.0).abs() < 1e-9));
//!     Ok(())
//! }
//! ```
//!
//! # Your own project
//!
//! op2 is not released. The dependency is a path to a clone of its repository, or `git = "…"`:
//!
//! ```toml
//! [dependencies]
//! op2 = { path = "../op2" }
//!
//! [profile.dev]
//! opt-level = 1
//! ```
//!
//! **Profiles.** Cargo optimises nothing in a development build and takes no profiles from dependencies, while loops are made of many
//! small functions of op2. A flux loop over 180,000 faces and two loops over their 90,000 cells took 4.8 ms in a release build, 14 ms with
//! the lines above, and 930 ms without them. `[profile.dev.package."*"] opt-level = 2` gained nothing more and more than doubled the time to
//! compile op2 (2 cores of an AMD EPYC, 2026-11-24). Measure in release builds only.
//!
//! **Features.** None is a default, and a build without them needs no compiler of another language.
//!
//! | feature | brings | needs |
//! | --- | --- | --- |
//! | `metis` | [`Ordering::Metis`] | a C compiler |
//! | `json` | `Report::to_json`; `serde::Serialize` for reports, decisions and figures | |
//! | `pictures` | `Report::to_svg` | |
//! | `emulator` | [`Backend::CudaEmu`] | a C++ compiler, when the program runs |
//! | `cuda` | [`Backend::Cuda`] | NVIDIA's driver and NVRTC, when the program runs |
//! | `hip` | [`Backend::Hip`], which no GPU has run yet | ROCm, when the program runs |
//!
//! **GPUs.** Enable `cuda` and pass `Config::default().backend(Backend::Cuda(0))` to [`Op2::with`]. Kernels and loops stay as they are;
//! [below](#gpus) is where op2 looks for the driver and the compiler. A test on [`Backend::CudaEmu`] needs no GPU.
//!
//! # Loops and their arguments
//!
//! `op_par_loop!(op, kernel, set, arguments…)` runs the kernel once for every element of the set, in no
//! defined order, and returns `Result<(), Error>`. Every parameter of the kernel has its argument:
//!
//! | argument | parameter | meaning |
//! | --- | --- | --- |
//! | `read(q)` | `&V` | the element's own value of a dat on the loop's set: a *direct* argument |
//! | `read(x, pedge[1])` | `&V` | the value at the element that entry 1 of the map leads to |
//! | `read(x, pcell[..])` | `[&V; ARITY]` | the values behind all entries of the map |
//! | `read(q, sides[0])`, `read(q, sides[..])` | `Option<&V>`, `[Option<&V>; ARITY]` | the same through an [`OptMap`], whose entries may be missing |
//! | `read(x, ring[..])` | `&Row<V>` | the values behind a row of [`Rows`], which have any length, or of a [`Map`] |
//! | `read(born)` | `&Row<Idx<S>>` | the elements of a row of [`Rows`], or of a [`Map`], themselves |
//! | `opt(flag, read(w))` | `Option<&V>` | an argument that is present only if the flag holds; through an [`OptMap`], only where the entry is there, too |
//! | `opt(flag, read(q, sides[..]))` | `Option<[&V; ARITY]>`, `[Option<&V>; ARITY]` | the same of all entries, as a whole or entry by entry; through an [`OptMap`] entry by entry |
//! | `read(x, all)`, `read(fv, all)` | `&Table<S, V>` | all values of a dat or map: a [`Table`], which the kernel asks by indices |
//! | `opt(flag, read(x, all))` | `Option<&Table<S, V>>` | a table that is there only if the flag holds |
//! | `gbl_read(g)` | `&V` | a global |
//! | `gbl_inc(g)`, `gbl_min(g)`, `gbl_max(g)`, `gbl_or(g)` | `&mut V` | a reduction into a global |
//! | `gbl_min(g)`, `gbl_max(g)` | `&mut ArgMin<V, P>`, `&mut ArgMax<V, P>` | a reduction that keeps a payload, the place of the extremum |
//! | `idx()`, `idx(pedge[0])` | `usize`, `u32`, … | the number of the element, or of a mapped one |
//! | `idx()`, `idx(fv[0])`, `idx(fa[0])` | [`Idx<S>`](Idx), `Option<Idx<S>>` of an [`OptMap`] | the element itself, an index without a number |
//! | `idx(fv[..])`, `idx(fa[..])` | `[u32; ARITY]`, `[Idx<S>; ARITY]`, of an [`OptMap`] `[Option<u32>; ARITY]`, `[Option<Idx<S>>; ARITY]` | the same of all entries of the map |
//! | `read(fv)`, `rw(fa)`, `read(goal, fv[..])` | `&[Idx<S>; ARITY]`, `&mut [Option<Idx<S>>; ARITY]` of an [`OptMap`] | a [map](#maps-that-kernels-write) as the dat of its entries; of arity 1 also `&Idx<S>` |
//!
//! `V` is the value per element: a scalar (`f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool`), an array `[f64; 4]`, an
//! array of arrays `[[f64; 3]; 6]`, or a [record](macro@record) of one scalar type. In place of `read` stands the access that the kernel makes:
//!
//! | access | parameter | the kernel | through a map |
//! | --- | --- | --- | --- |
//! | `read` | `&V` | reads | any elements may share a target |
//! | `write` | `&mut V` | defines the whole value, never reads the old one | elements that share a target never run at the same time; which value stays is unspecified |
//! | `rw` | `&mut V` | reads and writes | as `write`; the order between elements is unspecified |
//! | `inc` | `&mut V` | only adds: `+=`, `-=` | contributions add up, whoever makes them |
//! | `min`, `max` | `&mut V` | only combines: `*m = m.min(e)`, `if e < *m { *m = e }` | contributions combine; no order of them changes a bit |
//! | `or` | `&mut V` | only combines flags or bits: `*m \|= e`, `*m = *m \|\| e` | the same |
//!
//! Entries of an [`OptMap`] may be missing: an edge at the boundary has a cell on one side only. A kernel says what stands in the place of
//! the other one, `*q[1].unwrap_or(far)`, and adds to both: it takes `[&mut V; 2]`, and what goes to a missing element is dropped. The
//! example `boundary` has no loop for the boundary.
//!
//! Rows of [`Rows`] have any length: the neighbours of a vertex, the entries in a row of a sparse matrix. A kernel takes a row as a whole, as
//! [`&Row<V>`](Row) or `&mut Row<V>`, asks for its length, `x.len()`, and goes over its indices. The access holds for each value; `write`
//! alone is weaker: the kernel never reads, and what it leaves out keeps its value.
//!
//! ```
//! # use op2::prelude::*;
//! # use op2::Row;
//! op2::sets! { Lines, Entries }
//!
//! /// A line of a sparse matrix times a vector.
//! #[op2::kernel]
//! fn product(a: &Row<f64>, x: &Row<f64>, y: &mut f64) {
//!     *y = 0.0;
//!     for i in 0..a.len() {
//!         *y += a[i] * x[i];
//!     }
//! }
//!
//! # fn main() -> op2::Result<()> {
//! let mut op = Op2::new()?;
//! let lines = op.decl_set::<Lines>("lines", 3)?;
//! let entries = op.decl_set::<Entries>("entries", 5)?;
//! let starts = [0, 2, 2, 5]; // of lines, and the end: the second one is empty
//! let own = op.decl_rows("own", lines, entries, &starts, &[0, 1, 2, 3, 4])?;
//! let columns = op.decl_rows("columns", lines, lines, &starts, &[0, 2, 0, 1, 2])?;
//! let a = op.decl_dat("a", entries, &[1.0, 2.0, 3.0, 4.0, 5.0])?;
//! let x = op.decl_dat("x", lines, &[1.0, 10.0, 100.0])?;
//! let y = op.decl_dat_filled("y", lines, 0.0)?;
//! op_par_loop!(op, product, lines, read(a, own[..]), read(x, columns[..]), write(y))?;
//! assert_eq!(op.fetch(y)?, [201.0, 0.0, 543.0]);
//! # Ok(())
//! # }
//! ```
//!
//! `op.set_rows` replaces all rows. The example `product` solves a system of equations.
//!
//! `inc`, `min` and `max` take numbers, `or` takes `bool` and integers. For all four the kernel does not see the value that the dat has: it
//! starts from the neutral element, and what it leaves is combined with the dat. Of floats, `min` and `max` ignore NaN, and −0 is below 0.
//! So contributions by `min`, `max` and `or` leave the same bits in any order: such a loop needs no colours and no plan, and starts at once
//! also where its maps have changed. A loop that modifies a dat names it in one argument only, or in several with the same combining
//! access, or in several `rw` (or `write`) through maps that never lead one element to one target twice.
//!
//! # Maps that kernels write
//!
//! A map is also the dat of its entries. A kernel reads them as [`Idx<S>`](Idx), elements of the set that the map leads to, or as
//! `Option<Idx<S>>` if they may be missing; it compares them, and writes them to maps.
//!
//! ```
//! # use op2::prelude::*;
//! # op2::sets! { Facets, Verts }
//! /// Corners that have a goal go there. A facet two of whose corners meet is dead.
//! #[op2::kernel]
//! fn collapse(goal: [&Option<Idx<Verts>>; 3], corners: &mut [Idx<Verts>; 3], alive: &mut bool) {
//!     for i in 0..3 {
//!         corners[i] = goal[i].unwrap_or(corners[i]);
//!     }
//!     let [a, b, c] = *corners;
//!     *alive = a != b && b != c && c != a;
//! }
//!
//! # fn main() -> op2::Result<()> {
//! # let mut op = Op2::new()?;
//! let facets = op.decl_set::<Facets>("facets", 2)?;
//! let verts = op.decl_set::<Verts>("vertices", 4)?;
//! let corners = op.decl_map("corners", facets, verts, &[[0, 1, 2], [0, 2, 3]])?;
//! let goal = op.decl_opt_map("goal", verts, verts, &[[None], [Some(0)], [None], [None]])?;
//! let alive = op.decl_dat_filled("alive", facets, true)?;
//! op_par_loop!(op, collapse, facets, read(goal, corners[..]), rw(corners), write(alive))?;
//! op.compact(facets, alive)?;
//! assert_eq!(op.fetch_map(corners)?, [[0, 2, 3]]);
//! # Ok(())
//! # }
//! ```
//!
//! Which elements matter may turn out as the kernel runs: it walks from facet to facet round a vertex. Then it takes all values as a
//! [`Table`], `read(fv, all)`, and asks for that of an element, `fv.at(f)`. Nothing of a table is modified in the same loop. `t.number(f)`
//! is the user's number of an element, and `t.nth(n)` the element with a number that the kernel has computed, as in a grid of sources;
//! beyond the end it panics, as an index of an array does, and on devices the loop fails.
//!
//! An index is opaque: kernels see no number in it, and make none but by [`Table::nth`]. So each of them leads to an element, and entries
//! that a kernel has written need no check. Which kind of set it belongs to, the compiler checks. A loop follows the entries as they were
//! before it, also where a kernel writes those of its own element; what was planned by old entries is not used again. [`Op2::fetch_map`]
//! returns entries as the user's numbers.
//!
//! # Sets that grow
//!
//! [`Op2::decl_children`] declares rows of elements that are yet to come: each parent gets children of its own. [`Op2::grow`] adds them, as
//! many for each parent as a dat says. A kernel of the parents writes their values through the rows, and has the children themselves as
//! `&Row<Idx<S>>`, `read(born)`.
//!
//! ```
//! # use op2::prelude::*;
//! # op2::sets! { Edges, Nodes }
//! /// A new node in the middle of an edge.
//! #[op2::kernel]
//! fn halve(x: [&f64; 2], born: &Row<Idx<Nodes>>, new: &mut Row<f64>, mid: &mut Option<Idx<Nodes>>) {
//!     *mid = None;
//!     for k in 0..born.len() {
//!         new[k] = 0.5 * (*x[0] + *x[1]);
//!         *mid = Some(born[k]);
//!     }
//! }
//!
//! # fn main() -> op2::Result<()> {
//! # let mut op = Op2::new()?;
//! let edges = op.decl_set::<Edges>("edges", 3)?;
//! let nodes = op.decl_set::<Nodes>("nodes", 4)?;
//! let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2], [2, 3]])?;
//! let x = op.decl_dat("x", nodes, &[0.0, 1.0, 3.0, 7.0])?;
//! let long = op.decl_dat("long", edges, &[0_u32, 1, 1])?;
//! let mid = op.decl_opt_map::<_, _, u32, 1>("mid", edges, nodes, &[[None]; 3])?;
//! let born = op.decl_children("born", edges, nodes)?;
//! op.grow(born, long)?;
//! op_par_loop!(op, halve, edges, read(x, ends[..]), read(born), write(x, born[..]), write(mid))?;
//! assert_eq!(op.fetch(x)?, [0.0, 1.0, 3.0, 7.0, 2.0, 5.0]);
//! assert_eq!(op.fetch_opt_map(mid)?, [[None], [Some(4)], [Some(5)]]);
//! # Ok(())
//! # }
//! ```
//!
//! New elements are numbered behind all others, in the order of their parents, whatever order they have inside. No two parents share a
//! child, so that what goes to children needs no plan. This loop reads old nodes and writes new ones of one dat: op2 knows that `ends` was
//! last written before the growth, and that it leads to no new node. Where that is not so, the call fails and tells which elements may meet.
//! Entries of a [`Map`] from new elements are unset: a loop that needs them fails until all are written, by
//! `write(ends, kids[..])`, by a loop over the set, or by [`Op2::set_map`]. [`Op2::invert`] turns a map round, and its rows follow what loops write to the map.
//!
//! # Errors come early
//!
//! A fault that the text shows does not compile: a `read` that is written, an `inc` that is read or assigned, a
//! map from another set, a dat of another dimension, an index beyond a map's arity.
//!
//! ```compile_fail
//! # use op2::prelude::*;
//! # op2::sets! { Nodes, Edges }
//! #[op2::kernel]
//! fn spread(w: &f64, sum: &mut f64) {
//!     *sum = *sum + *w;          // reads `sum`, and assigns it
//! }
//!
//! # fn run(op: &mut Op2, edges: op2::Set<Edges>, w: Dat<Edges, f64>, sum: Dat<Nodes, f64>, ends: Map<Edges, Nodes, 2>) -> op2::Result<()> {
//! op_par_loop!(op, spread, edges, read(w), inc(sum, ends[0]))
//! // error: `inc(sum, ends[0])` does not fit what kernel `spread` does with `sum`: …
//! # }
//! ```
//!
//! A fault of the mesh is an [`Error`] at the declaration, with the entry and its value. A fault that only the
//! call shows (handles of two meshes, a map index computed at run time, one dat under two names) is an
//! [`Error`] of the loop, which then has changed nothing.
//!
//! # Executors and results
//!
//! [`Backend::Seq`] runs one element after the other: the reference. [`Backend::Threads`] runs coloured
//! blocks on a pool of threads. Blocks, colours and the order of additions follow from the mesh, the strategy and the
//! [kind of machine](Config::hardware), so **results are bit-identical for every number of threads**; between executors or
//! strategies they agree to rounding. [`Layout`] is a property of a dat that kernels never see.
//!
//! Between loops, a program reads and changes data by the numbers of its declarations:
//!
//! | call | does |
//! | --- | --- |
//! | [`fetch`](Op2::fetch), [`fetch_into`](Op2::fetch_into) | returns all values of a dat, or fills a buffer of the program with them |
//! | [`set_data`](Op2::set_data) | replaces all values of a dat |
//! | [`value`](Op2::value), [`set_value`](Op2::set_value) | reads or changes the value at one element |
//! | [`fill`](Op2::fill), [`swap`](Op2::swap) | gives all elements one value; exchanges two dats or maps, as the old and the new values of a step |
//! | [`select`](Op2::select) | gives a subset the elements whose flags say yes |
//! | [`scan`](Op2::scan) | sums up counts, in the order of the elements |
//! | [`grow`](Op2::grow) | adds elements to a set, as many for each parent as a dat says |
//! | [`compact`](Op2::compact) | takes elements out of a set, with all that hangs on them |
//! | [`get`](Op2::get), [`set`](Op2::set) | reads or changes a global |
//!
//! [`Op2::report`] tells what each loop cost on each set that it ran over, next to the bandwidth of the machine, and [`op_plan!`]
//! shows the plan of a loop.
//!
//! # Log
//!
//! op2 tells what it decides and builds to the logger of the program, through the crate [`log`](https://docs.rs/log). Without one
//! nothing is formatted. A call that finds its plan ready logs nothing.
//!
//! | target | level | events |
//! | --- | --- | --- |
//! | `op2::order` | info | the order of a part of the mesh: what was found, done and gained |
//! | `op2::choice` | info | the strategy of a loop, how it was decided, the times of its candidates, its stages; one element at a time, and why |
//! | | debug | the candidates of a loop that is about to be measured |
//! | `op2::plan` | debug | a plan: its scheme, blocks and colours, and the milliseconds that it took |
//! | `op2::device` | debug | a text that was compiled; a loop that was prepared |
//! | all | warn | what was asked for and cannot be had, while the run goes on: an order, a strategy, stages, a place on disk, memory for a candidate |
//!
//! # Chains
//!
//! Loops over one set that stand next to each other read and write much of the same data. [`Op2::chain`] runs them in one pass:
//! some hundred elements go through all of them before the next ones do, so that a loop finds in the cache the data that the
//! loop before it left there.
//!
//! ```
//! # use op2::prelude::*;
//! # op2::sets! { Cells }
//! #[op2::kernel]
//! fn save(q: &[f64; 4], old: &mut [f64; 4]) {
//!     *old = *q;
//! }
//!
//! #[op2::kernel]
//! fn limit(q: &mut [f64; 4], clipped: &mut u32) {
//!     if q[0] < 0.1 {
//!         q[0] = 0.1;
//!         *clipped += 1;
//!     }
//! }
//!
//! # fn main() -> op2::Result<()> {
//! # let mut op = Op2::with(Config::default().backend(Backend::Threads(2)))?;
//! # let cells = op.decl_set::<Cells>("cells", 1000)?;
//! # let q = op.decl_dat("q", cells, &vec![[0.0; 4]; 1000])?;
//! # let old = op.decl_dat_filled("old", cells, [0.0; 4])?;
//! # let clipped = op.decl_global("clipped", 0u32);
//! op.chain(|op| {
//!     op_par_loop!(op, save, cells, read(q), write(old))?;
//!     op_par_loop!(op, limit, cells, rw(q), gbl_inc(clipped))
//! })?;
//! assert_eq!(op.get(clipped)?, 1000);
//! let pass = &op.report().chains[0];
//! assert_eq!(pass.saved_bytes, 1000 * 32);      // `limit` finds `q` in the cache
//! # Ok(())
//! # }
//! ```
//!
//! Loops that may not share a pass run one after the other, and the program need not say so: results are those of the loops called one
//! by one, to the last bit. [`Op2::chain`] has the rules, and the report says which loops went together and what kept others apart. A chain
//! takes loops only, because no result is ready to be read before it ends. A function that calls loops of a chain takes a
//! [`&mut Chain`](Chain).
//!
//! # Locality
//!
//! A mesh generator numbers as it likes, and a loop over a badly numbered mesh waits for memory most of the time. So op2
//! samples the numbering before the first loop through a map, and renumbers the mesh inside if this saves more time than it takes.
//! The program does not notice: declarations, data that it sets or fetches, and the numbers that `idx()` gives keep the
//! numbering with which the mesh was declared. [`Op2::prepare`] does it before a clock starts, and the report says
//! what was found and gained. The mesh and its dats alone decide, so every run decides alike. [`Backend::Seq`] keeps the order
//! of the declarations.
//!
//! Blocks of a device are small, and rows of a mesh make narrow ones, which reach many elements of others. So loops on a device follow
//! a curve in space through the points of [`Op2::set_coordinates`], in two or three dimensions, where their blocks reach less so. Data
//! keep their places.
//!
//! [`Config::ordering`] and [`Op2::reorder`] name an ordering: [`Ordering::None`], [`Ordering::Gps`], [`Ordering::Rcm`], a
//! space-filling curve ([`Ordering::Hilbert`], through the dat that [`Op2::set_coordinates`] names), blocks of METIS
//! ([`Ordering::Metis`]), or [`Ordering::Runs`], which serves dats in columns. `reorder` also measures the locality before and after.
//!
//! ```no_run
//! # use op2::prelude::*;
//! # op2::sets! { Edges, Cells }
//! # fn run(op: &mut Op2, pecell: Map<Edges, Cells, 2>) -> op2::Result<()> {
//! op.prepare()?;                                    // by prediction
//! println!("{}", op.reorder(Ordering::Gps)?);       // by name: the map with the longest loops leads
//! op.reorder_by(pecell, Ordering::Metis { block: 256 })?;   // or one that is named
//! # Ok(())
//! # }
//! ```
//!
//! # Pairs
//!
//! Some loops run over pairs of elements that meet in space: particles in reach of each other, the triangles under a stencil. Which
//! ones meet is known only as the loop runs, and often there are too many to store. [`Op2::decl_pairs`] takes a rule, and a loop over
//! the pairs finds them by a grid, which is made anew when the dats of the rule have changed, and not before.
//!
//! ```
//! # use op2::prelude::*;
//! # op2::sets! { Triangles, Points }
//! /// Called once for each pair; `shift` brings a periodic image of the triangle to the point.
//! #[op2::kernel]
//! fn cover(corners: &[[f64; 2]; 3], value: &f64, x: &[f64; 2], shift: [f64; 2], sum: &mut f64) {
//!     let [a, b, c] = corners.map(|p| [p[0] + shift[0] - x[0], p[1] + shift[1] - x[1]]);
//!     let middle = [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0];
//!     *sum += *value * (-(middle[0] * middle[0] + middle[1] * middle[1])).exp();
//! }
//!
//! # fn main() -> op2::Result<()> {
//! # let mut op = Op2::new()?;
//! # let triangles = op.decl_set::<Triangles>("triangles", 2)?;
//! # let points = op.decl_set::<Points>("points", 2)?;
//! # let corners = op.decl_dat("corners", triangles, &[[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])?;
//! # let value = op.decl_dat("value", triangles, &[1.0, 2.0])?;
//! # let x = op.decl_dat("x", points, &[[0.1, 0.1], [0.9, 0.5]])?;
//! # let sum = op.decl_dat("sum", points, &[0.0; 2])?;
//! let near = op.decl_pairs("near", Within::boxes(corners, x).margin(0.25).periodic([1.0, 1.0]))?;
//! // A triangle after the other, each with the points near it …
//! op_par_loop!(op, cover, near, read(corners, from), read(value, from), read(x, to), shift(), inc(sum, to))?;
//! // … or a point after the other, each with the triangles near it.
//! op_par_loop!(op, cover, near.by_to(), read(corners, from), read(value, from), read(x, to), shift(), inc(sum, to))?;
//! # assert!(op.fetch(sum)?.iter().all(|sum| *sum > 1.0));
//! # Ok(())
//! # }
//! ```
//!
//! An argument is at the end `from` or `to` of a pair. The elements of one end are *outside*: each of them comes once, with all its
//! partners of the other end, one after the other or several at once in lanes; its values are loaded once for all of them. `near` has
//! those outside that it leads `from`, `near.by_to()` the others. The kernel is the same. A kernel that writes a value outside, by `rw` or
//! `write`, gets its partners one by one, since each finds what the one before left. Contributions to an element outside are combined first, from
//! the neutral element on, and once with its value: by `max`, a NaN at an element that has no partners becomes −∞.
//!
//! Rows of any length are pairs, too: a loop over [`rows.pairs()`](Rows::pairs) has the entries of each row one after the other, and one over
//! `rows.pairs().by_to()` the rows that lead to each element. There is no space, and no `shift()`.
//!
//! What lies outside may be changed in any way: nobody else reaches it. Its contributions are added up in an order that follows from
//! the positions and the user's numbers, so that results are the same for every number of threads and every order of the mesh. What
//! lies inside may be combined into, by `inc`, `min`, `max` or `or`. The loop then runs by overlapped tiles: compact patches of elements
//! outside, each of which adds to copies of its own, which a second pass adds in the order of the patches. A periodic image is a pair of
//! its own, and a margin wider than the space meets an element several times.
//!
//! On a device the threads of a block share the partners of one element after the other, by the same patches. With strategy `atomics`, and
//! where the kernel writes a value outside, each thread has an element of its own, and contributions inside go by atomics. A device has the
//! grid of the host and finds the same pairs. The report tells how many candidates and pairs there were.
//!
//! # Strategies
//!
//! [`Strategy`] says how elements that meet are kept apart:
//!
//! | strategy | how | adds in the order of |
//! | --- | --- | --- |
//! | `blocks:N` | hierarchical colouring: blocks of N elements, one colour after the other | the plan |
//! | `colours:N` | global colouring of single elements, in chunks of N | the plan |
//! | `scatter:N` | every contribution to a place of its own, then each target gathers | the elements |
//! | `tiles:N` | overlapped tiles: private copies of what tiles share, added in a second pass | the tiles |
//! | `owner:N` | owner computes: elements at the borders of blocks run in every block that owns one of their targets | the elements |
//! | `split:N:S` | as `blocks:N`, the kernel in S stages that each need a part of the data, then the additions | the plan |
//! | `targets:N` | GPUs only: a thread for each target, in blocks of N; an element runs once for each of its targets | the elements |
//! | `atomics:N`, `block-atomics:N`, `split-atomics:N:S`, `split-block-atomics:N:S` | GPUs only | no defined order |
//!
//! On GPUs `:staged` or `:gathered` may follow: how blocks read through maps ([`Reads`]).
//!
//! By default it is [predicted](Strategy::Predicted) from figures of the plan alone, so that a run repeats bit for bit.
//! [`Strategy::Auto`] measures: the first executions of a loop try the plausible strategies, on the real data, and whether vectors win.
//! The fastest stays and is remembered on disk. Four sources name a strategy, the strongest first: [`Config::strategies`], which a program fills from its
//! command line; the environment variable `OP2_STRATEGY`, as in `res_calc=tiles:4096,auto`; [`Op2::pin`];
//! [`Config::strategy`]. The first three can name the instructions too, `spmv=blocks:256/scalar`,
//! and on devices how blocks read, `spmv=owner:256:gathered`. [`Op2::decisions`] prints how each loop came to its strategy.
//!
//! # Vectors
//!
//! On threads, several elements go through a kernel at once: 4 or 8 of `f64`, 8 or 16 where floats are `f32`, by AVX-512 or AVX2 where
//! the processor has them, chosen when the program starts. The macros write each kernel for them: a branch that elements take
//! differently runs both sides by masks, a loop runs as long as an element is in it. Contributions are added element by element, so
//! that results are those of one element at a time to the last bit, on every machine. Not every loop gains by this: one that gathers
//! and scatters single numbers, with little arithmetic between, is slower. So vectors are taken loop by loop where they are predicted
//! to win, from the operations and the rows of an element, and not where elements walk over the mesh by tables, each as far as its values
//! say. [`Config::isa`] or the environment variable `OP2_ISA` (`scalar`, `baseline`, `avx2`, `avx512`) asks for some instructions in all
//! loops, a [`Pin`] in single ones. Where a kernel cannot be run so, the [report](Op2::report) names the line and the reason: a reference
//! that differs between elements, or values changed through a map by `rw`, unless [`Strategy::colours`] keeps the elements apart.
//!
//! # GPUs
//!
//! The macros write every loop a second time, in CUDA C++. [`Backend::Cuda`] compiles it at run time and runs it on an
//! NVIDIA GPU; kernels and loops stay as they are. Dats are copied there when a loop needs them and stay until
//! [`Op2::fetch`] asks for them; results of reductions stay until [`Op2::get`] does. Launches do not wait for each
//! other's end, so that an error of a kernel may be reported by a later call. If a call fails, the host's copies of the data
//! are as they were. An operation for which a kernel panics on a CPU has a value on a GPU, or is undefined (the
//! [table](crate#the-kernel-language) lists them): [`Config::device_checks`] finds such faults and names the element.
//!
//! A build with the feature `cuda` needs no CUDA and starts without a GPU. To run, it needs NVIDIA's driver and NVRTC, the
//! compiler, a library of the CUDA toolkit: found by the loader, in `/usr/local/cuda`, or where `OP2_NVRTC` says. Compiled
//! loops are kept in the user's cache folder, or where `OP2_CACHE_DIR` says.
//!
//! [`Backend::Hip`] does the same on an AMD GPU, by the feature `hip`: the text gets a prologue for ROCm's compiler. It needs ROCm's libraries
//! `libamdhip64` and `libhiprtc`, found by the loader, in `/opt/rocm`, or, of the latter, where `OP2_HIPRTC` says. All texts were compiled for
//! AMD's GPUs, and the rest was tried with stand-ins for ROCm; no AMD GPU has run it yet.
//!
//! [`Backend::CudaEmu`] runs the very same text on the CPU, compiled by the host's C++ compiler: threads of a block one by
//! one in random order, every access checked for races, bounds, and memory that nobody wrote. It is there to test
//! kernels where there is no GPU, and to find out what is wrong where there is one: [`Config::emulator`]. It needs the feature
//! `emulator`.
//! `OP2_CUDA_DUMP` names a folder to which either writes the text of every loop before it compiles it, and
//! `OP2_FORMS_DUMP` one for accounts of all forms of every loop: shared memory, operations, bytes, and texts. They are in JSON, and
//! need the feature `json`.
//!
//! Each loop has several variants, between which [`Strategy`] chooses: global colouring, coloured blocks, atomics, atomics between blocks
//! that combined inside, overlapped tiles, owner computes, contributions scattered and then gathered, and stages, for loops whose data
//! leave no room in shared memory. Blocks stage what they read through maps in shared memory, or their threads gather it through the
//! cache of their multiprocessor ([`Reads`]). A kernel that gives both ends of an edge one flux, by `res[0][n] += flux; res[1][n] -= flux;`,
//! takes half of the shared memory for contributions: blocks store it once. Where a loop cannot follow a strategy, it falls to another one, and
//! the report tells why. All but the atomics give the same bits in every run; they agree
//! with the CPU to rounding. By default op2 chooses among these, and the sizes of blocks, by an estimate of the time, from the data that
//! blocks reach and the registers that the compiler reports. So the choice, and with it the last bits, may change with the GPU, the
//! compiler, or the size of the mesh, never from run to run. `cargo xtask cuda-model` in op2's repository shows the estimates. Atomics are
//! never chosen by default, even where they would be faster: only `auto` measures them, and a program can name them.
//!
#![doc = include_str!("kernel-language.md")]

pub use op2_runtime::*;

/// Makes a function the kernel of loops.
///
/// The function stays what it is, and can be called and tested as any other; beside it the macro leaves
/// what loops need to see it, under the same name: `use` brings all of it, from any module or crate. (A
/// kernel therefore takes its name as a function and as a macro; a module or a type may bear the same name. The
/// [names of the standard library's macros](crate#the-kernel-language) are free, too.)
/// Where one name would lead the compiler and op2 to different functions, variables, types or methods, as beside a glob
/// import, the program does not compile. A kernel is written in the
/// [kernel language](crate#the-kernel-language).
pub use op2_macros::kernel;

/// Makes a function callable from kernels and other device functions: scalars, arrays and tuples, by
/// value or by reference, in the [kernel language](crate#the-kernel-language).
///
/// A kernel that calls a function without this attribute does not compile: the compiler then says that it "cannot find macro
/// `square_HAS_NO_ATTRIBUTE_op2_device_fn_and_scale_calls_it`", or just `square`, because it is a macro by which the
/// generator gets to see the function.
///
/// ```
/// #[op2::device_fn]
/// fn minmod(a: f64, b: f64) -> f64 {
///     if a * b <= 0.0 {
///         return 0.0;
///     }
///     if a.abs() < b.abs() { a } else { b }
/// }
///
/// #[op2::kernel]
/// fn limit(slopes: [&f64; 2], limited: &mut f64) {
///     *limited = minmod(*slopes[0], *slopes[1]);
/// }
/// ```
pub use op2_macros::device_fn;

/// Makes a struct, or an enum without fields, a type of the kernel language: in kernels and device functions, and as the value of
/// dats and globals.
///
/// Kernels read and write the fields of a struct by name, make it by `State { … }` or `State { p, ..old }`, take it apart by patterns, pass it by
/// value and by reference. The fields are scalars, arrays, tuples, and other records; a type parameter stands for a float. The struct
/// derives `Clone`, `Copy`, `Debug` and `PartialEq`, as far as it does not say so itself; the attribute stands above `derive`.
///
/// A dat or a global holds records whose scalars all have one type. Its rows are then the scalars in the order of the fields, as
/// those of an array are: with `State` below a dat has five components per element, in every layout and on every device.
///
/// Kernels call the methods of a record that says so, `#[op2::record(methods)]`: those in its one `impl` with `#[op2::device_fn]`, in the
/// same module. Methods call each other and device functions, except such as need the record themselves.
///
/// An enum is stored as a `u8`, the number that Rust gives the variant. Kernels compare it by `==`, take it apart by `match`, and
/// cast it to integers.
///
/// ```
/// # use op2::prelude::*;
/// # op2::sets! { Cells }
/// #[op2::record(methods)]
/// struct State {
///     rho: f64,
///     u: [f64; 3],
///     p: f64,
/// }
///
/// #[op2::device_fn]
/// impl State {
///     fn speed_of_sound(&self) -> f64 {
///         (1.4 * self.p / self.rho).sqrt()
///     }
///
///     fn speed(&self) -> f64 {
///         let [x, y, z] = self.u;
///         (x * x + y * y + z * z).sqrt()
///     }
/// }
///
/// #[op2::kernel]
/// fn mach_number(s: &State, mach: &mut f64) {
///     *mach = s.speed() / s.speed_of_sound();
/// }
///
/// # fn main() -> op2::Result<()> {
/// # let mut op = Op2::new()?;
/// let cells = op.decl_set::<Cells>("cells", 2)?;
/// let gas = State { rho: 1.4, u: [3.0, 0.0, 4.0], p: 1.0 };
/// let state = op.decl_dat("state", cells, &[gas, State { u: [0.0; 3], ..gas }])?;
/// let mach = op.decl_dat_filled("mach", cells, 0.0)?;
/// op_par_loop!(op, mach_number, cells, read(state), write(mach))?;
/// assert_eq!(op.fetch(mach)?, [5.0, 0.0]);
/// # Ok(())
/// # }
/// ```
pub use op2_macros::record;

/// Makes the alias of a type a name of the kernel language.
///
/// It stands for values: a scalar, an array, a tuple, a record, with a type parameter for a float if it has one.
///
/// ```
/// #[op2::alias]
/// type Vec3 = [f64; 3];
///
/// #[op2::device_fn]
/// fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
///     [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
/// }
///
/// assert_eq!(cross(&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
/// ```
pub use op2_macros::alias;

/// Runs a kernel for every element of a set: `op_par_loop!(op, kernel, set, arguments…)`.
///
/// The arguments are described in the [crate's documentation](crate#loops-and-their-arguments). `op` is an
/// [`Op2`] or a mutable reference to one, `kernel` the path of a function with
/// [`#[op2::kernel]`](macro@kernel), `set` a [`Set`] or [`Subset`].
///
/// The set and the handles are expressions. Each is evaluated once, from left to right, before the `Op2` is borrowed; a dat in
/// `opt(flag, …)` only if the flag holds. Arguments that name a dat, a map or an index in the same words, by names, fields and
/// arithmetic, share what is bound; if it turns out to be two things the loop is refused.
///
/// # Errors
/// The macro is an expression of type `Result<(), Error>`. [`Error::Loop`] names the loop, the argument
/// and what is wrong with it; nothing was changed then.
pub use op2_macros::op_par_loop;

/// The plan of a loop, without running it: takes what [`op_par_loop!`] takes, and is an expression of
/// type `Result<Arc<Plan>, Error>`. The loop then finds its plan ready.
///
/// ```
/// # use op2::prelude::*;
/// # op2::sets! { Nodes, Edges }
/// #[op2::kernel]
/// fn count(edges: [&mut u32; 2]) {
///     *edges[0] += 1;
///     *edges[1] += 1;
/// }
///
/// # fn main() -> op2::Result<()> {
/// # let mut op = Op2::new()?;
/// # let nodes = op.decl_set::<Nodes>("nodes", 4)?;
/// # let edges = op.decl_set::<Edges>("edges", 4)?;
/// # let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2], [2, 3], [3, 0]])?;
/// # let degree = op.decl_dat_filled("degree", nodes, 0u32)?;
/// op.pin("count", Strategy::blocks(1))?;
/// let plan = op2::op_plan!(op, count, edges, inc(degree, ends[..]))?;
/// assert_eq!((plan.blocks(), plan.colours()), (4, 2));
/// println!("{plan}");
/// # Ok(())
/// # }
/// ```
pub use op2_macros::op_plan;

/// All that an application needs to state loops.
pub mod prelude {
    pub use crate::{
        ArgMax, ArgMin, Backend, Chain, Config, Constant, Dat, Float, Global, Idx, Layout, Map, Op2, OptMap, Ordering,
        Pairs, Row, Rows, Set, Strategy, Subset, Table, Within, op_par_loop, op_plan,
    };
}

/// Declares the kinds of sets of an application: `sets! { pub Nodes, Edges, Cells }`.
///
/// Each name becomes a type without values that marks handles, so that a map from the cells cannot be
/// used in a loop over the edges. The visibility in front holds for all of them.
///
/// A tag that nothing uses is reported as the program's other items are (`dead_code`).
pub use op2_macros::sets;

/// Declares constants whose value is fixed at run time, before the first loop that uses them, for the whole process: code for
/// devices is compiled with it.
///
/// ```
/// op2::constants! {
///     /// State far from the body.
///     pub static QINF: [f64; 4];
/// }
///
/// #[op2::kernel]
/// fn reset(q: &mut [f64; 4]) {
///     *q = QINF.get();
/// }
///
/// QINF.set([1.0, 0.4, 0.0, 2.5])?;
/// # Ok::<(), op2::Error>(())
/// ```
///
/// A value that changes is a global, as the Mach number of a sweep:
///
/// ```
/// # use op2::prelude::*;
/// # op2::sets! { Cells }
/// #[op2::kernel]
/// fn speed_up(mach: &f64, sound: &f64, speed: &mut f64) {
///     *speed = *mach * *sound;
/// }
///
/// # fn main() -> op2::Result<()> {
/// # let mut op = Op2::new()?;
/// # let cells = op.decl_set::<Cells>("cells", 4)?;
/// # let sound = op.decl_dat_filled("sound", cells, 340.0)?;
/// # let speed = op.decl_dat_filled("speed", cells, 0.0)?;
/// let mach = op.decl_global("mach", 0.0);
/// for value in [0.4, 0.8] {
///     op.set(mach, value)?;
///     op_par_loop!(op, speed_up, cells, gbl_read(mach), read(sound), write(speed))?;
///     assert_eq!(op.fetch(speed)?, [value * 340.0; 4]);
/// }
/// # Ok(())
/// # }
/// ```
///
/// A constant that nothing uses is reported as the program's other items are (`dead_code`).
pub use op2_macros::constants;

#[doc(hidden)]
pub mod __private {
    pub use op2_macros::{function_step, par_loop_step, plan_step};
    pub use op2_runtime::private::*;
}

/// The page of code in README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
