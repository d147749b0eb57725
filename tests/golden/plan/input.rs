#[op2::kernel]
fn spread(weight: &f64, sum: &mut f64) {
    *sum += *weight;
}

fn run(op: &mut Op2) -> op2::Result<()> {
    let plan = op_plan!(op, spread, edges, read(w), inc(s, ends[0]))?;
    println!("{plan}");
    Ok(())
}
