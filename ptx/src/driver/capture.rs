//! Work of streams: done at once, or captured, and done when its graph is launched.

use super::{CAPTURE_INVALID, Context, Event, Handle, ILLEGAL_STATE, INVALID_HANDLE, INVALID_VALUE, NOT_IN_CAPTURE, Start};
use std::ffi::c_int;
use std::ptr;
use std::time::Instant;

/// A piece of work, with copies of its parameters.
#[derive(Clone)]
pub(super) enum Work {
    Launch {
        start: Start,
        params: Vec<u8>,
    },
    Copy {
        to: Place,
        from: Place,
        bytes: usize,
    },
    Fill {
        to: u64,
        byte: u8,
        bytes: usize,
    },
    Record(Handle),
    /// That of another graph.
    All(Vec<Node>),
}

/// Memory of the host, or of the device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Host(usize),
    Device(u64),
}

#[derive(Clone)]
pub(super) struct Node {
    pub(super) number: u64,
    pub(super) work: Work,
    /// Nodes before it.
    pub(super) after: Vec<u64>,
}

/// A graph, or one that can be launched.
#[derive(Clone)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) is_executable: bool,
}

#[derive(Default)]
pub(super) struct Stream {
    capture: Option<Capture>,
}

struct Capture {
    /// Whether the program may call what could wait for the stream.
    is_relaxed: bool,
    is_valid: bool,
    nodes: Vec<Node>,
}

impl Work {
    /// Whether another one can take its place in a graph that exists.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Work::Launch { .. }, Work::Launch { .. })
            | (Work::Fill { .. }, Work::Fill { .. })
            | (Work::Record(_), Work::Record(_)) => true,
            (Work::Copy { to, from, .. }, Work::Copy { to: other_to, from: other_from, .. }) => {
                let kind = |place: &Place| matches!(place, Place::Host(_));
                (kind(to), kind(from)) == (kind(other_to), kind(other_from))
            }
            (Work::All(nodes), Work::All(others)) => {
                nodes.len() == others.len() && nodes.iter().zip(others).all(|(a, b)| a.work.is_like(&b.work))
            }
            _ => false,
        }
    }
}

impl Context {
    /// A number for a node.
    pub(super) fn node(&mut self) -> u64 {
        self.nodes += 1;
        self.number << 32 | self.nodes
    }

    fn stream(&mut self, handle: Handle) -> Option<&mut Stream> {
        let place = self.place(handle)?;
        self.streams.get_mut(place)?.as_mut()
    }

    /// Does work of a stream, now or when the graph is launched that captures it.
    pub(super) fn submit(&mut self, stream: Handle, work: Work) -> c_int {
        let number = self.node();
        let event = if let Work::Record(event) = work { Some(event) } else { None };
        // The default stream captures nothing.
        let capture = match stream {
            0 => None,
            stream => match self.stream(stream) {
                Some(stream) => stream.capture.as_mut(),
                None => return INVALID_HANDLE,
            },
        };
        let Some(capture) = capture else {
            if let Some(event) = event.and_then(|event| self.event(event)) {
                *event = Event::At(Instant::now());
            }
            return self.work(&work);
        };
        if !capture.is_valid {
            return CAPTURE_INVALID;
        }
        let after = capture.nodes.last().map(|node| node.number).into_iter().collect();
        capture.nodes.push(Node { number, work, after });
        if let Some(event) = event.and_then(|event| self.event(event)) {
            *event = Event::Captured;
        }
        0
    }

    pub(super) fn event(&mut self, handle: Handle) -> Option<&mut Event> {
        let place = self.place(handle)?;
        self.events.get_mut(place)
    }

    /// Refuses what waits for a stream that captures, or for any unless its capture allows that: the capture has failed then.
    pub(super) fn waits(&mut self, stream: Option<Handle>) -> Result<(), c_int> {
        let place = match stream {
            Some(0) | None => None,
            Some(stream) => Some(self.place(stream).ok_or(INVALID_HANDLE)?),
        };
        let mut found = Ok(());
        for (number, stream) in self.streams.iter_mut().enumerate() {
            let Some(Stream { capture: Some(capture) }) = stream else { continue };
            if place == Some(number) || place.is_none() && !capture.is_relaxed {
                (capture.is_valid, found) = (false, Err(NOT_IN_CAPTURE));
            }
        }
        found
    }

    pub(super) fn begin_capture(&mut self, stream: Handle, is_relaxed: bool) -> c_int {
        if stream == 0 {
            return NOT_IN_CAPTURE;
        }
        match self.stream(stream) {
            None => INVALID_HANDLE,
            Some(Stream { capture: Some(_) }) => ILLEGAL_STATE,
            Some(Stream { capture }) => {
                *capture = Some(Capture { is_relaxed, is_valid: true, nodes: Vec::new() });
                0
            }
        }
    }

    /// The nodes that a stream has captured.
    pub(super) fn end_capture(&mut self, stream: Handle) -> Result<Vec<Node>, c_int> {
        let capture = self.stream(stream).ok_or(INVALID_HANDLE)?.capture.take().ok_or(ILLEGAL_STATE)?;
        if capture.is_valid { Ok(capture.nodes) } else { Err(CAPTURE_INVALID) }
    }

    /// 0 for a stream that does not capture, 1 for one that does, 2 if its capture has failed.
    pub(super) fn captures(&mut self, stream: Handle) -> Option<c_int> {
        if stream == 0 {
            return Some(0);
        }
        let capture = &self.stream(stream)?.capture;
        Some(capture.as_ref().map_or(0, |capture| if capture.is_valid { 1 } else { 2 }))
    }

    /// Does work now.
    pub(super) fn work(&mut self, work: &Work) -> c_int {
        match work {
            Work::Launch { start, params } => self.launch(*start, params),
            &Work::Copy { to, from, bytes } => self.copy(to, from, bytes),
            &Work::Fill { to, byte, bytes } => match self.memory.bytes_to_fill(to, bytes) {
                Some(to) => {
                    to.fill(byte);
                    0
                }
                None => INVALID_VALUE,
            },
            // An event that was captured has no time.
            Work::Record(_) => 0,
            Work::All(nodes) => self.work_all(nodes),
        }
    }

    /// Does the work of nodes, each after those that it follows, and else in any order.
    pub(super) fn work_all(&mut self, nodes: &[Node]) -> c_int {
        let mut left: Vec<&Node> = nodes.iter().collect();
        while !left.is_empty() {
            let is_free = |node: &Node| !left.iter().any(|other| node.after.contains(&other.number));
            let free: Vec<usize> = (0..left.len()).filter(|&n| is_free(left[n])).collect();
            let Some(&next) = free.get(self.clock.draw(free.len())) else { return INVALID_VALUE };
            let code = self.work(&left.remove(next).work);
            if code != 0 || self.failed != 0 {
                return code;
            }
        }
        0
    }

    fn copy(&mut self, to: Place, from: Place, bytes: usize) -> c_int {
        let copied = match (to, from) {
            (Place::Device(to), Place::Device(from)) => self.memory.copy(to, from, bytes),
            (Place::Device(to), Place::Host(from)) => self.memory.bytes_to_fill(to, bytes).map(|to| {
                // SAFETY: the program gives so many bytes, which no device has.
                unsafe { ptr::copy(from as *const u8, to.as_mut_ptr(), bytes) }
            }),
            (Place::Host(to), Place::Device(from)) => self.memory.bytes(from, bytes).map(|from| {
                // SAFETY: as above.
                unsafe { ptr::copy(from.as_ptr(), to as *mut u8, bytes) }
            }),
            (Place::Host(_), Place::Host(_)) => None,
        };
        if copied.is_some() { 0 } else { INVALID_VALUE }
    }
}
