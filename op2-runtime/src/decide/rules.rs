//! Which source of strategies decides for a loop.

use crate::config::{self, Backend};
use crate::error::Error;
use crate::strategy::{Pin, Scheme, Strategies, Strategy};
use rustc_hash::FxHashMap;

/// All sources of strategies, the strongest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    pub(crate) given: Strategies,
    pub(crate) environment: Strategies,
    pub(crate) pinned: FxHashMap<String, Pin>,
    pub(crate) default: Strategy,
}

impl Rules {
    /// The name of the variable that [`Rules::environment`] is read from.
    pub(crate) const VARIABLE: &'static str = "OP2_STRATEGY";

    /// Parses the environment variable, if it is set.
    ///
    /// # Errors
    /// [`Error::Strategies`], which names the variable.
    pub(crate) fn environment(text: Option<&str>) -> Result<Strategies, Error> {
        let cause = |cause| Error::Strategies { variable: Self::VARIABLE, cause: Box::new(cause) };
        text.map_or(Ok(Strategies::default()), |text| text.parse().map_err(cause))
    }

    /// Checks that loops on this backend can follow all stated strategies.
    ///
    /// # Errors
    /// [`Error::EmptyBlock`], [`Error::DeviceStrategy`], [`Error::Isa`] with who asked for it.
    pub(crate) fn check(&self, backend: Backend) -> Result<(), Error> {
        can_follow(self.default.into(), None, "`Config::strategy`", backend)?;
        for (origin, list) in [("`Config::strategies`", &self.given), ("`OP2_STRATEGY`", &self.environment)] {
            let named = list.named().map(|(name, pin)| (Some(name), pin));
            let mut all = named.chain(list.others().map(|pin| (None, pin)));
            all.try_for_each(|(kernel, pin)| can_follow(pin, kernel, origin, backend))?;
        }
        Ok(())
    }

    /// Pins the strategy of a kernel's loops, as the program's code says.
    ///
    /// # Errors
    /// As [`Rules::check`].
    pub(crate) fn pin(&mut self, kernel: &str, pin: Pin, backend: Backend) -> Result<(), Error> {
        can_follow(pin, Some(kernel), "`Op2::pin`", backend)?;
        self.pinned.insert(kernel.to_owned(), pin);
        Ok(())
    }

    /// The entry for a kernel's loops, from the strongest source that has one.
    pub(crate) fn of(&self, kernel: &str) -> Pin {
        if self.given.is_empty() && self.environment.is_empty() && self.pinned.is_empty() {
            return self.default.into();
        }
        let given = self.given.of(kernel).or_else(|| self.environment.of(kernel));
        given.or_else(|| self.pinned.get(kernel).copied()).unwrap_or(self.default.into())
    }

    /// A line for each kernel that a source names, the program's code included, but `known` does not know.
    pub(crate) fn unused(&self, known: impl Fn(&str) -> bool) -> Vec<String> {
        let mut pinned: Vec<_> = self.pinned.iter().map(|(name, &pin)| (name, pin)).collect();
        pinned.sort_unstable_by_key(|&(name, _)| name);
        let of = |source: &'static str, list: &Strategies| {
            list.named().map(|(name, pin)| (source, name.to_owned(), pin)).collect::<Vec<_>>()
        };
        let code = pinned.into_iter().map(|(name, pin)| ("`Op2::pin`", name.clone(), pin));
        let all = of("`Config::strategies`", &self.given).into_iter().chain(of("`OP2_STRATEGY`", &self.environment));
        all.chain(code)
            .filter(|(_, name, _)| !known(name))
            .map(|(source, name, pin)| format!("no loop ran kernel `{name}`: `{name}={pin}` of {source} had no effect"))
            .collect()
    }
}

/// Checks that loops on a backend, those of a kernel or all, can follow a strategy by these instructions.
fn can_follow(pin: Pin, kernel: Option<&str>, origin: &'static str, backend: Backend) -> Result<(), Error> {
    let strategy = pin.strategy;
    let stated = || kernel.map_or(pin.to_string(), |kernel| format!("{kernel}={pin}"));
    if let Some(isa) = pin.isa {
        let origin = format!("strategy `{}` of {origin}: ", stated());
        if backend.on_host().is_none() {
            let reason = format!("devices have no instructions to choose from, leave out `/{isa}`");
            return Err(Error::Isa { origin, reason });
        }
        config::has(isa, origin)?;
    }
    if strategy.scheme().is_some_and(Scheme::is_empty) {
        return Err(Error::EmptyBlock { strategy: strategy.to_string() });
    }
    match backend.on_host() {
        Some((backend, _)) if strategy.needs_device() => {
            Err(Error::DeviceStrategy { strategy: stated(), origin, backend })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;
    use crate::strategy::NoStrategies;

    #[test]
    fn what_a_backend_cannot_follow_is_refused_where_it_is_stated() {
        let atomics = Strategy::atomics(256);
        let devices_only = [
            atomics,
            Strategy::block_atomics(64),
            Strategy::split_atomics(64, 2),
            Strategy::split_block_atomics(64, 2),
            Strategy::targets(64),
        ];
        let everywhere = ["auto", "predicted", "blocks:1", "colours:2", "scatter:3", "tiles:4", "owner:5", "split:6:7"];
        for (backend, name) in [(Backend::Seq, "seq"), (Backend::Threads(2), "threads")] {
            for strategy in devices_only {
                let refused = |rules: Rules, stated: &str| {
                    let error = rules.check(backend).unwrap_err().to_string();
                    let start =
                        format!("strategy `{stated}` runs on devices only, found backend `{name}`: use `predicted`");
                    assert!(
                        error.starts_with(&start.replace("` runs", &format!("` of {} runs", origin(&rules)))),
                        "{error}"
                    );
                };
                refused(Rules { default: strategy, ..Rules::default() }, &strategy.to_string());
                refused(
                    Rules { given: read(&strategy.to_string()).unwrap(), ..Rules::default() },
                    &strategy.to_string(),
                );
                let named = format!("k={strategy}");
                refused(Rules { environment: read(&format!("auto,{named}")).unwrap(), ..Rules::default() }, &named);
                let mut rules = Rules::default();
                let error = rules.pin("k", strategy.into(), backend).unwrap_err();
                assert!(error.to_string().contains("of `Op2::pin` runs on devices only"), "{error}");
                assert!(rules.pinned.is_empty(), "what fails changes nothing");
            }
            for strategy in everywhere {
                let rules = Rules { given: read(strategy).unwrap(), ..Rules::default() };
                assert_eq!(rules.check(backend), Ok(()), "{strategy}");
            }
        }
        for backend in [Backend::Cuda(0), Backend::CudaEmu] {
            let mut rules = Rules { default: atomics, ..Rules::default() };
            assert_eq!(rules.check(backend), Ok(()));
            assert_eq!(rules.pin("k", atomics.into(), backend), Ok(()));
        }
        let nothing = Strategy::blocks(0);
        let error = Error::EmptyBlock { strategy: "blocks:0".to_owned() };
        assert_eq!(Rules::default().pin("k", nothing.into(), Backend::CudaEmu), Err(error.clone()));
        assert_eq!(Rules { default: nothing, ..Rules::default() }.check(Backend::Seq), Err(error));
    }

    #[test]
    fn instructions_that_cannot_be_had_are_refused_where_they_are_stated() {
        let states = |pin: Pin, backend| Rules::default().pin("k", pin, backend).map_err(|e| e.to_string());
        let scalar = Strategy::blocks(8).by(Isa::Scalar);
        assert_eq!(states(scalar, Backend::Seq), Ok(()));
        assert_eq!(states(Strategy::Auto.by(Isa::best()), Backend::Threads(2)), Ok(()));
        let error = "strategy `k=blocks:8/scalar` of `Op2::pin`: devices have no instructions to choose from, leave out `/scalar`";
        assert_eq!(states(scalar, Backend::CudaEmu), Err(error.to_owned()));
        let rules = Rules { given: read("a=auto,predicted/scalar").unwrap(), ..Rules::default() };
        let error = rules.check(Backend::Cuda(0)).unwrap_err().to_string();
        assert!(error.starts_with("strategy `predicted/scalar` of `Config::strategies`: devices have no"), "{error}");
        if Isa::best() < Isa::Avx512 {
            let error = states(Strategy::Predicted.by(Isa::Avx512), Backend::Seq).unwrap_err();
            let start =
                "strategy `k=predicted/avx512` of `Op2::pin`: this processor does not have `avx512`, expected at most";
            assert!(error.starts_with(start), "{error}");
        }
    }

    /// The only source of these rules that states anything.
    fn origin(rules: &Rules) -> &'static str {
        match rules {
            Rules { given, .. } if !given.is_empty() => "`Config::strategies`",
            Rules { environment, .. } if !environment.is_empty() => "`OP2_STRATEGY`",
            _ => "`Config::strategy`",
        }
    }

    fn read(text: &str) -> Result<Strategies, String> {
        text.parse().map_err(|e: NoStrategies| e.to_string())
    }

    #[test]
    fn a_bad_text_in_the_environment_names_the_variable() {
        assert_eq!(Rules::environment(None), Ok(Strategies::default()));
        let error = Rules::environment(Some("")).unwrap_err().to_string();
        assert!(error.starts_with("environment variable `OP2_STRATEGY`: nothing is stated, expected"), "{error}");
        assert_eq!(Rules::environment(Some("a=auto")), Ok(read("a=auto").unwrap()));
        let error = Rules::environment(Some("a=best")).unwrap_err().to_string();
        assert!(error.starts_with("environment variable `OP2_STRATEGY`: entry 1: `best` is no strategy"), "{error}");
    }

    #[test]
    fn the_strongest_source_that_speaks_of_a_loop_holds() {
        let blocks = |size| Strategy::blocks(size);
        let pinned =
            [("code", blocks(3)), ("both", blocks(3)), ("all", blocks(3))].map(|(n, s)| (n.to_owned(), s.into()));
        let mut rules = Rules {
            given: read("all=blocks:1").unwrap(),
            environment: read("all=blocks:2,both=blocks:2").unwrap(),
            pinned: pinned.into_iter().collect(),
            default: blocks(4),
        };
        let found =
            |rules: &Rules| ["all", "both", "code", "none"].map(|k| rules.of(k).strategy.scheme().unwrap().size);
        assert_eq!(found(&rules), [1, 2, 3, 4]);
        // An entry for all loops in a stronger source overrides an entry for a single loop in a weaker one.
        rules.environment = read("all=blocks:2,blocks:5").unwrap();
        assert_eq!(found(&rules), [1, 5, 5, 5]);
        rules.given = read("both=blocks:1,blocks:6").unwrap();
        assert_eq!(found(&rules), [6, 1, 6, 6]);
        assert_eq!(Rules { default: blocks(7), ..Rules::default() }.of("any"), blocks(7).into());
    }

    #[test]
    fn names_without_a_loop_are_told() {
        let rules = Rules {
            given: read("here=auto,typo=auto,owner:9").unwrap(),
            environment: read("gone=blocks:2").unwrap(),
            pinned: ["here", "old"].map(|name| (name.to_owned(), Strategy::Auto.into())).into_iter().collect(),
            default: Strategy::Predicted,
        };
        let expected = [
            "no loop ran kernel `typo`: `typo=auto` of `Config::strategies` had no effect",
            "no loop ran kernel `gone`: `gone=blocks:2` of `OP2_STRATEGY` had no effect",
            "no loop ran kernel `old`: `old=auto` of `Op2::pin` had no effect",
        ];
        assert_eq!(rules.unused(|kernel| kernel == "here"), expected);
    }
}
