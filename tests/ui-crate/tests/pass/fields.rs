//! Loops over fields of a struct, as tail expressions, in closures, with computed indices and flags.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn run(a: &f64, b: &mut f64) {
    *b += *a;
}

#[op2::kernel]
fn clear(a: Option<&mut f64>, b: &mut f64) {
    if let Some(a) = a {
        *a = 0.0;
    }
    *b = 0.0;
}

struct Handles {
    u: Dat<Nodes, f64>,
    sums: [Dat<Nodes, f64>; 2],
}

struct Solver {
    op: Op2,
    nodes: Set<Nodes>,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    dats: Handles,
    verbose: bool,
}

impl Solver {
    fn run(&mut self, from: usize) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            run,
            self.edges,
            read(self.dats.u, self.ends[from]),
            inc(self.dats.sums[0], self.ends[(from + 1) % 2]),
        )
    }

    fn clear(&mut self) -> op2::Result<()> {
        let mut clear_one = |n: usize| {
            op_par_loop!(
                self.op,
                clear,
                self.nodes,
                opt(self.verbose && n == 0, write(self.dats.u)),
                write(self.dats.sums[n])
            )
        };
        clear_one(0).and_then(|()| clear_one(1))
    }

    fn blocks(&mut self) -> op2::Result<usize> {
        let plan = op_plan!(
            self.op,
            run,
            self.edges,
            read(self.dats.u, self.ends[0]),
            inc(self.dats.sums[0], self.ends[{ 1 }])
        )?;
        Ok(plan.blocks())
    }
}

fn solver() -> op2::Result<Solver> {
    let mut op = Op2::with(Config::default().backend(Backend::Threads(2)))?;
    let nodes = op.decl_set("nodes", 3)?;
    let edges = op.decl_set("edges", 2)?;
    let ends = op.decl_map("ends", edges, nodes, &[[0i64, 1], [1, 2]])?;
    let dats = Handles {
        u: op.decl_dat("u", nodes, &[1.0, 2.0, 4.0])?,
        sums: [op.decl_dat("sum", nodes, &[0.0; 3])?, op.decl_dat("other", nodes, &[5.0; 3])?],
    };
    Ok(Solver { op, nodes, edges, ends, dats, verbose: true })
}

fn main() -> op2::Result<()> {
    let mut solver = solver()?;
    solver.run(0)?;
    solver.run(1)?;
    assert_eq!(solver.op.fetch(solver.dats.sums[0])?, [2.0, 5.0, 2.0]);
    solver.clear()?;
    assert_eq!(solver.op.fetch(solver.dats.sums[1])?, [0.0; 3]);
    assert_eq!(solver.op.fetch(solver.dats.u)?, [0.0; 3]);
    assert!(solver.run(2).is_err());
    assert!(solver.blocks()? > 0);
    Ok(())
}
