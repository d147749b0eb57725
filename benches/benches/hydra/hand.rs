//! hydra's heavy loops written by hand with rayon, without op2: plain vectors, calls of the kernels inside the loops, contiguous
//! blocks of edges with their own colours. The bench compares op2's generated code with them.

use std::ops::Range;

use hydra::kernels::{self, Aux, Radii, Sensors};
use hydra::mesh::Mesh;
use hydra::physics::UNKNOWNS;
use hydra::solver::Flow;
use op2::Value;
use op2_benches::Rows;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Blocks that the edges are cut into.
const BLOCKS: usize = 64;

type State = [f64; UNKNOWNS];
type Gradients = [[f64; 3]; UNKNOWNS];

/// The data of the loops, and the colours that keep threads from racing.
pub(crate) struct Hand {
    pool: ThreadPool,
    /// Ranges of edges, by colour: blocks of one colour have no node in common.
    colours: Vec<Vec<Range<usize>>>,
    edge_nodes: Vec<[u32; 2]>,
    normal: Vec<[f64; 3]>,
    x: Vec<[f64; 3]>,
    flag: Vec<i32>,
    pub(crate) data: Data,
}

/// Data of nodes that loops read and add to.
#[derive(Clone)]
pub(crate) struct Data {
    q: Vec<State>,
    aux: Vec<Aux<f64>>,
    sensor: Vec<Sensors<f64>>,
    slopes: Vec<Gradients>,
    lsq: Vec<[f64; 6]>,
    radius: Vec<Radii<f64>>,
    grad: Vec<Gradients>,
    lap: Vec<State>,
    vis: Vec<State>,
    res: Vec<State>,
}

impl Data {
    /// The same data in op2.
    pub(crate) fn of(flow: &Flow<f64>) -> op2::Result<Data> {
        let op = &flow.op;
        Ok(Data {
            q: op.fetch(flow.q)?,
            aux: op.fetch(flow.aux)?,
            sensor: op.fetch(flow.sensor)?,
            slopes: op.fetch(flow.slopes)?,
            lsq: op.fetch(flow.lsq)?,
            radius: op.fetch(flow.radius)?,
            grad: op.fetch(flow.grad)?,
            lap: op.fetch(flow.lap)?,
            vis: op.fetch(flow.vis)?,
            res: op.fetch(flow.res)?,
        })
    }

    /// The sums that the loops have made, by name.
    pub(crate) fn sums(&self) -> [(&'static str, Vec<f64>); 7] {
        fn flat<V: Value<Elem = f64>>(rows: &[V]) -> Vec<f64> {
            rows.iter().flat_map(V::components).copied().collect()
        }
        [
            ("slopes", flat(&self.slopes)),
            ("lsq", flat(&self.lsq)),
            ("radius", flat(&self.radius)),
            ("grad", flat(&self.grad)),
            ("lap", flat(&self.lap)),
            ("vis", flat(&self.vis)),
            ("res", flat(&self.res)),
        ]
    }
}

impl Hand {
    /// The loops on `threads` threads, with the same data as op2.
    pub(crate) fn new(mesh: &Mesh, threads: usize, data: Data) -> Self {
        // The loops have no bounds checks. This checks once all that makes them sound.
        let nodes = mesh.nodes();
        assert!(
            mesh.edge_nodes.as_flattened().iter().all(|&node| (node as usize) < nodes),
            "edges have existing nodes"
        );
        assert!(mesh.edge_nodes.iter().all(|[a, b]| a != b), "the ends of an edge are two nodes");
        assert!(mesh.normals.len() == mesh.edges() && mesh.x.len() == nodes && mesh.flag.len() == nodes);
        Hand {
            pool: ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"),
            colours: coloured(&mesh.edge_nodes, nodes),
            edge_nodes: mesh.edge_nodes.clone(),
            normal: mesh.normals.clone(),
            x: mesh.x.clone(),
            flag: mesh.flag.clone(),
            data,
        }
    }

    /// Calls `edge` with the number of each edge and its nodes.
    fn for_each(&self, edge: impl Fn(u32, [u32; 2]) + Sync) {
        self.pool.install(|| {
            for blocks in &self.colours {
                blocks.par_iter().for_each(|block| {
                    for (e, ends) in block.clone().zip(&self.edge_nodes[block.clone()]) {
                        edge(e as u32, *ends);
                    }
                });
            }
        });
    }

    pub(crate) fn colours(&self) -> usize {
        self.colours.len()
    }

    pub(crate) fn accu(&mut self) {
        let slopes = Rows::of(&mut self.data.slopes);
        let (lsq, radius) = (Rows::of(&mut self.data.lsq), Rows::of(&mut self.data.radius));
        let Hand { x, flag, data: Data { q, aux, .. }, .. } = &*self;
        let (q, x, aux, flag) = (Rows::of_shared(q), Rows::of_shared(x), Rows::of_shared(aux), Rows::of_shared(flag));
        // SAFETY: `new` has checked that the ends of an edge are two existing nodes; blocks that run at once have no node
        // in common, and no loop adds to data that it only reads.
        self.for_each(|_, ends| unsafe {
            let (q, x, aux, flag) = (q.both(ends), x.both(ends), aux.both(ends), flag.both(ends));
            kernels::accu(q, x, aux, flag, slopes.both_mut(ends), lsq.both_mut(ends), radius.both_mut(ends));
        });
    }

    pub(crate) fn edgecon(&mut self) {
        let (grad, lap) = (Rows::of(&mut self.data.grad), Rows::of(&mut self.data.lap));
        let Hand { x, normal, data: Data { q, .. }, .. } = &*self;
        let (q, x, normal) = (Rows::of_shared(q), Rows::of_shared(x), Rows::of_shared(normal));
        // SAFETY: as in `accu`, and every edge has a normal.
        self.for_each(|e, ends| unsafe {
            kernels::edgecon(q.both(ends), x.both(ends), normal.get(e), grad.both_mut(ends), lap.both_mut(ends));
        });
    }

    pub(crate) fn vflux(&mut self) {
        let vis = Rows::of(&mut self.data.vis);
        let Hand { x, flag, normal, data: Data { q, aux, sensor, radius, grad, lap, .. }, .. } = &*self;
        let (q, x, normal, aux) =
            (Rows::of_shared(q), Rows::of_shared(x), Rows::of_shared(normal), Rows::of_shared(aux));
        let (grad, lap, flag) = (Rows::of_shared(grad), Rows::of_shared(lap), Rows::of_shared(flag));
        let (radius, sensor) = (Rows::of_shared(radius), Rows::of_shared(sensor));
        // SAFETY: as in `edgecon`.
        self.for_each(|e, ends| unsafe {
            let (q, x, grad, lap, aux) = (q.both(ends), x.both(ends), grad.both(ends), lap.both(ends), aux.both(ends));
            let (flag, radius, sensor) = (flag.both(ends), radius.both(ends), sensor.both(ends));
            kernels::vflux(q, x, grad, lap, aux, flag, radius, sensor, normal.get(e), vis.both_mut(ends));
        });
    }

    pub(crate) fn iflux(&mut self) {
        let res = Rows::of(&mut self.data.res);
        let Hand { flag, normal, data: Data { q, lap, sensor, .. }, .. } = &*self;
        let (q, lap, sensor) = (Rows::of_shared(q), Rows::of_shared(lap), Rows::of_shared(sensor));
        let (flag, normal) = (Rows::of_shared(flag), Rows::of_shared(normal));
        // SAFETY: as in `edgecon`.
        self.for_each(|e, ends| unsafe {
            let (q, lap, sensor, flag) = (q.both(ends), lap.both(ends), sensor.both(ends), flag.both(ends));
            kernels::iflux(q, lap, sensor, flag, normal.get(e), res.both_mut(ends));
        });
    }
}

/// Contiguous blocks of edges, each in the first colour in which no block before it has one of its nodes.
fn coloured(edge_nodes: &[[u32; 2]], nodes: usize) -> Vec<Vec<Range<usize>>> {
    let size = edge_nodes.len().div_ceil(BLOCKS).max(1);
    let mut colours: Vec<Vec<Range<usize>>> = Vec::new();
    // A bit for each colour in which a node is taken: there are no more colours than blocks.
    let mut taken = vec![0_u64; nodes];
    for first in (0..edge_nodes.len()).step_by(size) {
        let block = first..edge_nodes.len().min(first + size);
        let ends = || edge_nodes[block.clone()].as_flattened().iter().map(|&node| node as usize);
        let colour = ends().fold(0, |all, node| all | taken[node]).trailing_ones() as usize;
        ends().for_each(|node| taken[node] |= 1 << colour);
        if colour == colours.len() {
            colours.push(Vec::new());
        }
        colours[colour].push(block);
    }
    colours
}
