//! The cache on disk: an entry comes back as it was put, and nothing else does.

use op2_cache::{Cache, Key};
use std::path::PathBuf;

/// A cache with one valid entry, and the file of that entry.
fn filled() -> (tempfile::TempDir, Cache, Key, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("made/on/demand"));
    let key = Key::of(&[("text", b"void f();"), ("arch", b"sm_90")]);
    assert_eq!(cache.get(&key), None, "nothing was put yet");
    cache.put(&key, b"machine code").unwrap();
    let mut files = std::fs::read_dir(folder.path().join("made/on/demand")).unwrap();
    let file = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none(), "no temporary file is left behind");
    (folder, cache, key, file)
}

#[test]
fn what_was_put_comes_back() {
    let (_folder, cache, key, _) = filled();
    assert_eq!(cache.get(&key).as_deref(), Some(&b"machine code"[..]));
    cache.put(&key, b"").unwrap();
    assert_eq!(cache.get(&key).as_deref(), Some(&b""[..]));
}

#[test]
fn every_part_and_its_length_counts() {
    let keys = [
        Key::of(&[]),
        Key::of(&[("", b"")]),
        Key::of(&[("a", b"b")]),
        Key::of(&[("ab", b"")]),
        Key::of(&[("", b"ab")]),
        Key::of(&[("b", b"a")]),
        Key::of(&[("a", b"b"), ("c", b"d")]),
        Key::of(&[("c", b"d"), ("a", b"b")]),
    ];
    for (n, key) in keys.iter().enumerate() {
        assert_eq!(keys.iter().position(|other| other == key), Some(n));
    }
    assert_eq!(keys[2], Key::of(&[("a", b"b")]), "the same in every process");
    assert_eq!(
        keys[0].to_string(),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "SHA-256 of nothing"
    );
}

#[test]
fn a_truncated_entry_is_absent() {
    let (_folder, cache, key, file) = filled();
    let entry = std::fs::read(&file).unwrap();
    for length in 0..entry.len() {
        std::fs::write(&file, &entry[..length]).unwrap();
        assert_eq!(cache.get(&key), None, "cut to {length} bytes");
    }
    let longer = [&entry[..], b"!"].concat();
    std::fs::write(&file, longer).unwrap();
    assert_eq!(cache.get(&key), None, "with a byte too many");
    cache.put(&key, b"again").unwrap();
    assert_eq!(cache.get(&key).as_deref(), Some(&b"again"[..]));
}

#[test]
fn an_entry_with_a_flipped_bit_is_absent() {
    // The bytes include the magic, the version and the key.
    let (_folder, cache, key, file) = filled();
    let entry = std::fs::read(&file).unwrap();
    for at in 0..entry.len() {
        let mut damaged = entry.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(cache.get(&key), None, "byte {at} was changed");
    }
}

#[test]
fn another_version_is_absent() {
    let (_folder, cache, key, file) = filled();
    let mut entry = std::fs::read(&file).unwrap();
    assert_eq!(entry[8..12], 1u32.to_le_bytes(), "the version stands after the magic");
    entry[8..12].copy_from_slice(&2u32.to_le_bytes());
    std::fs::write(&file, entry).unwrap();
    assert_eq!(cache.get(&key), None);
}

#[test]
fn a_foreign_file_is_absent_and_replaced() {
    let (_folder, cache, key, file) = filled();
    std::fs::write(&file, b"\x7fELF and a lot more that is not ours, longer than the head of an entry is".repeat(4))
        .unwrap();
    assert_eq!(cache.get(&key), None);
    cache.put(&key, b"ours").unwrap();
    assert_eq!(cache.get(&key).as_deref(), Some(&b"ours"[..]));
}

#[test]
fn an_entry_under_another_name_is_absent() {
    let (_folder, cache, _, file) = filled();
    let other = Key::of(&[("text", b"void g();")]);
    std::fs::rename(&file, file.with_file_name(other.to_string())).unwrap();
    assert_eq!(cache.get(&other), None);
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    // A file in place of the folder, because missing permissions would not stop root.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let cache = Cache::at(file);
    let key = Key::of(&[]);
    assert!(cache.put(&key, b"x").is_err());
    assert_eq!(cache.get(&key), None);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_reported_and_can_still_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, cache, key, file) = filled();
    let folder = file.parent().unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o500)).unwrap();
    let root = std::fs::File::create(folder.join("probe")).is_ok();
    let other = Key::of(&[("other", b"")]);
    let put = cache.put(&other, b"x");
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(put.is_ok(), root, "root may write everywhere");
    assert_eq!(cache.get(&key).as_deref(), Some(&b"machine code"[..]));
}

#[test]
fn writers_at_once_leave_one_whole_entry() {
    let (_folder, cache, key, file) = filled();
    let payloads: Vec<Vec<u8>> = (0..4u8).map(|n| vec![n; 10_000 + usize::from(n)]).collect();
    std::thread::scope(|scope| {
        for payload in &payloads {
            scope.spawn(|| (0..50).for_each(|_| cache.put(&key, payload).unwrap()));
        }
        scope.spawn(|| {
            for _ in 0..200 {
                let got = cache.get(&key).expect("there is always a whole entry");
                assert!(got == b"machine code" || payloads.contains(&got));
            }
        });
    });
    assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}
