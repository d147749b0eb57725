//! Reports of made-up loops with numbers known in advance.

use super::*;
use crate::inspect::{Elements, LoopShape, Through, Touch};
use crate::plan::Scheme;
use op2_core::Access;

/// Two loops: 3 s and 30 GB, 1 s and 2 GB, with a triad of 20 GB/s.
fn report() -> Report {
    let mut first = LoopStats::new("res_calc", "src/main.rs:10", "edges");
    first.record(1.0, 10_000_000_000);
    first.record(2.0, 20_000_000_000);
    first.computed(4_000_000_000);
    let entries = [0, 1, 1, 2];
    let through = Through { map: 0, entries: &entries, arity: 2, offsets: None, used: 0..2 };
    let touch = Touch { arg: 0, dat: 0, targets: 3, bytes: 8, access: Access::Inc, through: Some(through), own: false };
    let shape = LoopShape { elements: Elements::All(2), touches: vec![touch] };
    first.inspected(0.25, Some(&Plan::build(&shape, Scheme::blocks(1)).expect("sound")), None);
    let mut second = LoopStats::new("update", "src/main.rs:20", "cells");
    second.record(1.0, 2_000_000_000);
    let never = LoopStats::new("never_run", "src/main.rs:30", "cells");
    Report::new("threads", 2, 20.0, &[first, second, never])
}

#[test]
fn figures_follow_from_what_was_recorded() {
    let report = report();
    assert_eq!(report.loops.len(), 2);
    let row = &report.loops[0];
    assert_eq!((row.calls, row.seconds, row.useful_bytes), (2, 3.0, 30_000_000_000));
    assert_eq!(row.flops, 4_000_000_000);
    assert_eq!((row.gb_per_s, row.triad_share, row.time_share), (10.0, 0.5, 0.75));
    assert_eq!((row.plans, row.plan_seconds, row.blocks, row.colours), (1, 0.25, 2, 2));
    assert_eq!(row.strategy, "blocks of 1");
    assert_eq!((report.seconds(), report.gb_per_s()), (4.0, 8.0));
}

/// Of ten executions two were timed; one more was a trial, which was waited for.
#[test]
fn executions_that_were_not_timed_count_as_the_timed_ones() {
    let mut stats = LoopStats::new("flux", "src/main.rs:10", "edges");
    (0..10).for_each(|_| stats.launched(5));
    assert_eq!(Report::new("GPU", 0, 1.0, [&stats]).loops[0].seconds, 0.0, "nothing is known yet");
    [0.25, 0.75].into_iter().for_each(|seconds| stats.sampled(seconds));
    stats.record(8.0, 5);
    let row = &Report::new("GPU", 0, 1.0, [&stats]).loops[0];
    assert_eq!((row.calls, row.seconds, row.useful_bytes), (11, 13.0, 55));
    stats.restart();
    stats.record(1.0, 5);
    assert_eq!(Report::new("GPU", 0, 1.0, [&stats]).loops[0].seconds, 1.0);
}

#[cfg(feature = "json")]
#[test]
fn json_has_the_fields_that_programs_read() {
    let json = report().to_json();
    assert_eq!(
        (&json["backend"], &json["threads"], &json["triad_gb_per_s"]),
        (&"threads".into(), &2.into(), &20.0.into())
    );
    let row = &json["loops"][1];
    assert_eq!(
        (&row["name"], &row["set"], &row["calls"], &row["gb_per_s"], &row["strategy"]),
        (&"update".into(), &"cells".into(), &1.into(), &2.0.into(), &"sequential".into())
    );
}

#[test]
fn the_table_is_aligned() {
    let expected = "\
threads on 2 threads, triad 20.0 GB/s
loop       calls  seconds    time  useful GB  GB/s  of triad  plan ms  blocks  colours  strategy
---------------------------------------------------------------------------------------------------
res_calc       2    3.000  75.0 %     30.000  10.0    50.0 %   250.00       2        2  blocks of 1
update         1    1.000  25.0 %      2.000   2.0    10.0 %     0.00       -        -  sequential
---------------------------------------------------------------------------------------------------
all loops      3    4.000             32.000   8.0    40.0 %   250.00";
    assert_eq!(report().to_string(), expected);
}

/// Rows of one loop over several sets name them, in notes, too; all others look as ever.
#[test]
fn the_table_names_the_sets_of_a_loop_over_several() {
    let stats = |name: &str, place: &str, set: &str| {
        let mut stats = LoopStats::new(name, place, set);
        stats.record(1.0, 1_000_000_000);
        stats
    };
    let mut coarse = stats("flux", "src/main.rs:10", "coarse");
    coarse.noted("too short");
    let loops = [
        stats("flux", "src/main.rs:10", "fine"),
        coarse,
        stats("flux", "src/main.rs:30", "fine"),
        stats("update", "src/main.rs:40", "coarse"),
    ];
    let report = Report::new("threads", 2, 20.0, &loops);
    let expected = "\
threads on 2 threads, triad 20.0 GB/s
loop              calls  seconds    time  useful GB  GB/s  of triad  plan ms  blocks  colours  strategy
---------------------------------------------------------------------------------------------------------
flux over fine        1    1.000  25.0 %      1.000   1.0     5.0 %     0.00       -        -  sequential
flux over coarse      1    1.000  25.0 %      1.000   1.0     5.0 %     0.00       -        -  sequential
flux                  1    1.000  25.0 %      1.000   1.0     5.0 %     0.00       -        -  sequential
update                1    1.000  25.0 %      1.000   1.0     5.0 %     0.00       -        -  sequential
---------------------------------------------------------------------------------------------------------
all loops             4    4.000              4.000   1.0     5.0 %     0.00
flux over coarse (src/main.rs:10): too short";
    assert_eq!(report.to_string(), expected);
    #[cfg(feature = "pictures")]
    assert!(report.to_svg().contains("flux over coarse"));
}

#[test]
fn a_report_of_nothing_is_still_one() {
    let report = Report::new("seq", 1, 0.0, &[]);
    assert!(
        report.to_string().ends_with("all loops      0    0.000            0.000   0.0     0.0 %     0.00"),
        "{report}"
    );
    #[cfg(feature = "pictures")]
    assert!(report.to_svg().contains("</svg>"));
    #[cfg(feature = "json")]
    assert_eq!(report.to_json()["loops"], serde_json::json!([]));
}

#[cfg(feature = "pictures")]
mod pictures {
    use super::*;

    /// Left, top, right and bottom of a text, with wide characters assumed.
    type Extent = (f64, f64, f64, f64);

    fn texts(svg: &str) -> Vec<(String, Extent)> {
        let attribute = |tag: &str, name: &str| {
            let rest = tag.split_once(&format!("{name}=\"")).expect(name).1;
            rest.split('"').next().expect("closing quote").to_owned()
        };
        let one = |part: &str| {
            let (tag, rest) = part.split_once('>').expect("end of tag");
            let text = rest.split('<').next().expect("end of text").trim().to_owned();
            let number = |name| attribute(tag, name).parse::<f64>().expect("a number");
            let (x, y, size) = (number("x"), number("y"), number("font-size"));
            let width = 0.62 * size * text.chars().count() as f64;
            let left = match attribute(tag, "text-anchor").as_str() {
                "start" => x,
                "middle" => x - width / 2.0,
                _ => x - width,
            };
            (text, (left, y - size / 2.0, left + width, y + size / 2.0))
        };
        svg.split("<text ").skip(1).map(one).collect()
    }

    #[test]
    fn no_text_of_the_picture_meets_another_or_leaves_it() {
        for (loops, triad) in [(1, 20.0), (5, 28.4), (30, 0.31), (30, 412.5), (8, 0.0)] {
            let stats = (0..loops).map(|i| {
                let name = format!("kernel_{i}_{}", "with_a_name_".repeat(i % 5));
                let mut stats = LoopStats::new(name, "src/main.rs:1", "cells");
                stats.record(0.1 + 0.3 * (i % 3) as f64, 1_000_000_000 << (i % 9));
                stats
            });
            let report = Report::new("threads", 64, triad, &stats.collect::<Vec<_>>());
            let texts = texts(&report.to_svg());
            assert!(texts.len() > 4 * loops, "every loop has its texts");
            for (i, (text, a)) in texts.iter().enumerate() {
                assert!(a.0 >= 0.0 && a.2 <= 960.0, "`{text}` leaves the picture: {a:?}");
                for (other, b) in &texts[..i] {
                    let disjoint = a.2 < b.0 || b.2 < a.0 || a.3 < b.1 || b.3 < a.1;
                    assert!(disjoint, "`{text}` meets `{other}`: {a:?}, {b:?}");
                }
            }
        }
    }
}
