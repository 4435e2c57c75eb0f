//! Reads that may fail, or are not needed.

use hpa_objects::recording::wire::NotRead;

pub(super) fn take<T>(
    not_read: &mut Vec<NotRead>,
    read: Result<T, NotRead>,
    store: impl FnOnce(T),
) {
    match read {
        Ok(value) => store(value),
        Err(reason) => not_read.push(reason),
    }
}

pub(super) async fn when<T>(condition: bool, read: impl Future<Output = T>) -> Option<T> {
    if condition { Some(read.await) } else { None }
}
