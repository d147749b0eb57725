//! Lines of a name and words. The words may be any text: a line has no end inside.

/// A line, with its end.
pub(super) fn line(name: &str, words: &str) -> String {
    format!("{name} {}\n", words.replace('\\', r"\\").replace('\n', r"\n"))
}

/// The names and words of a text of such lines; `None` in place of what is none.
pub(super) fn read(text: &str) -> impl Iterator<Item = Option<(&str, String)>> {
    text.split_terminator('\n').map(|line| line.split_once(' ').and_then(|(name, words)| Some((name, plain(words)?))))
}

/// The words as they were before [`line`].
fn plain(words: &str) -> Option<String> {
    let (mut plain, mut rest) = (String::new(), words.chars());
    while let Some(next) = rest.next() {
        plain.push(match next {
            '\\' => match rest.next()? {
                '\\' => '\\',
                'n' => '\n',
                _ => return None,
            },
            other => other,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_words_are_read_as_they_were() {
        for words in ["", " ", "a b", "\"", "a\nb", "\n", "\\", "\\n", "\\\\n\n", "a\r", "\u{2028}\0é"] {
            let text = line("name", words) + &line("next", "");
            assert_eq!(text.matches('\n').count(), 2, "{text}");
            let expected = [Some(("name", words.to_owned())), Some(("next", String::new()))];
            assert_eq!(read(&text).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn what_is_no_line_is_none() {
        for text in ["name", "\n", "name \\", "name \\m"] {
            assert_eq!(read(text).collect::<Vec<_>>(), [None], "{text:?}");
        }
        assert_eq!(read("").count(), 0);
    }
}
