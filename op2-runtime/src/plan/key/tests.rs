use super::*;
use crate::data::layout::Layout;
use crate::plan::cache::{PlanCache, Settings};
use op2_core::Access;
use smallvec::smallvec;

/// Edges and nodes, and the bindings of a loop over the edges: a direct dat, one through a map, and for devices an
/// index through another map, a parameter and a reduction.
struct Fixture {
    mesh: Mesh,
    over: Over,
    bound: Bindings,
    wanted: Wanted,
    reduces: bool,
}

const EDGES: usize = 0;
const NODES: usize = 1;
const OTHER_EDGES: usize = 2;
const CELLS: usize = 3;
const ENDS: usize = 0;
const SIDES: usize = 1;
const UNUSED: usize = 2;
// Behind the entries of the maps.
const WEIGHT: usize = 3;
const SUM: usize = 4;
const OTHER: usize = 5;
const ROWS: [[u32; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

impl Fixture {
    fn new() -> Self {
        let mut mesh = Mesh::new();
        for (name, size) in [("edges", 3), ("nodes", 4), ("other", 3), ("cells", 5)] {
            mesh.add_set(name, size, None).unwrap();
        }
        for list in [[0u32, 2], [0, 2]] {
            mesh.add_subset("some", EDGES, &list).unwrap();
        }
        for (name, to) in [("ends", NODES), ("sides", CELLS), ("unused", NODES)] {
            mesh.add_map(name, EDGES, to, &ROWS, None).unwrap();
        }
        for (name, set) in [("weight", EDGES), ("sum", NODES), ("other", EDGES)] {
            mesh.add_dat(name, set, Layout::Aos, &vec![[0.0; 2]; mesh.sets[set].size], None).unwrap();
        }
        mesh.add_global("total", 0.0);
        let direct = BoundDat {
            arg: 0,
            dat: WEIGHT,
            access: Access::Read,
            through: None,
            inside: false,
            whole: false,
            apart: false,
        };
        let mapped = BoundDat {
            arg: 1,
            dat: SUM,
            access: Access::Inc,
            through: Some((ENDS, 0..1)),
            inside: false,
            whole: false,
            apart: false,
        };
        let elem = ElemType::F64;
        let (how, slots, absorb) = (Combine::Inc, 1, |_: &mut dyn std::any::Any, _: &[u64]| {});
        let more = More {
            maps: vec![ENDS, SIDES],
            indices: vec![(2, SIDES, 1..2)],
            numbers: vec![Some(CELLS)],
            tables: vec![],
            params: vec![Param { arg: 3, elem, bytes: vec![0; 8] }],
            reductions: vec![Reduction { arg: 4, elem, global: 0, how, slots, absorb }],
            lens: vec![3],
        };
        let globals = smallvec![(4, 0, how.into())];
        let bound = Bindings {
            dats: smallvec![direct, mapped],
            globals,
            indexed: smallvec![],
            followed: smallvec![ENDS, SIDES],
            more,
        };
        let over = Over { set: EDGES, subset: None, pairs: None };
        Fixture { mesh, over, bound, wanted: Wanted::Device(crate::Strategy::Predicted), reduces: false }
    }

    fn key(&self) -> PlanKey {
        PlanKey::new(self.asked())
    }

    fn asked(&self) -> Asked<'_> {
        let Fixture { mesh, over, bound, wanted, reduces } = self;
        Asked::new(mesh, *over, bound, *wanted, || *reduces)
    }

    /// Whether `key` equals that of the present call.
    fn finds(&self, key: &PlanKey) -> bool {
        assert_eq!(self.key().digest(), self.asked().digest());
        key.is_of(self.asked())
    }

    /// Changes the inner numbers of a set.
    fn renumber(&mut self, set: usize) {
        let new: Vec<u32> = (0..self.mesh.sets[set].size as u32).rev().collect();
        let all: Vec<_> = (0..self.mesh.sets.len()).map(|s| (s == set).then(|| new.clone())).collect();
        self.mesh.renumber(&all, None).unwrap();
    }
}

type Change = fn(&mut Fixture);

/// Changes of the mesh, after which earlier keys can never be found again.
const OF_THE_MESH: [(&str, Change); 8] = [
    ("numbers of the set", |f| f.renumber(EDGES)),
    ("numbers of the set behind a map", |f| f.renumber(NODES)),
    ("numbers that only an index asks for", |f| f.renumber(CELLS)),
    ("pieces of the set", |f| f.mesh.sets[EDGES].change().pieces = Some(vec![0, 1, 3])),
    ("size of the set behind a map", |f| f.mesh.sets[NODES].change().size += 1),
    ("entries of a map", |f| f.mesh.replace_map(ENDS, &[[3u32, 2], [1, 2], [2, 0]], None).unwrap()),
    ("entries that only an index goes through", |f| f.mesh.replace_map(SIDES, &ROWS, None).unwrap()),
    ("layout", |f| f.mesh.set_layout(SUM, Layout::Soa, &[[0.0; 2]; 4], None).unwrap()),
];

/// Changes of the call.
const OF_THE_CALL: [(&str, Change); 28] = [
    ("another set of the same size", |f| f.over.set = OTHER_EDGES),
    ("a subset", |f| f.over.subset = Some(0)),
    ("another subset of the same elements", |f| f.over.subset = Some(1)),
    ("what is wanted", |f| f.wanted = Wanted::Predicted),
    ("the scheme", |f| f.wanted = Wanted::Pinned(Scheme::blocks(1))),
    ("the size of its blocks", |f| f.wanted = Wanted::Pinned(Scheme::blocks(2))),
    ("the strategy on a device", |f| f.wanted = Wanted::Device(crate::Strategy::Auto)),
    ("whether it reduces", |f| f.reduces = true),
    ("an argument that is switched off", |f| f.bound.dats.truncate(1)),
    ("the position of an argument", |f| f.bound.dats[0].arg = 5),
    ("another dat of the same shape", |f| f.bound.dats[0].dat = OTHER),
    ("an access", |f| f.bound.dats[0].access = Access::Rw),
    ("a map instead of none", |f| f.bound.dats[0].through = Some((ENDS, 0..1))),
    ("another map of the same shape", |f| f.bound.dats[1].through = Some((UNUSED, 0..1))),
    ("another entry", |f| f.bound.dats[1].through = Some((ENDS, 1..2))),
    ("one more entry", |f| f.bound.dats[1].through = Some((ENDS, 0..2))),
    ("the maps of a text", |f| f.bound.more.maps[0] = UNUSED),
    ("the position of an index", |f| f.bound.more.indices[0].0 = 6),
    ("the map of an index", |f| f.bound.more.indices[0].1 = UNUSED),
    ("the entry of an index", |f| f.bound.more.indices[0].2 = 0..1),
    ("the set of an index", |f| f.bound.more.numbers[0] = Some(NODES)),
    ("a table that is asked for numbers", |f| f.bound.more.tables.push((5, NODES))),
    ("the scalars of a parameter", |f| f.bound.more.params[0].elem = ElemType::F32),
    ("the position of a parameter", |f| f.bound.more.params[0].arg = 7),
    ("the scalars of a reduction", |f| f.bound.more.reductions[0].elem = ElemType::F32),
    ("the access of a reduction", |f| f.bound.more.reductions[0].how = Combine::Max),
    ("a length of the kernel", |f| f.bound.more.lens[0] = 4),
    ("the slots of a reduction", |f| f.bound.more.reductions[0].slots = 2),
];

#[test]
fn every_single_input_changes_the_key() {
    let mut keys = vec![("nothing", Fixture::new().key())];
    for (what, change) in OF_THE_MESH.into_iter().chain(OF_THE_CALL) {
        let mut fixture = Fixture::new();
        change(&mut fixture);
        let key = fixture.key();
        // Versions count changes: to tell two changes of one object apart is not their task.
        let same = keys.iter().find(|(_, known)| *known == key).map(|(known, _)| *known);
        let of_one = |known| OF_THE_MESH.iter().any(|(name, _)| *name == known);
        assert!(same.is_none_or(of_one), "{what} and {same:?} have one key");
        assert_eq!(fixture.key(), key, "{what}: the key of a call is the same as long as nothing changes");
        assert!(fixture.finds(&key), "{what}: a call finds what is under its key");
        let found = keys.iter().find(|(_, known)| *known != key && fixture.finds(known));
        assert!(found.is_none(), "{what} finds what is under another key");
        keys.push((what, key));
    }
}

#[test]
fn what_nothing_is_made_of_changes_no_key() {
    let changes: [(&str, Change); 6] = [
        ("the value of a parameter", |f| f.bound.more.params[0].bytes = vec![1; 8]),
        ("the global behind a reduction", |f| f.bound.more.reductions[0].global = 1),
        ("which global it is", |f| f.bound.globals[0].1 = 1),
        ("values of a dat", |f| f.mesh.set_rows(SUM, &[[1.0; 2]; 4]).unwrap()),
        ("entries of a map that the loop does not have", |f| f.mesh.replace_map(UNUSED, &ROWS, None).unwrap()),
        ("numbers of a set that it does not have", |f| f.renumber(OTHER_EDGES)),
    ];
    for (what, change) in changes {
        let mut fixture = Fixture::new();
        let before = fixture.key();
        change(&mut fixture);
        assert_eq!(fixture.key(), before, "{what}");
        assert!(fixture.finds(&before), "{what}");
    }
}

#[test]
fn newer_keys_outdate_older_ones() {
    for (what, change) in OF_THE_MESH {
        let mut fixture = Fixture::new();
        let before = fixture.key();
        change(&mut fixture);
        let after = fixture.key();
        assert!(after.outdates(&before) && !before.outdates(&after) && !after.outdates(&after), "{what}");
    }
    let before = Fixture::new().key();
    for (what, change) in OF_THE_CALL {
        let mut fixture = Fixture::new();
        change(&mut fixture);
        assert!(!fixture.key().outdates(&before) && !before.outdates(&fixture.key()), "{what}");
    }
}

/// Between two calls of a loop, another loop may be planned by newer versions: the next plan of the first starts from its last findings.
#[test]
fn findings_stay_when_plans_become_old() {
    let (hardware, mut first) = (crate::plan::Hardware::FewCores, Fixture::new());
    let mut cache = PlanCache::new(Settings { hardware, verify: false, ahead_from: None });
    (first.wanted, first.over.subset) = (Wanted::Predicted, Some(0));
    let settings = cache.settings();
    let plan = |fixture: &Fixture| settings.inspect(Inputs::new(&fixture.key(), &fixture.mesh)).unwrap();
    for _ in 0..3 {
        let traffic = cache.insert(first.key(), plan(&first)).traffic;
        first.mesh.subsets[0].change().list.pop();
        let direct = first.bound.dats.pop().unwrap();
        cache.insert(first.key(), plan(&first));
        first.bound.dats.push(direct);
        assert!(cache.get(first.asked()).is_none(), "an old plan is not found");
        let (_, before) = cache.before(first.asked()).expect("the findings stay");
        assert!(before.plan.is_none() && before.traffic == traffic);
        assert_eq!(cache.len(), 2, "one entry for each loop");
    }
}

/// A subset has its own version and that of its set.
#[test]
fn subsets_follow_their_set() {
    let mut fixture = Fixture::new();
    fixture.over.subset = Some(0);
    let before = fixture.key();
    fixture.renumber(EDGES);
    assert_eq!(fixture.mesh.subsets[0].list, [0, 2], "the list is the same by chance");
    assert!(fixture.key().outdates(&before));
}

#[test]
fn inputs_show_what_the_inspector_is_told() {
    let fixture = Fixture::new();
    let key = fixture.key();
    let inputs = Inputs::new(&key, &fixture.mesh);
    let shape = inputs.shape();
    let touches: Vec<_> = shape.touches.iter().map(|t| (t.arg, t.dat as usize, t.targets, t.bytes, t.access)).collect();
    assert_eq!(touches, [(0, WEIGHT, 3, 16, Access::Read), (1, SUM, 4, 16, Access::Inc)]);
    let through = shape.touches[1].through.as_ref().unwrap();
    assert_eq!((through.entries, through.arity, through.used.clone()), (ROWS.as_flattened(), 2, 0..1));
    assert_eq!((shape.elements.len(), inputs.ends(SIDES)), (3, [3, 5]));
    let elems = [0, 1, 2, 3, 4].map(|arg| inputs.elem_of(arg));
    assert_eq!(elems, [Some(ElemType::F64), Some(ElemType::F64), None, Some(ElemType::F64), Some(ElemType::F64)]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "names")]
fn inputs_show_nothing_that_the_key_does_not_name() {
    let fixture = Fixture::new();
    let key = fixture.key();
    Inputs::new(&key, &fixture.mesh).map(UNUSED);
}
