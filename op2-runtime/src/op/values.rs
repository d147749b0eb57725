//! Values of dats: into memory of the program, and one at a time.

use super::Op2;
use crate::data::value::Value;
use crate::error::Result;
use crate::mesh::handle::Dat;
use crate::mesh::rows::Index;

impl Op2 {
    /// Fills `values` with the values of a dat, one for each element of its set, in the numbering in which they were declared.
    /// A program that reads a dat at every step so uses one buffer for all steps: on the host, nothing is allocated. From a device
    /// the values pass through memory of the size of the dat.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    /// let x = op.decl_dat("x", nodes, &[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])?;
    /// let mut buffer = vec![[0.0; 2]; op.size(nodes)?];
    /// op.fetch_into(x, &mut buffer)?;
    /// assert_eq!(buffer[1], [2.0, 3.0]);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Buffer`](crate::Error::Buffer) unless `values` has one row per element, otherwise as [`Op2::fetch`]. `values` is
    /// unchanged then.
    pub fn fetch_into<S, V: Value>(&self, dat: Dat<S, V>, values: &mut [V]) -> Result<()> {
        let mesh = &self.context.mesh;
        let index = mesh.index(dat.id, "dat")?;
        mesh.check_buffer(index, values.len())?;
        let host = mesh.scalars::<V>(index);
        let newer = self.newer::<V>(index, host.len())?;
        mesh.rows_into(index, newer.as_deref().unwrap_or(host), values);
        Ok(())
    }

    /// The value of a dat at one element, by the number that the element has in the declarations: a monitor point, or the place of
    /// an extremum that [`ArgMax`](crate::ArgMax) has found. `element` may be any integer.
    ///
    /// From a device comes as much of the dat as lies in front of the value; several values of one dat are cheaper by
    /// [`Op2::fetch_into`] there.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    /// let heat = op.decl_dat("heat", nodes, &[1.0, 2.0, 3.0])?;
    /// op.set_value(heat, 1, 7.5)?;
    /// assert_eq!(op.value(heat, 1)?, 7.5);
    /// assert_eq!(
    ///     op.value(heat, 3).unwrap_err().to_string(),
    ///     "dat `heat`: found element 3, expected 0..3, an element of set `nodes`"
    /// );
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Element`](crate::Error::Element) for an element that the set of the dat does not have, otherwise as [`Op2::fetch`].
    pub fn value<S, V: Value>(&self, dat: Dat<S, V>, element: impl Index) -> Result<V> {
        let mesh = &self.context.mesh;
        let index = mesh.index(dat.id, "dat")?;
        let element = mesh.element(index, element)?;
        let newer = self.newer::<V>(index, mesh.until::<V>(index, element))?;
        Ok(mesh.row_in(index, newer.as_deref().unwrap_or_else(|| mesh.scalars::<V>(index)), element))
    }

    /// Gives a dat a new value at one element, by the number that the element has in the declarations. `element` may be any
    /// integer; all other values stay.
    ///
    /// If the newest values are on a device, the first change brings all of them to the host, and the next loop there that needs
    /// them sends them back.
    ///
    /// # Errors
    /// As [`Op2::value`]; no value changes then.
    pub fn set_value<S, V: Value>(&mut self, dat: Dat<S, V>, element: impl Index, value: V) -> Result<()> {
        let index = self.context.mesh.index(dat.id, "dat")?;
        let element = self.context.mesh.element(index, element)?;
        if let Some(device) = self.context.executor.device_mut() {
            device.settle_dat(&mut self.context.mesh, index)?;
        }
        self.context.mesh.set_row(index, element, value);
        self.host_changed(index);
        Ok(())
    }
}

impl Op2 {
    /// The first `until` scalars of a dat, if a device has newer ones than the host.
    pub(super) fn newer<V: Value>(&self, dat: usize, until: usize) -> Result<Option<Vec<V::Elem>>> {
        let Some(device) = self.context.executor.device() else { return Ok(None) };
        device.newer::<V::Elem>(&self.context.mesh, dat, until)
    }
}
