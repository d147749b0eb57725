//! The one error type of the app, with the exit status each kind leads to.

/// What any fallible function of the app returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong in a run of the app.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line asks for something that cannot be done.
    #[error("{0}")]
    Usage(String),

    /// An output cannot be written, or two options name the same one.
    #[error(transparent)]
    Output(#[from] op2_apps::file::Error),

    /// A mesh file cannot be read, or what it holds is no mesh that can be computed on.
    #[error(transparent)]
    Text(#[from] op2_apps::text::Error),

    /// A mesh that cannot be computed on.
    #[error(transparent)]
    Mesh(#[from] op2_apps::flaw::Flaw),

    /// The mesh has a size that cannot be.
    #[error(transparent)]
    Size(#[from] op2_meshes::Error),

    /// A dual cell has no volume, or is turned inside out.
    #[error(
        "the dual cell of node {node} has the volume {volume}, expected one above 0: the mesh may have flat cells or \
         cells turned the wrong way round"
    )]
    Volume {
        /// The first such node.
        node: usize,
        /// Its volume.
        volume: f64,
    },

    /// Edges of a node lie in a plane, so that gradients cannot be had.
    #[error(
        "the edges of {nodes} node(s) span no volume, expected none: the mesh may have flat cells, or with \
         `--precision f32` very thin or small ones"
    )]
    Flat {
        /// How many there are.
        nodes: u32,
    },

    /// op2 refuses the mesh, or cannot run it.
    #[error(transparent)]
    Op2(#[from] op2::Error),

    /// The solution has ceased to be a number, so that going on is useless.
    #[error(
        "the solution is no longer finite after iteration {iteration} (rms {rms}): the mesh may be too crooked or the \
         Mach number too high"
    )]
    Diverged {
        /// The first iteration with a residual that is not finite.
        iteration: usize,
        /// That residual.
        rms: f64,
    },
}

impl Error {
    /// The exit status of the program: 2 for bad input, as `clap` has it, and for output that cannot be written; 1 for a
    /// run that failed; and [`READER_GONE`](op2_apps::file::READER_GONE).
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Text(_) | Self::Mesh(_) | Self::Size(_) => 2,
            Self::Output(e) => e.exit_status(),
            Self::Volume { .. } | Self::Flat { .. } | Self::Diverged { .. } | Self::Op2(_) => 1,
        }
    }
}
