//! The name that a mistyped one probably means.

/// The candidate with the smallest edit distance, if that is small.
pub(in crate::parse) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.len() + 1) / 3;
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, by rows of the dynamic programme.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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
        for (a, b, d) in [("", "abc", 3), ("kitten", "sitting", 3), ("max", "max", 0)] {
            assert_eq!((distance(a, b), distance(b, a)), (d, d));
        }
    }
}
