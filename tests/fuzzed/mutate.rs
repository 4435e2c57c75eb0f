//! Mutations that keep the form of an input: changes of single bytes seldom pass the first parser.

use serde_json::{Value, json};

/// A random number generator that depends only on its seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or_default() % limit
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// One of the pieces, which have a broken bar between them.
    fn piece(&mut self, pieces: &'static str) -> &'static str {
        let pieces: Vec<&'static str> = pieces.split('¦').collect();
        pieces[self.below(pieces.len())]
    }
}

/// Applies one to four mutations to an input of a target.
pub fn mutate(target: &str, input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut input = input.to_vec();
    for _ in 0..=random.below(4) {
        input = match target {
            "answers" | "engine" | "mcp" | "page" | "recording" => match random.below(16) {
                0 => lines(&input, random),
                1 => bytes(&input, random),
                _ => line_of_json(&input, random),
            },
            "kubeconfig" | "lint" | "yaml" => match random.below(4) {
                0 => bytes(&input, random),
                1 if target == "kubeconfig" => letters(&input, KUBECONFIG, random),
                1 => letters(&input, MANIFEST, random),
                _ => lines(&input, random),
            },
            "jsonpath" => letters(&input, JSONPATH, random),
            "quantity" => letters(&input, QUANTITY, random),
            "selector" => letters(&input, SELECTOR, random),
            _ => letters(&input, TERMINAL, random),
        };
    }
    input
}

const QUANTITY: &str = "0¦1¦9¦5¦000000000¦999999999¦9223372036854775807¦.¦-¦+¦e¦E¦e-9¦E18¦n¦u¦m¦k¦M¦G¦T¦P¦Ki¦Mi¦Gi¦Ti¦Pi¦Ei¦ ";
const SELECTOR: &str = "=¦==¦!=¦!¦,¦(¦)¦ in (¦ notin (¦>¦<¦a¦app¦in¦notin¦1¦-1¦ ¦\t¦/¦.¦-¦_¦example.com/¦9223372036854775808¦\u{e4}¦\"";
const JSONPATH: &str = "{¦}¦{.¦[¦]¦[*]¦..¦.¦*¦@¦$¦?(¦)¦==¦!=¦<=¦>¦&&¦'¦\"¦\\¦,¦:¦0¦-1¦1.5¦9223372036854775808¦{range ¦{end}¦name¦parts\
    ¦labels¦tags¦true¦ ¦\\n¦\n¦{\"a\":[1]}";
const MANIFEST: &str = "\n¦  ¦: ¦- ¦---\n¦...\n¦{¦}¦[¦]¦, ¦\"¦'¦|\n¦>-\n¦&a ¦*a¦<<: ¦? ¦!!str ¦!x ¦# c\n¦\t¦\r\n¦\u{feff}¦\0¦\u{e9}\
    ¦{{ .x }}¦%YAML 1.1\n¦0¦-1¦2147483648¦1e3¦.inf¦0x1f¦\"on\"¦null¦~¦minReplicas: 0\n¦maxReplicas: 1\n¦items:\n\
    ¦kind: List\n¦metadata:\n  name: web\n¦# hpa-lint: disable=HPA102\n¦averageUtilization: 0\n¦behavior:\n\
    ¦autoscaling/v2beta2¦autoscaling/v1";
const KUBECONFIG: &str = "\n¦  ¦: ¦- ¦{¦}¦[¦]¦, ¦\"¦'¦\u{0}¦\u{7f}¦\u{1b}¦\r¦null¦0¦true¦token: ¦tokenFile: ¦username: ¦password: ¦exec:\n\
    ¦args: [¦env: [{name: A, value: ¦client-certificate-data: ¦client-key-data: ¦certificate-authority-data: \
    ¦insecure-skip-tls-verify: ¦tls-server-name: ¦proxy-url: ¦server: ¦auth-provider: ¦interactiveMode: ¦as: \
    ¦socks5://¦http://user:pass@¦https://[::1]:99999/¦aHVudGVyMg==¦-----BEGIN CERTIFICATE-----¦current-context: \
    ¦{\"status\": {\"token\": \"¦\"expirationTimestamp\": \"2020-01-01T00:00:00Z\"";
const TERMINAL: &str = "\u{1b}[31m¦\u{1b}]0;x\u{7}¦\u{1b}]8;;http://x\u{1b}\\¦\u{9b}2J¦\u{9d}¦\u{90}¦\u{1b}¦\u{7}¦\u{8}¦\r¦\n¦\t¦\0\
    ¦\u{7f}¦\u{202e}¦\u{2066}¦\u{200b}¦\u{feff}¦\u{2028}¦\u{e0041}¦\u{85}¦a¦web¦ ¦|¦`¦<b>¦&amp;¦](http://x)\
    ¦\u{1f389}¦\u{301}¦\u{ff21}¦m¦[¦]¦\\";

/// Inserts, removes or doubles a piece.
fn letters(input: &[u8], pieces: &'static str, random: &mut Random) -> Vec<u8> {
    let from = random.below(input.len() + 1);
    let to = input.len().min(from + 1 + random.below(8));
    let (before, middle, after) = (&input[..from], &input[from..to], &input[to..]);
    match random.below(4) {
        0 => [before, after].concat(),
        1 => [before, middle, middle, after].concat(),
        _ => [before, random.piece(pieces).as_bytes(), middle, after].concat(),
    }
}

fn bytes(input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = input.to_vec();
    if !changed.is_empty() {
        let at = random.below(changed.len());
        changed[at] = if random.below(2) == 0 {
            changed[at] ^ (1 << random.below(8))
        } else {
            *random.pick(b" \n:-'\"{}[]#&*0\xff")
        };
    }
    changed
}

/// Removes, doubles or moves lines, or changes their indent or the text after the colon.
fn lines(input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = input
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return random.piece(MANIFEST).into();
    }
    let at = random.below(lines.len());
    let other = random.below(lines.len());
    match random.below(7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines[at].splice(..0, *b"  ").for_each(drop),
        4 => {
            let blanks = lines[at].iter().take(2).take_while(|byte| **byte == b' ');
            let blanks = blanks.count();
            lines[at].drain(..blanks);
        }
        5 => {
            let copy = lines[other].clone();
            lines[at] = copy;
        }
        _ => {
            let line = &mut lines[at];
            if let Some(colon) = line.iter().position(|byte| *byte == b':') {
                line.truncate(colon + 1);
                line.extend(format!(" {}\n", random.piece(VALUES)).bytes());
            }
        }
    }
    lines.concat()
}

const VALUES: &str = "¦0¦1¦-1¦100¦2147483647¦2147483648¦9223372036854775807¦1e3¦1.5¦\"\"¦null¦~¦true¦on¦abc¦\"5\"¦{}¦[]¦[a, b]¦{a: b}\
    ¦|\n  x¦*a¦&a x¦100m¦1Gi¦0m¦-5Ki¦1e400¦!!int 5¦Deployment¦cpu¦HorizontalPodAutoscaler¦autoscaling/v2\
    ¦autoscaling/v1¦autoscaling/v2beta2¦Utilization¦AverageValue¦Value¦External¦Object¦Pods¦Resource\
    ¦ContainerResource¦\"{{ .Values.x }}\"¦${X}¦# c";

/// Changes the tree of one of several JSON lines.
fn line_of_json(input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = input
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return input.to_vec();
    }
    let at = random.below(lines.len());
    let Ok(mut tree) = serde_json::from_slice::<Value>(lines[at]) else {
        return bytes(input, random);
    };
    let mut places = Vec::new();
    pointers(&tree, &mut String::new(), &mut places);
    let place = random.pick(&places).clone();
    let other: &String = random.pick(&places);
    let other = tree.pointer(other).cloned().unwrap_or_default();
    change(&mut tree, &place, other, random);
    let changed = serde_json::to_vec(&tree).expect("it is JSON");
    lines[at] = &changed;
    let mut joined = lines.join(&b'\n');
    joined.push(b'\n');
    joined
}

fn change(tree: &mut Value, place: &str, other: Value, random: &mut Random) {
    let (parent, key) = place.rsplit_once('/').unwrap_or_default();
    if random.below(8) == 0 {
        match tree.pointer_mut(parent) {
            Some(Value::Object(entries)) if !place.is_empty() => {
                entries.remove(&key.replace("~1", "/").replace("~0", "~"));
            }
            Some(Value::Array(items)) if !place.is_empty() => {
                if let Some(index) = key.parse().ok().filter(|index| *index < items.len()) {
                    items.remove(index);
                }
            }
            _ => {}
        }
        return;
    }
    let Some(node) = tree.pointer_mut(place) else {
        return;
    };
    match node {
        Value::Array(items) if !items.is_empty() && random.below(2) == 0 => {
            let copy = random.pick(items).clone();
            items.push(copy);
        }
        Value::Number(_) => *node = random.pick(&numbers()).clone(),
        Value::String(_) => {
            let text = random.piece(TEXTS);
            *node = text.into();
        }
        Value::Bool(value) => *value = !*value,
        _ if random.below(3) == 0 => *node = random.pick(&numbers()).clone(),
        _ if random.below(2) == 0 => *node = Value::Null,
        _ => *node = other,
    }
}

fn numbers() -> [Value; 14] {
    [
        json!(0),
        json!(1),
        json!(-1),
        json!(2),
        json!(3),
        json!(100),
        json!(i32::MAX),
        json!(i32::MIN),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(0.1),
        json!(1e300),
        json!(1_000_000),
        json!(u64::MAX),
    ]
}

const TEXTS: &str = "¦0¦1¦-1¦1m¦999999999999999999999¦9223372036854775807¦-9223372036854775808¦8Ei¦1n¦0.5Ki¦1e300¦-1e-300¦100m¦x¦web\
    ¦cpu¦memory¦True¦False¦Unknown¦Running¦Pending¦Failed¦Succeeded¦Utilization¦AverageValue¦Value¦Resource\
    ¦ContainerResource¦Pods¦Object¦External¦Max¦Min¦Disabled¦Percent¦v1.20.0¦v1.36.3¦1.23¦1.99¦1970-01-01T00:00:00Z\
    ¦9999-12-30T22:00:00.999999999Z¦-009999-01-02T01:59:59Z¦2262-04-11T23:47:16Z¦2025-06-01T12:00:00.000000001Z¦292y\
    ¦15s¦-15s¦2562047h47m16.854775807s¦0.1¦app=web¦app notin (web)¦app in (¦arm64¦amd64¦\u{1b}[31mx¦\u{202e}x\n|`<b>\
    ¦kube-controller-manager";

fn pointers(value: &Value, place: &mut String, places: &mut Vec<String>) {
    places.push(place.clone());
    let length = place.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                place.push_str(&format!("/{index}"));
                pointers(item, place, places);
                place.truncate(length);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                pointers(value, place, places);
                place.truncate(length);
            }
        }
        _ => {}
    }
}
