//! Metrics: values between nodes, lengths, presets, and metrics as text.

use adapt::mesh::{Kind as MeshKind, Mesh};
use adapt::metric::{self, Frame, Kind, LLOW, LUP, Metric, Preset, Tensor, length};

fn square() -> Mesh {
    MeshKind::Structured.mesh(200, 0).unwrap()
}

#[test]
fn a_bilinear_field_is_exact_and_ends_at_the_border() {
    let f = |[x, y]: [f64; 2]| [3.0 + 2.0 * x - y + 0.5 * x * y, 0.25 * x * y - 0.1, 4.0 + y];
    let mut mesh = square();
    mesh.vertices.iter_mut().for_each(|place| *place = [3.0 * place[0] - 1.0, 0.5 * place[1] + 2.0]);
    let metric = Metric::over(&mesh, [7, 4], f);
    assert_eq!((metric.origin, metric.values.len()), ([-1.0, 2.0], 28));
    for point in [[-1.0, 2.0], [2.0, 2.5], [0.1, 2.2], [1.999, 2.01], [0.5, 2.5], [-0.5, 2.0 + 0.5 / 3.0]] {
        for (found, expected) in metric.at(point).into_iter().zip(f(point)) {
            assert!((found - expected).abs() < 1e-13, "{point:?}: {found} {expected}");
        }
    }
    for (outside, nearest) in [([-5.0, 2.2], [-1.0, 2.2]), ([1.5, 9.0], [1.5, 2.5]), ([7.0, -7.0], [2.0, 2.0])] {
        assert_eq!(metric.at(outside), metric.at(nearest));
    }
    assert_eq!(metric.at_vertices(&mesh)[5], metric.at(mesh.vertices[5]));
}

#[test]
fn lengths_are_those_of_the_mean_tensor() {
    assert_eq!(length([1.0, 1.0], [4.0, 5.0], [1.0, 0.0, 1.0], [1.0, 0.0, 1.0]), 5.0);
    // eᵀ½(A + B)e with e = (1, 2): ½(2 + 4)·1 + 2·½(1 - 3)·2 + ½(5 + 7)·4 = 3 - 4 + 24
    let long = length([0.0, 0.0], [1.0, 2.0], [2.0, 1.0, 5.0], [4.0, -3.0, 7.0]);
    assert!((long - 23.0_f64.sqrt()).abs() < 1e-15, "{long}");
    assert_eq!(long, length([1.0, 2.0], [0.0, 0.0], [4.0, -3.0, 7.0], [2.0, 1.0, 5.0]));
    assert_eq!(LLOW, 0.5 * LUP);
}

#[test]
fn uniform_metrics_measure_in_sizes_of_the_mesh() {
    let mesh = square();
    let tensor = Metric::uniform(&mesh, 0.35).at([0.3, 0.9]);
    let expected = (0.35_f64 / 0.1).powi(2);
    assert!((tensor[0] - expected).abs() < 1e-12 && tensor[0] == tensor[2] && tensor[1] == 0.0, "{tensor:?}");
    // The side of a cell is as long as the scale says.
    let side = length([0.0, 0.0], [0.1, 0.0], tensor, tensor);
    assert!((side - 0.35).abs() < 1e-15, "{side}");
}

/// Every preset asks for S² times as many facets as there are, whatever the box; near narrow features, between nodes,
/// for some more.
#[test]
fn presets_ask_for_as_many_facets_as_uniform_metrics() {
    let mut mesh = MeshKind::Jittered.mesh(20_000, 1).unwrap();
    for stretch in [1.0, 8.0] {
        mesh.vertices.iter_mut().for_each(|place| place[0] *= stretch);
        for kind in Kind::ALL {
            for time in [0.0, 0.6] {
                let metric = Preset { kind, scale: 0.7 }.metric(&Frame::of(&mesh), time);
                metric.check().unwrap_or_else(|e| panic!("{kind}: {e}"));
                let area: f64 = (0..mesh.facets.len())
                    .map(|f| mesh.corners(f))
                    .map(|corners| {
                        let middle = [0, 1].map(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0);
                        metric::area(&corners, [metric.at(middle); 3])
                    })
                    .sum();
                let facets = 2.0 * area;
                let ratio = metric.facets(&mesh) / (0.49 * mesh.facets.len() as f64);
                assert!((ratio - 1.0).abs() < 1e-9, "{kind} at {time}: {ratio}");
                let ratio = facets / (0.49 * mesh.facets.len() as f64);
                assert!((ratio - 1.0).abs() < 0.05, "{kind} at {time}: {ratio}");
            }
        }
    }
}

/// The lengths of a short step across the feature and along it.
fn steps(tensor: Tensor, across: [f64; 2]) -> [f64; 2] {
    let along = [-across[1], across[0]];
    [across, along].map(|to| length([0.0, 0.0], to, tensor, tensor))
}

#[test]
fn features_are_where_they_are_said_to_be() {
    let frame = Frame::of(&MeshKind::Structured.mesh(80_000, 0).unwrap());
    let of = |kind, time| Preset { kind, scale: 1.0 }.metric(&frame, time);
    let ratio = |metric: &Metric, at: [f64; 2], across: [f64; 2]| {
        let [across, along] = steps(metric.at(at), across);
        across / along
    };
    // At y = ¼ the front is upright.
    let shock = of(Kind::Shock, 0.0);
    assert!((ratio(&shock, [0.65, 0.25], [1.0, 0.0]) - 20.0).abs() < 1.0);
    assert!((ratio(&shock, [0.2, 0.25], [1.0, 0.0]) - 1.0).abs() < 1e-6);
    let slope = 0.15 * std::f64::consts::TAU;
    let long = slope.hypot(1.0);
    let across = [1.0 / long, -slope / long];
    assert!((ratio(&shock, [0.5, 0.0], across) - 20.0).abs() < 1.0, "{}", ratio(&shock, [0.5, 0.0], across));
    assert!(shock == of(Kind::Shock, 0.5), "it stands still");
    // In a box of another shape the direction across is normal to the front, too.
    let wide = Frame { bounds: [[0.0, 0.0], [4.0, 1.0]], ..frame };
    let wide = Preset { kind: Kind::Shock, scale: 1.0 }.metric(&wide, 0.0);
    let long = (4.0 * slope).hypot(1.0);
    let across = [1.0 / long, -4.0 * slope / long];
    assert!((ratio(&wide, [2.0, 0.0], across) - 20.0).abs() < 1.5, "{}", ratio(&wide, [2.0, 0.0], across));
    let layer = of(Kind::Layer, 0.0);
    assert!((ratio(&layer, [0.7, 0.0], [0.0, 1.0]) - 50.0).abs() < 1e-9);
    assert!((ratio(&layer, [0.1, 0.5], [0.0, 1.0]) - 1.0).abs() < 1e-9);
    for (time, radius) in [(0.0, 0.1), (0.5, 0.275), (1.0, 0.45)] {
        let ring = of(Kind::Moving, time);
        assert!((ratio(&ring, [0.5 + radius, 0.5], [1.0, 0.0]) - 20.0).abs() < 1.0, "{time}");
        assert!((ratio(&ring, [0.5, 0.5 - radius], [0.0, 1.0]) - 20.0).abs() < 1.0, "{time}");
    }
    assert!((ratio(&of(Kind::Moving, 1.0), [0.6, 0.5], [1.0, 0.0]) - 1.0).abs() < 1e-6);
}

#[test]
fn presets_are_stated_by_name_and_scale() {
    for kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(Preset { kind, scale: 1.0 }));
        assert_eq!(format!("{kind}:0.35").parse(), Ok(Preset { kind, scale: 0.35 }));
    }
    let said = |text: &str| text.parse::<Preset>().unwrap_err();
    assert_eq!(said("shook:2"), "`shook` is no preset, expected one of `uniform`, `shock`, `layer`, `moving`");
    for word in ["", "0", "-1", "nan", "inf", "1e9", "x", "1:2"] {
        let expected = format!("`uniform` has the scale `{word}`, expected a number from 0.001 to 1000");
        assert_eq!(said(&format!("uniform:{word}")), expected);
    }
}

type Break = &'static dyn Fn(&mut Metric);

#[test]
fn bad_metrics_are_refused_with_the_node() {
    let said = |change: &dyn Fn(&mut Metric)| {
        let mut metric = Metric::over(&square(), [3, 2], |_| [2.0, 1.0, 2.0]);
        change(&mut metric);
        metric.check().map_or_else(|e| e.to_string(), |()| "nothing".into())
    };
    let at_4 = "node 4 of 6: its tensor [";
    let cases: [(Break, &str); 14] = [
        (&|_| (), "nothing"),
        (
            &|m| m.values[4] = [2.0, 2.0, 2.0],
            "node 4 of 6: its tensor [2e0, 2e0, 2e0], in column 1 of 3 and row 1 of 2",
        ),
        (&|m| m.values[4] = [-2.0, 0.0, -2.0], at_4),
        (&|m| m.values[4] = [2.0, 0.0, 0.0], at_4),
        (&|m| m.values[4] = [0.0, 0.0, 0.0], at_4),
        (&|m| m.values[4] = [1.0, 1.0 - 1e-15, 1.0], at_4),
        (&|m| m.values[4][0] = f64::NAN, at_4),
        (&|m| m.values[4][1] = f64::NAN, at_4),
        (&|m| m.values[4][1] = f64::INFINITY, at_4),
        (&|m| m.values[4][2] = f64::INFINITY, at_4),
        (&|m| m.values.iter_mut().flatten().for_each(|entry| *entry *= 1e-200), "nothing"),
        (&|m| m.nodes = [6, 1], "the metric has 6 by 1 nodes, expected at least 2 by 2"),
        (&|m| m.values.truncate(5), "`values` has 5 entries, expected 6: one for each of the nodes"),
        (&|m| m.spacing[1] = 0.0, "the nodes of the metric are 5e-1 and 0e0 apart"),
    ];
    for (change, expected) in cases {
        let said = said(change);
        assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
    }
}

#[test]
fn a_file_holds_every_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("metric");
    let mesh = square();
    let metric = Preset { kind: Kind::Shock, scale: 1.0 / 3.0 }.metric(&Frame::of(&mesh), 0.0);
    metric.write(&path).unwrap();
    assert!(Metric::read(&path, &mesh).unwrap() == metric);
}

#[test]
fn bad_files_are_refused_with_the_line() {
    let good = "2 3\n1 0 1\n1 0 1\n1 0 1\n\n1 0 1\n1 0.5 1\n1 0 1\n";
    let said = |from: &str, to: &str| {
        let text = good.replacen(from, to, 1);
        assert!(from.is_empty() || text != good, "`{from}` is not in the text");
        Metric::parse(text.as_bytes(), "m", &square()).map_or_else(|e| e.to_string(), |_| "nothing".into())
    };
    for (from, to, expected) in [
        ("", "", "nothing"),
        ("2 3", "2", "`m`, line 1: the line of counts: found 1 values, expected 2: `nx ny`"),
        ("2 3", "1 6", "`m`, line 1: the line of counts: value 1: `nx` is 1 (valid: 2..="),
        ("2 3", "2 1", "`m`, line 1: the line of counts: value 2: `ny` is 1 (valid: 2..="),
        ("2 3", "2000000000 2000000000", "`m`, line 1: 2000000000 by 2000000000 nodes are more than 32 bits number"),
        ("2 3", "2 4", "`m`, line 9: the file ends before node 6 of 8, expected `m00 m01 m11`"),
        ("2 3", "2 2", "`m`, line 7: expected the end of the file, found `1 0.5 1`"),
        ("0.5", "x", "`m`, line 7: node 4 of 6: value 2: `x` is not a finite number"),
        ("0.5", "inf", "`m`, line 7: node 4 of 6: value 2: `inf` is not a finite number"),
        ("0.5 1", "0.5", "`m`, line 7: node 4 of 6: found 2 values, expected 3: `m00 m01 m11`"),
        (
            "0.5",
            "-1.5",
            "`m`, line 7: node 4 of 6: its tensor [1e0, -1.5e0, 1e0], in column 0 of 2 and row 2 of 3, is not",
        ),
    ] {
        let said = said(from, to);
        assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
    }
}
