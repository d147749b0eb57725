//! A series of meshes for ParaView: VTK files, and a list of them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use op2_apps::file::{self, write_atomically};

use super::vtk;
use crate::mesh::Mesh;
use crate::metric::Metric;
use crate::outcome::Field;

/// The end of the name of the list.
const ENDING: &str = "pvd";

/// The files of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    list: PathBuf,
}

impl FromStr for Series {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let list = PathBuf::from(text);
        match list.extension().is_some_and(|ending| ending == ENDING) {
            true => Ok(Self { list }),
            false => Err(format!("expected a name that ends in `.{ENDING}`, by which ParaView knows the list")),
        }
    }
}

impl Series {
    /// The list of all files.
    pub fn list(&self) -> &Path {
        &self.list
    }

    /// The file of mesh `number`, beside the list.
    pub fn mesh(&self, number: usize) -> PathBuf {
        self.list.with_file_name(self.name(number))
    }

    fn name(&self, number: usize) -> String {
        let stem = self.list.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}-{number}.vtu")
    }

    /// Writes the file of mesh `number`.
    ///
    /// # Errors
    /// [`file::Error`] if it cannot be written.
    pub fn write(&self, number: usize, mesh: &Mesh, metric: &Metric, field: &Field) -> Result<(), file::Error> {
        vtk::write(&self.mesh(number), mesh, metric, field)
    }

    /// Writes the list of meshes 0 to `last`, whose numbers are their times.
    ///
    /// # Errors
    /// [`file::Error`] if it cannot be written.
    pub fn write_list(&self, last: usize) -> Result<(), file::Error> {
        write_atomically(&self.list, |out| {
            writeln!(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>")?;
            for number in 0..=last {
                let name = escaped(&self.name(number));
                writeln!(out, "<DataSet timestep=\"{number}\" file=\"{name}\"/>")?;
            }
            writeln!(out, "</Collection>\n</VTKFile>")
        })
    }
}

/// A name as the value of an XML attribute.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_lie_beside_their_list() {
        let series: Series = "a/b&.c.pvd".parse().unwrap();
        assert_eq!(series.mesh(12), Path::new("a/b&.c-12.vtu"));
        assert_eq!(escaped(&series.name(3)), "b&amp;.c-3.vtu");
        assert!("series".parse::<Series>().unwrap_err().contains("ends in `.pvd`"));
    }
}
