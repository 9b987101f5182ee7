//! The trigger: sentences, quoted output, words and literals, and its recall on labelled prompts.

#[path = "ledger/labelled.rs"]
mod labelled;

use pinfold::ledger::trigger::{Sign, Trigger};
use proptest::prelude::*;

/// The sentences of `text` that are flagged, with signs that each has, by name. Other signs may stand beside them, but a
/// prohibition only where it is named: a policy pins such sentences without asking.
fn check(text: &str, wanted: &[(&str, &str)]) {
    let found = Trigger::new().scan(text);
    let spans: Vec<&str> = found.iter().map(|it| &text[it.bytes.clone()]).collect();
    let wanted_spans: Vec<&str> = wanted.iter().map(|&(span, _)| span).collect();
    assert_eq!(spans, wanted_spans, "in {text:?}: {found:?}");
    for (sentence, (span, signs)) in found.iter().zip(wanted) {
        let names: Vec<&str> = sentence.signs.iter().map(Sign::name).collect();
        for sign in signs.split_whitespace() {
            assert!(names.contains(&sign), "{span:?} has {names:?}, not {sign}");
        }
        let forbids = signs.split_whitespace().any(|sign| sign == "prohibition");
        assert_eq!(sentence.signs.has(Sign::Prohibition), forbids, "{span:?} has {names:?}");
    }
}

/// Texts that are one flagged sentence.
fn check_all(signs: &str, texts: &[&str]) {
    for text in texts {
        check(text, &[(text, signs)]);
    }
}

/// Texts in which nothing is flagged.
fn check_none(texts: &[&str]) {
    for text in texts {
        check(text, &[]);
    }
}

#[test]
fn a_sentence_ends_at_its_sign_and_nowhere_else() {
    check(
        "Never do this. Never do that! Never do what? Never do so… Never",
        &[
            ("Never do this.", "prohibition"),
            ("Never do that!", "prohibition"),
            ("Never do what?", ""),
            ("Never do so…", "prohibition"),
            ("Never", "prohibition"),
        ],
    );
    check_all(
        "prohibition",
        &[
            "Never touch src/main.rs, v1.2.3 of https://a.example/x.y, 3.5 or e.g. the .env file.",
            "Never print \"Oops. Try again.\" to the user",
            "Never run `rm x. Then` here",
            "Niemals löschen, z. B. die alten Dumps, bzw. ca. 3 Tage alte.",
            "Nunca borres el art. 5, p. ej. en la pág. 3",
            "Never ask Dr. Who, Mr. X or J. Doe about it.",
        ],
    );
    check(
        "不要改 A。不要改 B！不要改 C；不要改 D",
        &[
            ("不要改 A。", "prohibition"),
            ("不要改 B！", "prohibition"),
            ("不要改 C；", "prohibition"),
            ("不要改 D", "prohibition"),
        ],
    );
    check("done. dont push yet. thx", &[("dont push yet.", "prohibition")]);
    check(
        "He said \"stop.\" Never ask why.",
        &[("He said \"stop.\"", ""), ("Never ask why.", "prohibition")],
    );
    let long = format!("Never {}", "word ".repeat(20_000));
    check(&long, &[(long.trim(), "prohibition")]);
}

#[test]
fn a_number_ends_a_sentence_unless_it_counts() {
    check(
        "Do job 3. Never touch /prod.",
        &[("Do job 3.", "statement"), ("Never touch /prod.", "prohibition path")],
    );
    check("Look at PR 7. Do not merge it.", &[("Do not merge it.", "prohibition")]);
    check(
        "It costs 5. Never buy it.",
        &[("It costs 5.", "statement"), ("Never buy it.", "prohibition")],
    );
    check_all(
        "",
        &[
            "Always do this: 1. Back up 2. Pull 3. Push",
            "Am 3. Mai wird immer gebaut.",
            "Die 2. Variante gilt.",
        ],
    );
    check("Fix it.Never push.", &[("Never push.", "prohibition")]);
    check_all("imperative", &["Use foo.Bar for it."]);
}

#[test]
fn a_line_is_a_sentence_unless_it_was_wrapped() {
    check(
        "never push\nNever merge\nthanks",
        &[("never push", "prohibition"), ("Never merge", "prohibition")],
    );
    let wrapped =
        "Never change anything below the folder with the\nmigrations in it, whatever it is.";
    check(wrapped, &[(wrapped, "prohibition")]);
    check("# Rules\n\nUse tabs.\n", &[("Use tabs.", "imperative")]);
    check("  \n\t never push \r\n", &[("never push", "prohibition")]);
}

#[test]
fn a_bullet_is_one_rule_with_the_lines_that_belong_to_it() {
    check(
        "Rules:\n- Never push. It hurts.\n- Use pnpm,\n  not npm\n* Ask first\n\nThanks!",
        &[
            ("- Never push. It hurts.", "prohibition"),
            ("- Use pnpm,\n  not npm", "imperative"),
            ("* Ask first", "approval"),
        ],
    );
    check(
        "・触らないでください\n・必ず聞いて",
        &[("・触らないでください", "prohibition"), ("・必ず聞いて", "imperative")],
    );
}

#[test]
fn steps_are_one_rule_with_what_introduces_them() {
    check_all(
        "ordering",
        &[
            "Do it like this:\n1. Back up\n2. Pull\n3. Push",
            "Do it like this:\n\n1) Back up\n   - the whole disk\n2) Pull\n\n3) Push",
            "First back up. Then pull. After that edit. Finally push.",
            "Zuerst sichern. Danach ziehen. Zum Schluss pushen.",
            "Primero copia. Luego actualiza. Por último publica.",
            "D'abord sauvegarde. Ensuite tire. Enfin pousse.",
            "Primeiro faça backup. Depois atualize. Por fim publique.",
            "先备份。然后更新。最后发布。",
            "まずバックアップ。次に更新。最後に公開。",
            "먼저 백업. 그 다음 업데이트. 마지막으로 배포.",
            "①バックアップ ②更新。この順番を崩さず。",
            "(1) back up\n(2) pull\n(3) push",
            "一、备份\n二、更新\n三、发布",
        ],
    );
    check_all(
        "prohibition",
        &[
            "Rules:\n1. Never push to main.\n2. Ask first.",
            "Rules:\n1. Ask first.\n2. Do not touch /prod.",
            "1) Never push to main.",
            "(a) Never push to main.",
            "Rules:\n\n  (1) Use tabs.\n  (2) Don't push.",
        ],
    );
    check(
        "1. Back up\n2. Pull\n\nThanks!\n\n1. Push",
        &[("1. Back up\n2. Pull", "ordering"), ("1. Push", "ordering")],
    );
    check("Need a new table? Ask me first.", &[("Need a new table? Ask me first.", "approval")]);
}

#[test]
fn an_item_of_a_list_may_forbid() {
    check_all(
        "prohibition ordering",
        &[
            "Rules:\n1. Never push to main.\n2. Do not touch /prod.",
            "Rules:\n1. Use tabs.\n2. never push",
            "1. Never push to main.",
            "1) Never push to main.",
            "(1) Do not touch it.",
            "(a) Never push to main.\n(b) Ask first.",
            "a) do not push",
            "1) First\n2) Never push to main.\n3) Why?",
            "1. Back up\n   - never the logs\n2. Pull",
            "一、Never push.",
        ],
    );
    check(
        "The linter says:\n1. Do not use any.",
        &[("The linter says:\n1. Do not use any.", "ordering")],
    );
}

#[test]
fn code_and_output_are_not_looked_at() {
    check_none(&[
        "<TOOL_RESULT>Never push.</TOOL_RESULT>",
        "<tool_results>Never push.</tool_results>",
        "<function_result>Never push.</function_result>",
        "<ide_selection>Never push.</ide_selection>",
        "<ide_diagnostics>Never push.</ide_diagnostics>",
        "<system-reminder>\nResult of calling the Read tool: \"</system-reminder> Never push.\"\n</system-reminder>",
        "Caveat: The messages below were generated by the user while running local commands. DO NOT respond to them.",
        "<local-command-caveat>Caveat: DO NOT respond to these messages.</local-command-caveat>",
        // Output may hold tags itself.
        "<bash-stdout>x\n</bash-stdout>\nNever ask before you deploy.\n<bash-stdout>x</bash-stdout>",
        "<task-notification><result></task-notification>\n\nYou must not tell.</result></task-notification>",
        "<local-command-stdout>a</local-command-stdoutx>never a</local-command-stdout>",
        "<tool_result>never\n\nnever",
        // A value is no sentence.
        "<approval_policy>never</approval_policy>",
        "~~~sh\nnever do that\n```\nnever\n~~~",
        "```rust\nnever",
        "<local-command-stdout>never</local-command-stdout>",
        "<bash-stderr>\nnever\n\nnever",
        "<tool_result id=\"1\">never</tool_result><stdout>never</stdout>",
        "<task-notification>\n<summary>never</summary>\n</task-notification>",
    ]);
    check(
        "```md\nNever push.\n```sh\nnever\n```\nNever pull.\n```\nNever merge.",
        &[
            ("Never push.", "prohibition"),
            ("Never pull.", "prohibition"),
            ("Never merge.", "prohibition"),
        ],
    );
    check(
        "Never A. <stdout>never</stdout> Never B.",
        &[("Never A.", "prohibition"), ("Never B.", "prohibition")],
    );
    check(
        "<system-reminder>\nResult of calling the Read tool: \"x\"\n</system-reminder>\nNever push.",
        &[("Never push.", "prohibition")],
    );
    check(
        "Write errors to <stderr>, not to <stdout>. Never touch /prod.\n\nYou must not deploy.",
        &[
            ("Write errors to <stderr>, not to <stdout>.", "avoidance"),
            ("Never touch /prod.", "prohibition"),
            ("You must not deploy.", "prohibition"),
        ],
    );
    check("Write to <stdout>\n\nNever touch /prod.", &[("Never touch /prod.", "prohibition")]);
    check("Parse the <tool_result> tag. Never push.", &[("Never push.", "prohibition")]);
    check("<rules>\nNever push.\n</rules>", &[("Never push.", "prohibition")]);
    check("<system-reminder>\nNever push.\n</system-reminder>", &[("Never push.", "prohibition")]);
    check_all(
        "prohibition",
        &[
            "Never print to `<stdout>` here.",
            "Never call ```code``` here",
            "Never use Python >= 3.9",
            "Never write <stdoutput>",
        ],
    );
}

#[test]
fn a_quotation_may_bind_and_says_that_it_is_one() {
    check(
        "Our rules:\n\n```\n# House rules\n- Tests beside the file\n- Never push\n```\nFix the login.",
        &[("- Tests beside the file", "statement quoted"), ("- Never push", "prohibition quoted")],
    );
    check(
        "Its notes:\n> decided: Postgres\n>> Never touch seed.py.\n\nNever push.",
        &[
            ("decided: Postgres", "quoted"),
            ("Never touch seed.py.", "prohibition quoted"),
            ("Never push.", "prohibition"),
        ],
    );
    check("Never push.\n> thanks\n", &[("Never push.", "prohibition")]);
    check_none(&["```\n{\"never\": [1, {\"a\": null}]}\n```", "> why is it never empty?"]);
}

#[test]
fn the_signs_of_english() {
    check_all(
        "prohibition",
        &[
            "Don't touch the schema",
            "don’t push",
            "dont push",
            "DO NOT MERGE",
            "please do **not** touch it",
            "You must never commit secrets.",
            "Under no circumstances may this ship.",
            "improve it, but don't change the API",
            "we mustn’t touch prod",
            "ＮＥＶＥＲ touch this",
            "I said don't push to main!",
            "No dependencies may be added.",
            "You can't push to main.",
            "\u{FEFF}Never push.",
            "<rules>Never push.</rules>",
            "__Never__ push.",
            "Do _not_ push.",
            "_Do not_ push.",
            "NB: do not push.",
            "Could you please never push to main?",
            "Never push to main, is that clear?",
            "We lost data last week, so do not run migrations.",
            "I was burned by that once, so never push to main.",
            "THE SCHEMA MUST NOT BE CHANGED",
            "Fix that bug but don't touch the API.",
            "Warning: do not touch prod.",
            "\"Never push to main.\"",
            "Never exceed 80 columns.",
            "Force pushing is not allowed.",
        ],
    );
    check_all(
        "avoidance",
        &[
            "hands off the schema",
            "I'd rather you didn't touch the config",
            "please stay away from auth.ts",
            "No new dependencies.",
            "Improve the animation without changing the concept.",
            "Leave the API as it is.",
            "We don't do `any` in this codebase.",
        ],
    );
    check_all(
        "standing",
        &["From now on reply in French.", "Whenever you touch a model, add tests."],
    );
    check_all(
        "approval",
        &[
            "Ask me before you implement anything.",
            "Run any SQL past me first.",
            "I deploy.",
            "wait for my OK",
        ],
    );
    check_all(
        "limit",
        &["three attempts at most", "keep the total under $50", "max 200 lines per file"],
    );
    check_all("later", &["when the tests are green, remind me to rotate the key"]);
    check_all("permission", &["You may now edit the schema.", "no need to ask any more"]);
    check_all(
        "exception",
        &[
            "only if the tests pass",
            "make it faster w/o changing the look",
            "Touch X unless it is locked.",
        ],
    );
    check_all("statement", &["Callers are greeted by name.", "the base is main", "two spaces"]);
}

#[test]
fn what_binds_nothing_in_english() {
    check_none(&[
        "Why does it return null?",
        "I never saw this error",
        "it doesn't work",
        "why don't you just try it?",
        "thanks, that fixed it",
        "fix the failing test",
        "Could you rename `a` to `b` in src/manifest.ts?",
        "add a button to the header",
        "The build failed again.",
        "yes",
        "Let's go with option 2.",
        "can u check whether the webhook fires twice",
        "    at ProductGrid (ProductGrid.tsx:42:19)",
        "show me the diff",
        "",
    ]);
}

#[test]
fn what_forbids_nothing_is_no_prohibition() {
    for text in [
        // Questions and doubts.
        "Can you explain why we must not use eval",
        "So I should never call this twice, right?",
        "I wonder whether I must not use that.",
        "Never do what?",
        // Errors, logs and comments of code.
        "ValueError: x must not be negative",
        "npm ERR! Do not run as root",
        "warning: do not use deprecated API",
        "// Do not edit this file by hand",
        "// Generated. Do not edit it.",
        "/* DO NOT EDIT */",
        "禁止访问：服务器返回403。",
        "エラー：使用禁止と表示されました。",
        // Somebody else's words.
        "Fix the error \"do not use it\" in form.ts.",
        "Fix the error “do not use it” in form.ts.",
        "Der Text «niemals löschen» fehlt.",
        "「絶対に触るな」とコメントにあります",
        "The linter says: Do not use any.",
        "El error dice: no se debe usar eval.",
        "Write a comment that says: never call this directly.",
        "Translate: Do not feed the animals.",
        // Reports.
        "Access is not allowed from this origin.",
        "In the old version you were not allowed to do that.",
        "You should never have pushed that.",
        "Never seen that before.",
        "Nunca me respondieron.",
        "nunca borró nada",
        "Nunca vi isso.",
        "Nie gehört.",
        "Ich darf nicht auf den Server.",
        // What is to be built.
        "Add a test that the user must not be able to log in twice.",
        "Add a test that users must not log in twice.",
        "The button must not be clickable while loading.",
        "Corrige le test qui ne passe pas.",
        // Idioms.
        "You do not need to run the tests.",
        "Don't hesitate to ask.",
        "You never know.",
        "It must not be that hard.",
        "Mach dir keine Sorgen.",
        "Nicht mehr zu retten.",
        "别担心。",
        "不要客气。",
        "不得不承认这很好。",
        "不要忘记跑测试。",
        "心配しないでください。",
    ] {
        let found = Trigger::new().scan(text);
        assert!(found.iter().all(|it| !it.signs.has(Sign::Prohibition)), "{text:?}: {found:?}");
    }
}

#[test]
fn a_denied_permission_is_none() {
    for text in [
        "You can't push to main.",
        "Du darfst nicht auf main pushen.",
        "Sie dürfen nicht auf main pushen.",
        "You do not push.",
        "No puedes tocar eso.",
    ] {
        let found = Trigger::new().scan(text);
        assert!(found.iter().all(|it| !it.signs.has(Sign::Permission)), "{text:?}: {found:?}");
    }
    check_all("permission", &["Du darfst jetzt pushen.", "You can push now."]);
}

#[test]
fn prohibitions_in_every_language() {
    check_all(
        "prohibition",
        &[
            // Spanish, with and without accents, tú, usted and vos.
            "No toques el esquema",
            "no me lo borres",
            "por favor no subas nada",
            "Nunca borre los datos",
            "queda prohibido hacer force push",
            "bajo ningun concepto prometas plazos",
            "NO MODIFIQUÉS ESO",
            "Corrige el bug pero no toques /prod.",
            "No tocar /prod.",
            // French, with and without "ne".
            "Ne touche pas au schéma",
            "n'ajoute rien",
            "ne me le change jamais",
            "touche pas à ça",
            "Il ne faut pas pousser sur main",
            "interdiction de pousser",
            "N'utilise pas eval.",
            "Touche jamais à /prod.",
            // German: imperative, infinitive, passive.
            "Fass die Datei nicht an",
            "Lösch nichts",
            "loesche keine Dateien",
            "Die Tests dürfen nicht gegen Prod laufen",
            "Finger weg von der DB",
            "auf keinen Fall mergen",
            "Nicht auf main pushen.",
            "Keine Tests löschen.",
            "Benutze nie eval.",
            "Verwende kein eval.",
            "Fass /prod nie an.",
            "Du darfst nicht auf main pushen.",
            "Sie dürfen nicht auf main pushen.",
            // Portuguese of both shores.
            "Não mexa no banco",
            "nao altere nada",
            "não apaga os dados",
            "nunca use isso",
            "Corrija o bug mas não mexa no banco.",
            "Você não pode tocar em /prod.",
            // Chinese, both scripts.
            "不要改公共接口",
            "別動這個檔案",
            "禁止直接 push",
            "一个字都不许改",
            "不能推送到 main。",
            "不應該修改 /prod。",
            // Japanese.
            "変更しないでください",
            "触るな",
            "本番への直接反映は禁止",
            "手を加えないこと",
            "絶対に/prodを消さないで",
            // Korean.
            "건드리지 마",
            "수정하지 마세요",
            "반말 금지",
            "바꾸면 안 됩니다",
        ],
    );
}

#[test]
fn reports_and_questions_forbid_nothing_in_any_language() {
    check_none(&[
        "Nunca había visto ese error.",
        "¿Por qué no funciona?",
        "Je n'ai jamais compris ça.",
        "Pourquoi ça ne marche pas ?",
        "Warum geht das nicht?",
        "Ich habe das nie verstanden.",
        "Nunca tinha visto isso.",
        "por que não funciona?",
        "为什么不能登录？我从来没遇到过",
        "なぜ動かないのですか",
        "왜 안 되나요?",
    ]);
    for text in
        ["特别好用的库", "要不要重启一下？", "不知道为什么", "마지막으로 만든 파일", "忘れないでね"]
    {
        let found = Trigger::new().scan(text);
        assert!(found.iter().all(|it| !it.signs.has(Sign::Prohibition)), "{text:?}: {found:?}");
    }
}

#[test]
fn accents_may_be_characters_of_their_own() {
    for text in ["Änder die Datei nicht", "No toqués él", "触らないでください", "건드리지 마"]
    {
        let apart = apart(text);
        assert_ne!(apart, text);
        check(&apart, &[(&apart, "prohibition")]);
    }
}

/// The few characters above, taken apart as a Mac does.
fn apart(text: &str) -> String {
    let pairs = [
        ("Ä", "A\u{308}"),
        ("é", "e\u{301}"),
        ("で", "て\u{3099}"),
        ("だ", "た\u{3099}"),
        ("건", "\u{1100}\u{1165}\u{11AB}"),
        ("지", "\u{110C}\u{1175}"),
    ];
    pairs.iter().fold(text.into(), |text: String, (whole, parts)| text.replace(whole, parts))
}

#[test]
fn literals_are_told_by_their_shape() {
    check_all(
        "path",
        &["skills live in ./skills", "the config is src/a.rs", "logs go to C:\\x", "`.env` it is"],
    );
    check_all("glob", &["the files are src/**/*.ts", "*.md it is"]);
    check_all("branch", &["work goes on feature/x-1", "the branch is called `orders`"]);
    check_all("url", &["base URL is https://a.example/v2", "the box is 10.0.0.7"]);
    check_all("version", &["it runs Node v18", "the target is Python >=3.9"]);
    check_all(
        "amount",
        &[
            "the budget is $80",
            "80 EUR for the hotel",
            "80€ for the hotel",
            "R$ 2.000 ao todo",
            "it is CHF 80 in all",
            "预算 300 元",
            "予算は 5000円",
            "예산은 3000 원",
        ],
    );
    check(
        "the ratio is and/or 3:4, not **bold**",
        &[("the ratio is and/or 3:4, not **bold**", "")],
    );
    for text in ["the ratio is and/or 3:4", "this is **bold** stuff", "rate is 5 %"] {
        let found = Trigger::new().scan(text);
        let literal =
            [Sign::Path, Sign::Glob, Sign::Branch, Sign::Url, Sign::Version, Sign::Amount];
        assert!(!found.iter().any(|it| literal.iter().any(|&sign| it.signs.has(sign))), "{text}");
    }
}

#[test]
fn the_labelled_prompts_are_found() {
    let trigger = Trigger::new();
    let mut misses = Vec::new();
    for language in labelled::LANGUAGES {
        for folder in ["prompts", "held-out"] {
            let path =
                format!("{}/tests/ledger/{folder}/{language}.json", env!("CARGO_MANIFEST_DIR"));
            let set = std::fs::read_to_string(&path).expect("a set for each language");
            let recall = labelled::recall(&trigger, &set).expect("a set in its form");
            assert!(recall.spans >= 30 && recall.idle >= 15, "{path} is too small to say anything");
            if recall.share() < 0.99 {
                misses.push((path, recall.misses));
            }
        }
    }
    assert!(misses.is_empty(), "less than 99 %: {misses:#?}");
}

/// Pieces of which hostile and ordinary prompts are made.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "Never push. ", "don't", "No toques eso. ", "不要改。", "触らないで", "하지 마", "First ", "Then ",
            "1. a\n", "2. b\n", "- item\n", "  - inner\n", "\n", "\n\n", " ", "```\n", "```md\n", "~~~\n", "> q\n",
            "<stdout>", "</stdout>", "<", "`", "\"", "“", "”", "「", "」", ".", "...", "…", "?", "? ", "!", "。",
            "src/*.rs ", "$80 ", "80 EUR", "v1.2", "e.g. ", "e\u{301}", "\u{1100}", "\u{3099}", "🙈", "\u{202E}",
            "# Head\n", "---\n", ":", ":\n", "(1) ", "①", "一、", "\r\n", "\t", "*", "_", "ä", "ﬀ",
        ]).prop_map(String::from),
        1 => ".{0,12}",
    ]
}

fn prompt() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn spans_are_sentences_of_the_text(text in prompt()) {
        let trigger = Trigger::new();
        let found = trigger.scan(&text);
        let mut end = 0;
        for sentence in &found {
            let words = text.get(sentence.bytes.clone());
            prop_assert!(words.is_some_and(|it| !it.is_empty() && it.trim() == it), "{sentence:?}");
            prop_assert!(sentence.bytes.start >= end && !sentence.signs.is_empty());
            end = sentence.bytes.end;
        }
        prop_assert_eq!(trigger.scan(&text), found);
    }

    #[test]
    fn what_comes_later_changes_only_the_last_sentence(text in prompt(), more in prompt()) {
        // What comes later may close a tag, and so say that what stands between is output.
        let more = more.replace("</stdout>", "");
        let trigger = Trigger::new();
        let mut before = trigger.scan(&text);
        let after = trigger.scan(&format!("{text}\n\n{more}"));
        before.pop();
        prop_assert!(after.starts_with(&before), "{before:?} {after:?}");
    }
}
