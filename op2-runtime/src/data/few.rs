//! Lists of few items, each of them once. The arguments of a loop are few: to search a list of them takes no longer than to search a
//! tree or a table, which would be compiled anew for every type of item.

/// The distinct ones of these items, in the order in which they first occur.
pub(crate) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    items.into_iter().for_each(|item| insert(&mut list, item));
    list
}

/// Adds an item unless it is in the list.
pub(crate) fn insert<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
