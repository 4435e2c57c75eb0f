//! URIs of documents, such as `file:///a%20b.yaml`, and paths of files.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The path of a file; `None` if the document is not a local file, such as a new unnamed one.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let path = percent_decode_str(path).decode_utf8().ok()?;
    Some(PathBuf::from(if cfg!(windows) {
        // `/c:/folder`.
        path.trim_start_matches('/')
    } else {
        &path
    }))
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> Uri {
    let path = path.to_string_lossy().replace('\\', "/");
    let path = utf8_percent_encode(path.trim_start_matches('/'), PATH);
    Uri(format!("file:///{path}"))
}

/// Characters that are not escaped in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_one_of_its_address() {
        let path = Path::new("/a b/c#d/ü%.yaml");
        assert_eq!(uri_of(path).0, "file:///a%20b/c%23d/%C3%BC%25.yaml");
        assert_eq!(path_of(&uri_of(path)).as_deref(), Some(path));
        let local = Uri("file://localhost/a.yaml".to_owned());
        assert_eq!(path_of(&local).as_deref(), Some(Path::new("/a.yaml")));
        for other in ["untitled:Untitled-1", "file://server/a.yaml", "https://a/b"] {
            assert_eq!(path_of(&Uri(other.to_owned())), None);
        }
    }
}
