//! A sequence of launches as a graph of the driver's: one call starts all of them.

use super::driver::{self, Answer, Handle, KernelNode, Owned};
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

/// All that is equal each time a sequence of launches repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    function: usize,
    grid: u32,
    block: u32,
    shared: u32,
}

/// A launch, with a copy of its parameters.
pub(super) struct Launching {
    pub(super) kernel: Arc<str>,
    pub(super) shape: Shape,
    pub(super) parameters: Parameters,
}

/// The parameters of a launch, each in words of its own.
#[derive(Default, Clone, PartialEq, Eq)]
pub(super) struct Parameters {
    words: Vec<u64>,
    starts: Vec<usize>,
}

/// A graph whose nodes follow each other, ready to be started.
pub(super) struct Graph {
    // Fields drop in order: what is started was made of the graph.
    executable: Owned,
    _graph: Owned,
    /// Each with the parameters that it has now.
    nodes: Vec<(usize, Parameters)>,
}

impl Shape {
    pub(super) fn new(function: Handle, [grid, block, shared]: [u32; 3]) -> Self {
        Shape { function: function.addr(), grid, block, shared }
    }

    pub(super) fn is_of(&self, function: Handle) -> bool {
        self.function == function.addr()
    }

    fn function(&self) -> Handle {
        ptr::with_exposed_provenance_mut(self.function)
    }
}

impl Parameters {
    /// Adds a parameter.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.starts.push(self.words.len());
        self.words.extend(bytes.chunks(size_of::<u64>()).map(|chunk| {
            let mut word = [0; size_of::<u64>()];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        }));
    }

    /// Where each parameter is.
    fn places(&mut self) -> Vec<*mut c_void> {
        let words = self.words.as_mut_ptr();
        // A parameter without bytes may be the last one.
        self.starts.iter().map(|start| words.wrapping_add(*start).cast()).collect()
    }
}

impl Launching {
    /// Hands the launch to the driver.
    pub(super) fn start(&mut self, stream: Handle) -> Answer {
        let Shape { grid, block, shared, .. } = self.shape;
        let mut places = self.parameters.places();
        // SAFETY: the module of the kernel is loaded. The driver copies the parameters before it returns and only reads them;
        // the caller guarantees that they match the kernel. Memory that they point to is freed only after the stream was
        // waited for.
        unsafe {
            driver::cuLaunchKernel(
                self.shape.function(),
                grid,
                1,
                1,
                block,
                1,
                1,
                shared,
                stream,
                places.as_mut_ptr(),
                ptr::null_mut(),
            )
        }
    }

    /// Lets the driver see the launch as a node.
    fn as_node<R>(&mut self, see: impl FnOnce(&KernelNode) -> R) -> R {
        let mut places = self.parameters.places();
        let Shape { grid, block, shared, .. } = self.shape;
        let (function, parameters) = (self.shape.function(), places.as_mut_ptr());
        see(&KernelNode {
            function,
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared,
            parameters,
            extra: ptr::null_mut(),
        })
    }
}

impl Graph {
    /// A graph of these launches.
    pub(super) fn new(launches: &mut [Launching]) -> Answer<Self> {
        // SAFETY: the graph and what is made of it belong to the context that is current whenever they are destroyed.
        let graph = unsafe { Owned::new(|graph| driver::cuGraphCreate(graph, 0), driver::cuGraphDestroy) }?;
        let mut nodes: Vec<Handle> = Vec::with_capacity(launches.len());
        for launch in &mut *launches {
            let (before, mut node) = (nodes.last().copied(), ptr::null_mut());
            let dependencies = before.as_ref().map_or(ptr::null(), ptr::from_ref);
            let count = usize::from(before.is_some());
            // SAFETY: graph and node before exist; the driver copies the parameters, which match the kernel.
            launch.as_node(|kernel| unsafe {
                driver::cuGraphAddKernelNode(&mut node, graph.handle(), dependencies, count, kernel)
            })?;
            nodes.push(node);
        }
        // SAFETY: as above; the graph is complete.
        let executable = unsafe {
            Owned::new(
                |executable| driver::cuGraphInstantiateWithFlags(executable, graph.handle(), 0),
                driver::cuGraphExecDestroy,
            )
        }?;
        let parameters = launches.iter().map(|launch| launch.parameters.clone());
        let nodes = nodes.into_iter().map(|node| node.expose_provenance()).zip(parameters).collect();
        Ok(Graph { executable, _graph: graph, nodes })
    }

    /// Gives the nodes the parameters of these launches.
    pub(super) fn update(&mut self, launches: &mut [Launching]) -> Answer {
        for ((node, known), launch) in self.nodes.iter_mut().zip(launches) {
            if *known == launch.parameters {
                continue;
            }
            let node = ptr::with_exposed_provenance_mut(*node);
            // SAFETY: the node is one of the graph; the driver copies the parameters, which match the kernel.
            launch.as_node(|kernel| unsafe {
                driver::cuGraphExecKernelNodeSetParams(self.executable.handle(), node, kernel)
            })?;
            known.clone_from(&launch.parameters);
        }
        Ok(())
    }

    /// Starts all launches.
    pub(super) fn start(&self, stream: Handle) -> Answer {
        // SAFETY: graph and stream exist. For the memory that parameters point to, the same holds as for single launches.
        unsafe { driver::cuGraphLaunch(self.executable.handle(), stream) }
    }
}
