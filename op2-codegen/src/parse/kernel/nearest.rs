//! The name that a mistyped one probably means.

/// The candidate with the smallest edit distance, if that is small.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.len() + 1) / 3;
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters are to be added, removed, replaced or swapped with the next one: Levenshtein's distance with swaps, by rows of
/// the dynamic programme.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (mut before, mut above): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let swapped = i > 1 && j > 1 && (a[i - 1], a[i - 2]) == (b[j - 2], b[j - 1]);
            let swapped = if swapped { before[j - 2] + 1 } else { replaced };
            row.push(replaced.min(swapped).min(above[j] + 1).min(row[j - 1] + 1));
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_probable_name() {
        let names = ["sqrt", "sin", "powi", "powf", "is_nan"];
        assert_eq!(nearest("sqr", names), Some("sqrt"));
        assert_eq!(nearest("isnan", names), Some("is_nan"));
        assert_eq!(nearest("collect", names), None);
    }

    #[test]
    fn distances_are_symmetric() {
        for (a, b, d) in
            [("", "abc", 3), ("kitten", "sitting", 3), ("max", "max", 0), ("cueb", "cube", 1), ("abc", "cba", 2)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (d, d));
        }
    }
}
