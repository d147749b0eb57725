//! Stored sets, subsets and globals. All stored data go by inner numbers.

use crate::data::numbering::{Numbering, inverse};
use crate::data::room;
use crate::error::Result;
use std::any::{Any, TypeId};

pub(crate) struct SetStore {
    pub(crate) name: String,
    /// The kind of its elements, which several sets may have.
    pub(crate) kind: Kind,
    pub(crate) size: usize,
    /// Elements that the dats have room for. They keep their places when the set becomes smaller.
    pub(crate) capacity: usize,
    /// `None` if the inner numbers are the user's.
    pub(crate) numbering: Option<Numbering>,
    /// The starts of the pieces into which a partitioner cut the set, and the end of the last one.
    pub(crate) pieces: Option<Vec<u32>>,
    /// The place of each element along a curve in space, for loops on devices.
    pub(crate) places: Option<Vec<u32>>,
}

/// A kind of elements: its type, and the name of that.
pub(crate) type Kind = (TypeId, &'static str);

pub(crate) struct SubsetStore {
    pub(crate) name: String,
    pub(crate) set: usize,
    pub(crate) list: Vec<u32>,
    /// All its elements have users' numbers below this one: the size that the set had when they were chosen.
    pub(crate) reach: usize,
}

pub(crate) struct GlobalStore {
    pub(crate) name: String,
    pub(crate) value: Box<dyn Any + Send + Sync>,
}

impl SetStore {
    /// Forgets what holds for the elements as they were: they moved, or their number changed.
    pub(super) fn forget_order(&mut self) {
        (self.pieces, self.places) = (None, None);
    }

    /// The inner number of the user's element `e`.
    #[inline]
    pub(crate) fn inner(&self, e: usize) -> usize {
        self.numbering.as_ref().map_or(e, |n| n.inner(e))
    }

    /// The numbering after elements got new inner numbers; `None` if they did not.
    pub(super) fn renumbered(&self, new: Option<&[u32]>) -> Result<Option<Numbering>> {
        let Some(new) = new else { return Ok(None) };
        let what = || format!("the numbers of set `{}`", self.name);
        let inner = room::all(what, new.len(), |e| new[self.inner(e)])?;
        Ok(Some(Numbering::new(inner, what)?))
    }

    /// The old inner number of each element after elements got new ones; `None` if they did not.
    pub(super) fn old_numbers(&self, new: Option<&[u32]>) -> Result<Option<Vec<u32>>> {
        new.map(|new| inverse(new, || format!("the numbers of set `{}`", self.name))).transpose()
    }

    /// The user's number of the element with inner number `e`.
    pub(crate) fn user(&self, e: usize) -> usize {
        self.numbering.as_ref().map_or(e, |n| n.user()[e] as usize)
    }
}

impl GlobalStore {
    pub(crate) fn get<G: 'static>(&self) -> &G {
        self.value.downcast_ref().expect(TYPED)
    }

    pub(crate) fn any_mut(&mut self) -> &mut dyn Any {
        &mut *self.value
    }

    pub(crate) fn get_mut<G: 'static>(&mut self) -> &mut G {
        self.value.downcast_mut().expect(TYPED)
    }
}

/// The reason why a downcast cannot fail: a handle of this mesh was made with the type of its data.
pub(super) const TYPED: &str = "a typed handle leads to data of its type";
