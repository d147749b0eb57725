//! The fingerprint of a decision: the machine, the loop and the mesh, in words and as a key.

use super::lines::line;
use crate::data::workers::processors;
use op2_cache::Key;

/// The machine, the loop and the mesh that a decision holds for. The key is the hash of all the words, so it is the
/// same in every run and build.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fingerprint {
    pub(crate) machine: Machine,
    pub(crate) over: Loop,
    pub(crate) mesh: Mesh,
}

/// The machine on which loops run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Machine {
    /// Version of op2.
    pub(crate) op2: String,
    /// The executor, with its number of threads.
    pub(crate) executor: String,
    /// The model of the processor as the system names it, else its architecture.
    pub(crate) cpu: String,
    /// The number of processors that the process may use.
    pub(crate) cpus: usize,
    /// Settings of the program or the environment that change plans or bodies: instructions, the kind of machine that is planned for.
    pub(crate) settings: String,
}

/// The loop as it is stated, with its bound arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loop {
    pub(crate) kernel: String,
    /// Operations per element.
    pub(crate) flops: u32,
    /// The instructions that are stated for it, if any.
    pub(crate) isa: Option<String>,
    /// For each argument its text, kind and, of dats, the value that it has for an element. Arguments that are switched off
    /// have none.
    pub(crate) args: Vec<String>,
}

/// The set that the loop runs over, and the maps that it goes through.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mesh {
    pub(crate) elements: String,
    pub(crate) maps: Vec<String>,
}

impl Fingerprint {
    /// All the words, a line each. Equal texts have equal words: every line has its name, the order is always the same, and
    /// only the lists of arguments and maps have any length.
    pub(crate) fn text(&self) -> String {
        let Fingerprint { machine, over, mesh } = self;
        let mut text = line("op2", &machine.op2);
        let mut add = |name, words: &str| text += &line(name, words);
        add("executor", &machine.executor);
        add("cpu", &machine.cpu);
        add("cpus", &machine.cpus.to_string());
        add("settings", &machine.settings);
        add("loop", &over.kernel);
        add("flops", &over.flops.to_string());
        over.isa.iter().for_each(|isa| add("isa", isa));
        over.args.iter().for_each(|arg| add("arg", arg));
        add("elements", &mesh.elements);
        mesh.maps.iter().for_each(|map| add("map", map));
        text
    }

    /// The hash of all the words.
    pub(crate) fn key(&self) -> Key {
        Key::of(&[("decision", self.text().as_bytes())])
    }
}

impl Machine {
    /// This machine, with the given executor and settings.
    pub(crate) fn here(executor: String, settings: String) -> Self {
        let cpus = processors();
        let listed = std::fs::read_to_string("/proc/cpuinfo").ok();
        let cpu = listed.as_deref().and_then(model).map_or_else(
            || format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            |name| format!("{name} ({})", std::env::consts::ARCH),
        );
        Machine { op2: env!("CARGO_PKG_VERSION").to_owned(), executor, cpu, cpus, settings }
    }
}

/// The model of the first processor in Linux's list of them.
fn model(listed: &str) -> Option<&str> {
    let (_, model) =
        listed.lines().filter_map(|line| line.split_once(':')).find(|(name, _)| name.trim() == "model name")?;
    Some(model.trim()).filter(|model| !model.is_empty())
}

/// The hash of numbers, the same on every machine.
pub(crate) fn hash(numbers: &[u32]) -> Key {
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    Key::of(&[("numbers", &bytes)])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A fingerprint for tests.
    pub(crate) fn sample() -> Fingerprint {
        let (op2, executor, cpu) = ("0.1.0".into(), "threads 2".into(), "a model".into());
        let machine = Machine { op2, executor, cpu, cpus: 2, settings: "avx2".into() };
        let over = Loop { kernel: "k".into(), flops: 3, isa: None, args: vec!["inc(a, m[0]): f64".into()] };
        Fingerprint { machine, over, mesh: Mesh { elements: "10 of edges".into(), maps: vec!["m: 0f".into()] } }
    }

    #[test]
    fn every_part_changes_the_key() {
        let changes: [fn(&mut Fingerprint); 11] = [
            |f| f.machine.op2.push('x'),
            |f| f.machine.executor.push('4'),
            |f| f.machine.cpu.push('x'),
            |f| f.machine.cpus += 1,
            |f| f.machine.settings.push('x'),
            |f| f.over.kernel.push('x'),
            |f| f.over.flops += 1,
            |f| f.over.isa = Some("scalar".into()),
            |f| f.over.args.push(String::new()),
            |f| f.mesh.elements.push('0'),
            |f| f.mesh.maps[0].push('0'),
        ];
        let mut keys = vec![sample().key()];
        for change in changes {
            let mut changed = sample();
            change(&mut changed);
            assert!(!keys.contains(&changed.key()));
            keys.push(changed.key());
        }
    }

    /// Words that look like the end of a line and the next one are words.
    #[test]
    fn words_pass_for_no_other_words() {
        let with = |args: &[&str], maps: &[&str]| {
            let mut about = sample();
            about.over.args = args.iter().map(|&arg| arg.to_owned()).collect();
            about.mesh.maps = maps.iter().map(|&map| map.to_owned()).collect();
            about.text()
        };
        let texts = [
            with(&["a", "b"], &["c", "d"]),
            with(&["a\narg b"], &["c", "d"]),
            with(&["a\\narg b"], &["c", "d"]),
            with(&["a", "b"], &["c\nmap d"]),
            with(&["a", "b", "c"], &["d"]),
        ];
        assert!((0..texts.len()).all(|n| !texts[..n].contains(&texts[n])), "{texts:?}");
    }

    #[test]
    fn keys_stay_the_same_from_build_to_build() {
        let key = hash(&[1, 2, 0xffff_fffe]).to_string();
        assert_eq!(key, "425c5eff7be766bb5de9abc4f59aa8a0b179b95bdddc5aadc26a2192f9398e15");
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
    }

    #[test]
    fn the_model_is_read_from_the_systems_list() {
        let listed =
            "processor\t: 0\nvendor_id : X\nmodel\t\t: 6\nmodel name\t: Some CPU @ 2 GHz\nmodel name : other\n";
        assert_eq!(model(listed), Some("Some CPU @ 2 GHz"));
        assert_eq!(model("processor : 0\nBogoMIPS : 50\n"), None);
        assert_eq!(model("model name :\n"), None);
        assert!(!Machine::here("seq".to_owned(), String::new()).cpu.is_empty());
    }
}
