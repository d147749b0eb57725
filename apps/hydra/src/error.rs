//! The faults that only this app has, with the exit status each kind leads to.

/// The errors of a run of the app.
pub type Error = op2_apps::error::Error<Fault>;

/// The result of the app's fallible functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Faults that other apps do not have.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The mesh has an impossible size.
    #[error(transparent)]
    Size(op2_meshes::Error),

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

    /// Edges of a node lie in a plane, so that gradients are undefined.
    #[error(
        "the edges of {nodes} node(s) span no volume, expected none: the mesh may have flat cells, or with \
         `--precision f32` very thin or small ones"
    )]
    Flat {
        /// How many there are.
        nodes: u32,
    },
}

impl op2_apps::error::Fault for Fault {
    fn exit_status(&self) -> u8 {
        match self {
            Self::Size(_) => 2,
            Self::Volume { .. } | Self::Flat { .. } => 1,
        }
    }
}
