//! Graphs: work that is launched again and again.

use super::capture::Node;
use super::streams::launched;
use super::*;
use crate::driver::functions;

/// `CUDA_KERNEL_NODE_PARAMS`.
#[repr(C)]
#[allow(missing_docs, reason = "the fields are the driver's")]
pub struct KernelNode {
    pub function: u64,
    pub grid: [c_uint; 3],
    pub block: [c_uint; 3],
    pub shared: c_uint,
    pub parameters: *const *const c_void,
    pub extra: *mut *mut c_void,
}

/// `CUgraphExecUpdateResultInfo`.
#[repr(C)]
#[allow(missing_docs, reason = "the fields are the driver's")]
pub struct UpdateResult {
    pub result: c_int,
    pub node: u64,
    pub from: u64,
}

impl Context {
    /// A graph, or one that can be launched.
    pub(super) fn graph(&mut self, nodes: Vec<Node>, is_executable: bool) -> Handle {
        self.graphs.push(Some(Graph { nodes, is_executable }));
        self.handle(self.graphs.len())
    }

    fn graph_at(&mut self, handle: Handle, is_executable: bool) -> Option<&mut Graph> {
        let place = self.place(handle)?;
        self.graphs.get_mut(place)?.as_mut().filter(|graph| graph.is_executable == is_executable)
    }

    fn end_graph(&mut self, handle: Handle, is_executable: bool) -> c_int {
        if self.graph_at(handle, is_executable).is_none() {
            return INVALID_VALUE;
        }
        if let Some(place) = self.place(handle) {
            self.graphs[place] = None;
        }
        0
    }
}

functions! {
    /// A graph without nodes.
    fn cuGraphCreate(graph: *mut Handle, _flags: c_uint) {
        with(|context| {
            *graph = context.graph(Vec::new(), false);
            0
        })
    }

    /// A launch in a graph, after those of other nodes.
    fn cuGraphAddKernelNode(node: *mut Handle, graph: Handle, before: *const Handle, count: usize, kernel: *const KernelNode) {
        let after = (0..count).map(|n| *before.add(n)).collect::<Vec<_>>();
        let KernelNode { function, grid, block, shared, parameters, .. } = &*kernel;
        with(|context| {
            let number = context.node();
            let work = match launched(context, *function, [*grid, *block], *shared, *parameters) {
                Ok(work) => work,
                Err(code) => return code,
            };
            let Some(graph) = context.graph_at(graph, false) else { return INVALID_VALUE };
            if !after.iter().all(|before| graph.nodes.iter().any(|node| node.number == *before)) {
                return INVALID_VALUE;
            }
            graph.nodes.push(Node { number, work, after });
            *node = number;
            0
        })
    }

    /// A graph that can be launched.
    fn cuGraphInstantiateWithFlags(executable: *mut Handle, graph: Handle, _flags: u64) {
        with(|context| {
            let Some(Graph { nodes, .. }) = context.graph_at(graph, false).cloned() else { return INVALID_VALUE };
            *executable = context.graph(nodes, true);
            0
        })
    }

    /// Other parameters for a launch in it. The node's graph must still be there.
    fn cuGraphExecKernelNodeSetParams(executable: Handle, node: Handle, kernel: *const KernelNode) {
        let KernelNode { function, grid, block, shared, parameters, .. } = &*kernel;
        with(|context| {
            let work = match launched(context, *function, [*grid, *block], *shared, *parameters) {
                Ok(work) => work,
                Err(code) => return code,
            };
            let mut graphs = context.graphs.iter().flatten().filter(|graph| !graph.is_executable);
            let is_there = graphs.any(|graph| graph.nodes.iter().any(|other| other.number == node));
            let found = context.graph_at(executable, true).filter(|_| is_there);
            match found.and_then(|graph| graph.nodes.iter_mut().find(|other| other.number == node)) {
                Some(node) if node.work.is_like(&work) => {
                    node.work = work;
                    0
                }
                _ => INVALID_VALUE,
            }
        })
    }

    /// The parameters of another graph, if that has the same nodes.
    fn cuGraphExecUpdate_v2(executable: Handle, graph: Handle, result: *mut UpdateResult) {
        with(|context| {
            let Some(Graph { nodes, .. }) = context.graph_at(graph, false).cloned() else { return INVALID_VALUE };
            let Some(old) = context.graph_at(executable, true) else { return INVALID_VALUE };
            let place = |all: &[Node], node: u64| all.iter().position(|other| other.number == node);
            let after = |all: &[Node], node: &Node| node.after.iter().map(|before| place(all, *before)).collect::<Vec<_>>();
            let differs = |(a, b): (&Node, &Node)| after(&old.nodes, a) != after(&nodes, b);
            let found = match old.nodes.iter().zip(&nodes).find(|(a, b)| !a.work.is_like(&b.work)) {
                _ if old.nodes.len() != nodes.len() || old.nodes.iter().zip(&nodes).any(differs) => (2, 0, 0),
                Some((a, b)) => (3, a.number, b.number),
                None => (0, 0, 0),
            };
            *result = UpdateResult { result: found.0, node: found.1, from: found.2 };
            if found.0 != 0 {
                return NO_UPDATE;
            }
            for (node, new) in old.nodes.iter_mut().zip(nodes) {
                node.work = new.work;
            }
            0
        })
    }

    /// Does the work of a graph.
    fn cuGraphLaunch(executable: Handle, stream: Handle) {
        with(|context| {
            let Some(Graph { nodes, .. }) = context.graph_at(executable, true).cloned() else { return INVALID_VALUE };
            context.submit(stream, Work::All(nodes))
        })
    }

    /// The end of a graph that can be launched.
    fn cuGraphExecDestroy(executable: Handle) {
        with(|context| context.end_graph(executable, true))
    }

    /// The end of a graph.
    fn cuGraphDestroy(graph: Handle) {
        with(|context| context.end_graph(graph, false))
    }
}
