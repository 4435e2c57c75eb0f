//! Texts that look like markup.

use proptest::prelude::*;

/// Texts of characters with a meaning in HTML, SVG, Markdown, XML or a terminal. All start with a letter.
pub(crate) fn markup() -> impl Strategy<Value = String> {
    let tokens: Vec<_> = TOKENS.split('¦').collect();
    let token = prop_oneof![
        8 => prop::sample::select(tokens).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(token, 1..12).prop_map(|tokens| format!("x{}", tokens.concat()))
}

const TOKENS: &str = "<¦>¦\"¦'¦&¦/¦\\¦=¦&lt;¦&#60;¦&amp¦</title>¦</style>¦</svg>¦</text>¦<script>¦<b onclick=x>¦<!--¦-->¦<![CDATA[¦]]>\
    ¦<?¦`¦```¦~~~¦*¦**¦_¦[¦](¦)¦![¦[a]: b¦|¦\n|-|\n¦#¦\n# ¦\n- ¦\n1. ¦\n> ¦\n    ¦\n\n¦\r¦\t¦  \n¦---¦\n===\n¦$¦@all\
    ¦#1¦http://evil.example¦www.evil.example¦<http://evil.example>¦javascript:x¦\u{1b}[31m¦\u{1b}]0;x\u{7}¦\u{9b}\
    ¦\u{202e}¦\u{2066}¦\u{200b}¦\u{0}¦a¦ ";
