//! Marks that accesses leave on memory, by which threads that nothing orders are found.

use crate::order::{Once, Order, Past};

/// Who accesses memory, and when.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    /// Rises with every launch, or with every block for its shared memory: older marks mean nothing.
    pub(crate) stamp: u32,
    /// The stamp of the launch before, for a thread that has not waited for its end.
    pub(crate) before: Option<u32>,
    pub(crate) once: Once,
    pub(crate) order: Order,
}

/// Who has accessed a place before.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mark {
    stamp: u32,
    writer: Option<Once>,
    reader: Option<Once>,
    /// Whether several threads of the reader's block have read in its phase, or several blocks.
    threads: bool,
    blocks: bool,
    /// Whether what is written arrives later.
    pending: bool,
}

/// Another thread that has accessed a place, and what it has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Other {
    pub(crate) once: Once,
    pub(crate) did: &'static str,
}

/// The state of a place that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    Nothing,
    Pending,
    Written,
}

/// Whether nothing orders what a thread has done before an access.
fn meets(once: &Once, access: &Access, past: &Past) -> bool {
    let at_once = once.at_once && access.once.at_once;
    let same_block = once.block == access.once.block;
    if same_block && (once.thread == access.once.thread || once.phase != access.once.phase || at_once) {
        return false;
    }
    if at_once && !once.in_block && !access.once.in_block {
        return false;
    }
    !past.has(once, access.once.thread)
}

impl Mark {
    /// Forgets what is older. Returns who did what in the launch before, if the thread has not waited for its end.
    pub(crate) fn renew(&mut self, access: &Access, writes: bool) -> Option<Other> {
        if self.stamp == access.stamp {
            return None;
        }
        let before = access.before.filter(|before| *before == self.stamp).and_then(|_| {
            let wrote = self.writer.map(|once| Other { once, did: "writes" });
            wrote.or(self.reader.filter(|_| writes).map(|once| Other { once, did: "reads" }))
        });
        *self = Mark { stamp: access.stamp, ..Mark::default() };
        before
    }

    /// A write; returns who has accessed the place without an order.
    pub(crate) fn write(&mut self, access: &Access, pending: bool, past: &Past) -> Option<Other> {
        let once = access.once;
        let reads = self.reader.filter(|reader| {
            let others = self.blocks || self.threads && (reader.block, reader.phase) == (once.block, once.phase);
            meets(reader, access, past) || others && !(reader.at_once && once.at_once)
        });
        let writes = self.writer.filter(|writer| meets(writer, access, past));
        (self.writer, self.pending) = (Some(once), pending);
        let did = |did| move |once| Other { once, did };
        writes.map(did("writes")).or(reads.map(did("reads")))
    }

    /// A read, in the same way, and who has written the place.
    pub(crate) fn read(&mut self, access: &Access, past: &Past) -> Option<Other> {
        let once = access.once;
        match &mut self.reader {
            Some(reader) if reader.block != once.block => self.blocks = true,
            Some(reader) if reader.phase == once.phase && reader.thread != once.thread => self.threads = true,
            Some(reader) if reader.phase == once.phase => {}
            _ => (self.reader, self.threads) = (Some(once), false),
        }
        if let Some(reader) = &mut self.reader {
            reader.at_once &= once.at_once;
        }
        self.writer.filter(|writer| meets(writer, access, past)).map(|once| Other { once, did: "writes" })
    }

    pub(crate) fn writer(&self) -> Option<Once> {
        self.writer
    }

    pub(crate) fn seen(&self) -> Seen {
        match self.writer {
            None => Seen::Nothing,
            Some(_) if self.pending => Seen::Pending,
            Some(_) => Seen::Written,
        }
    }
}
