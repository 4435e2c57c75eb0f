//! The order in which Go's sort leaves equal elements. The controller prints selectors in it.

use std::ops::Range;

/// Up to this many elements, equal ones keep their order.
const FEW: usize = 12;

/// From this many elements on, the pivot choice and nearly sorted ranges get extra checks.
const MANY: usize = 50;

/// Sorts exactly as `sort.Sort` of Go 1.19 to at least 1.26. That sort is not stable, and each of its steps affects
/// where equal elements end up. Kubernetes up to 1.24 is built with an older Go and may order more than 12 elements
/// differently.
pub(super) fn go_sort<T>(elements: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    let all = 0..elements.len();
    let bad_pivots = bits(elements.len());
    Sort { elements, is_less }.pattern_defeating_quicksort(all, bad_pivots);
}

struct Sort<'a, T, Less> {
    elements: &'a mut [T],
    is_less: Less,
}

/// What a sample of a range looks like.
#[derive(PartialEq, Eq)]
enum RangeSample {
    Rising,
    Falling,
    Mixed,
}

impl<T, Less: Fn(&T, &T) -> bool> Sort<'_, T, Less> {
    fn is_less(&self, left: usize, right: usize) -> bool {
        (self.is_less)(&self.elements[left], &self.elements[right])
    }

    /// Upstream: `pdqsort`. Falls back to heapsort after too many bad pivots.
    fn pattern_defeating_quicksort(&mut self, mut range: Range<usize>, mut bad_pivots: u32) {
        let (mut was_balanced, mut was_partitioned) = (true, true);
        loop {
            if range.len() <= FEW {
                return self.insertion_sort(range);
            }
            if bad_pivots == 0 {
                return self.heap_sort(range);
            }
            if !was_balanced {
                self.break_patterns(&range);
                bad_pivots -= 1;
            }
            let (mut pivot, mut sample) = self.choose_pivot(&range);
            if sample == RangeSample::Falling {
                self.elements[range.clone()].reverse();
                pivot = range.end - 1 - (pivot - range.start);
                sample = RangeSample::Rising;
            }
            let looks_sorted = was_balanced && was_partitioned && sample == RangeSample::Rising;
            if looks_sorted && self.partial_insertion_sort(&range) {
                return;
            }
            // No element here is less than the one before the range. If the pivot is not greater either, all its equals
            // can be moved to the front.
            if range.start > 0 && !self.is_less(range.start - 1, pivot) {
                range.start = self.partition_equal(&range, pivot);
                continue;
            }
            let middle;
            (middle, was_partitioned) = self.partition(&range, pivot);
            let (left, right) = (range.start..middle, middle + 1..range.end);
            // Upstream counts the pivot as part of the right side.
            let is_right_larger = left.len() < range.end - middle;
            let smaller = left.len().min(range.end - middle);
            was_balanced = smaller >= range.len() / 8;
            let (first, then) = if is_right_larger {
                (left, right)
            } else {
                (right, left)
            };
            self.pattern_defeating_quicksort(first, bad_pivots);
            range = then;
        }
    }

    /// Upstream: `insertionSort`.
    fn insertion_sort(&mut self, range: Range<usize>) {
        for next in range.start + 1..range.end {
            self.shift_left(next, range.start);
        }
    }

    /// Swaps an element toward `first` while it is less than the one before it.
    fn shift_left(&mut self, element: usize, first: usize) {
        for place in (first + 1..=element).rev() {
            if !self.is_less(place, place - 1) {
                break;
            }
            self.elements.swap(place, place - 1);
        }
    }

    /// Upstream: `heapSort`.
    fn heap_sort(&mut self, range: Range<usize>) {
        for root in (0..range.len().div_ceil(2)).rev() {
            self.sift_down(root, range.len(), range.start);
        }
        for last in (0..range.len()).rev() {
            self.elements.swap(range.start, range.start + last);
            self.sift_down(0, last, range.start);
        }
    }

    /// Upstream: `siftDown`. The heap has `size` elements and starts at `first`.
    fn sift_down(&mut self, mut root: usize, size: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= size {
                return;
            }
            if child + 1 < size && self.is_less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.is_less(first + root, first + child) {
                return;
            }
            self.elements.swap(first + root, first + child);
            root = child;
        }
    }

    /// Moves elements less than the pivot before it. Returns the new position of the pivot, and whether the range was
    /// partitioned already. Upstream: `partition`.
    fn partition(&mut self, range: &Range<usize>, pivot: usize) -> (usize, bool) {
        let first = range.start;
        self.elements.swap(first, pivot);
        let (mut left, mut right) = (first + 1, range.end - 1);
        let mut swaps = 0;
        loop {
            while left <= right && self.is_less(left, first) {
                left += 1;
            }
            while left <= right && !self.is_less(right, first) {
                right -= 1;
            }
            if left > right {
                break;
            }
            self.elements.swap(left, right);
            swaps += 1;
            left += 1;
            right -= 1;
        }
        self.elements.swap(right, first);
        (right, swaps == 0)
    }

    /// Moves elements equal to the pivot to the front; no element is less. Returns where the rest starts. Upstream:
    /// `partitionEqual`.
    fn partition_equal(&mut self, range: &Range<usize>, pivot: usize) -> usize {
        let first = range.start;
        self.elements.swap(first, pivot);
        let (mut left, mut right) = (first + 1, range.end - 1);
        loop {
            while left <= right && !self.is_less(first, left) {
                left += 1;
            }
            while left <= right && self.is_less(first, right) {
                right -= 1;
            }
            if left > right {
                return left;
            }
            self.elements.swap(left, right);
            left += 1;
            right -= 1;
        }
    }

    /// Fixes a few misplaced elements of a nearly sorted range. Returns whether it is sorted now. Upstream:
    /// `partialInsertionSort`.
    fn partial_insertion_sort(&mut self, range: &Range<usize>) -> bool {
        const MOST_MENDED: usize = 5;
        let mut next = range.start + 1;
        for _ in 0..MOST_MENDED {
            while next < range.end && !self.is_less(next, next - 1) {
                next += 1;
            }
            if next == range.end {
                return true;
            }
            if range.len() < MANY {
                return false;
            }
            self.elements.swap(next, next - 1);
            if next - range.start >= 2 {
                self.shift_left(next - 1, 0);
            }
            if range.end - next >= 2 {
                for place in next + 1..range.end {
                    if !self.is_less(place, place - 1) {
                        break;
                    }
                    self.elements.swap(place, place - 1);
                }
            }
        }
        false
    }

    /// Swaps three elements in the middle with pseudo-random ones; the choice depends only on the length. Upstream:
    /// `breakPatterns`.
    fn break_patterns(&mut self, range: &Range<usize>) {
        let length = range.len();
        let mut random = length as u64;
        let modulus = 1_u64 << bits(length);
        let middle = range.start + length / 4 * 2;
        for place in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut other = usize::try_from(random % modulus).unwrap_or_default(); // less than twice the length
            if other >= length {
                other -= length;
            }
            self.elements.swap(place, range.start + other);
        }
    }

    /// The median of three elements, or of three medians of neighbors. Upstream: `choosePivot`.
    fn choose_pivot(&self, range: &Range<usize>) -> (usize, RangeSample) {
        const MOST_SWAPS: u32 = 4 * 3;
        let mut swaps = 0;
        let quarter = range.len() / 4;
        let mut places = [1, 2, 3].map(|quarters| range.start + quarter * quarters);
        if range.len() >= MANY {
            places = places.map(|place| self.median([place - 1, place, place + 1], &mut swaps));
        }
        let pivot = self.median(places, &mut swaps);
        let sample = match swaps {
            0 => RangeSample::Rising,
            MOST_SWAPS => RangeSample::Falling,
            _ => RangeSample::Mixed,
        };
        (pivot, sample)
    }

    /// The position of the median element. Upstream: `median`.
    fn median(&self, mut places: [usize; 3], swaps: &mut u32) -> usize {
        for left in [0, 1, 0] {
            if self.is_less(places[left + 1], places[left]) {
                *swaps += 1;
                places.swap(left, left + 1);
            }
        }
        places[1]
    }
}

/// How many bits the number has. Upstream: `bits.Len`.
fn bits(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}
