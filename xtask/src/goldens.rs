//! The CUDA code of the goldens, each with the definitions at its head.

use crate::apps::{Text, sorted_files};
use crate::{Result, file_error};
use std::fs;
use std::path::Path;

/// The origins of their texts start with this.
const GOLDEN: &str = "golden ";

/// Whether an origin is that of a golden.
pub(crate) fn is_golden(from: &str) -> bool {
    from.starts_with(GOLDEN)
}

/// Whether it is a golden in another layout than the first. Layouts change indices alone.
pub(crate) fn is_in_further_layout(text: &Text) -> bool {
    let layouts = ["cuda soa", "cuda blocked"];
    is_golden(&text.from) && layouts.iter().any(|layout| text.from.ends_with(layout))
}

/// The texts of all goldens, in every layout of dats.
pub(crate) fn texts() -> Result<Vec<Text>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let mut texts = Vec::new();
    let files = sorted_files(&folder)?.iter().map(|case| sorted_files(case)).collect::<Result<Vec<_>>>()?;
    for path in files.into_iter().flatten().filter(|file| file.extension().is_some_and(|e| e == "cu")) {
        let golden = fs::read_to_string(&path).map_err(file_error(&path))?;
        let name = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
        let name = name.display();
        // Loops in stages access data by the same functions as others, so one layout suffices.
        let [aos, soa, blocked] = [("Aos", 1), ("Soa", 720_000), ("Blocked", 64)];
        let layouts = if path.ends_with("cuda.cu") { &[aos, soa, blocked][..] } else { &[soa] };
        for (layout, stride) in layouts {
            let lines = golden.lines().map(|line| match line.split_once(' ') {
                Some(("#define", rest)) if rest.starts_with("OP2_LAYOUT_") => {
                    line.replace(" Aos", &format!(" {layout}"))
                }
                Some(("#define", rest)) if rest.starts_with("OP2_STRIDE_") => line.replace(" 1", &format!(" {stride}")),
                _ => line.to_owned(),
            });
            let text = format!("{}{}\n", op2_device::language::cuda::HEADER, lines.collect::<Vec<_>>().join("\n"));
            texts.push(Text { from: format!("{GOLDEN}{name} {}", layout.to_lowercase()), text });
        }
    }
    Ok(texts)
}
