//! `cargo xtask bench ledger`: what the trigger finds, how much it flags, and what it costs.

use core::fmt::Write as _;
use core::hint::black_box;
use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use pinfold::exchange::Structure;
use pinfold::formats;
use pinfold::ledger::trigger::Trigger;
use pinfold::transcript::{PartKind, Role, Transcript};

use crate::corpus;
use crate::labelled::{self, LANGUAGES};
use crate::run::{self, Result};

/// Prints recall, the share of turns that are flagged, and speed.
pub(crate) fn ledger() -> Result {
    let (building, trigger) = {
        let start = Instant::now();
        let trigger = Trigger::new();
        (start.elapsed(), trigger)
    };
    println!("  built in {:.1} ms", building.as_secs_f64() * 1e3);
    recall(&trigger)?;
    share(&trigger)?;
    speed(&trigger);
    Ok(())
}

fn recall(trigger: &Trigger) -> Result {
    for (folder, what) in [("prompts", "tuning set"), ("held-out", "blind set")] {
        run::heading(format_args!("recall, {what}"));
        for language in LANGUAGES {
            let path = run::root().join(format!("core/tests/ledger/{folder}/{language}.json"));
            let Ok(set) = fs::read_to_string(&path) else {
                println!("  {language}: none");
                continue;
            };
            let recall = labelled::recall(trigger, &set)?;
            println!(
                "  {language}: {} of {} binding spans ({:.1} %), {} of {} other prompts flagged",
                recall.spans - recall.misses.len(),
                recall.spans,
                100.0 * recall.share(),
                recall.false_flags,
                recall.idle,
            );
            for (span, prompt) in recall.misses {
                println!("      missed {span:?}\n          in {prompt:?}");
            }
        }
    }
    Ok(())
}

/// How many turns of one kind of transcript there are, and how many of them are flagged.
#[derive(Clone, Copy, Default)]
struct Turns {
    prompts: usize,
    flagged: usize,
    responses: usize,
    systems: usize,
    flagged_systems: usize,
}

impl Turns {
    fn add(&mut self, other: Self) {
        self.prompts += other.prompts;
        self.flagged += other.flagged;
        self.responses += other.responses;
        self.systems += other.systems;
        self.flagged_systems += other.flagged_systems;
    }

    fn print(self, name: &str) {
        println!(
            "  {name:<18} {:>5} of {:>5} prompts, {:>5.1} % of {:>5} turns, {:>4} of {:>4} system entries",
            self.flagged,
            self.prompts,
            100.0 * self.flagged as f64 / (self.prompts + self.responses).max(1) as f64,
            self.prompts + self.responses,
            self.flagged_systems,
            self.systems,
        );
    }
}

fn share(trigger: &Trigger) -> Result {
    run::heading("turns flagged");
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("  set PINFOLD_CORPUS to a folder of transcripts");
        return Ok(());
    };
    let mut formats: BTreeMap<&str, Turns> = BTreeMap::new();
    let mut languages: BTreeMap<&str, Turns> = BTreeMap::new();
    let mut total = Turns::default();
    for path in corpus::files(Path::new(&root))? {
        let text = corpus::load(&path)?;
        for document in
            formats::documents(&text).map_err(|error| format!("{}: {error}", path.display()))?
        {
            let transcript = document.read();
            let turns = turns(trigger, &transcript, &mut languages);
            formats.entry(transcript.format().name()).or_default().add(turns);
            total.add(turns);
        }
    }
    for (format, turns) in formats {
        turns.print(format);
    }
    println!();
    for (language, turns) in languages {
        println!("  {language:<18} {:>5} of {:>5} prompts", turns.flagged, turns.prompts);
    }
    println!();
    total.print("all");
    Ok(())
}

fn turns(
    trigger: &Trigger,
    transcript: &Transcript,
    languages: &mut BTreeMap<&str, Turns>,
) -> Turns {
    let structure = Structure::of(transcript);
    let mut turns = Turns { responses: structure.round_count(), ..Turns::default() };
    for prompt in structure.exchanges.iter().filter_map(|exchange| exchange.prompt) {
        let text = words(transcript, prompt);
        let flagged = usize::from(!trigger.scan(&text).is_empty());
        let one = Turns { prompts: 1, flagged, ..Turns::default() };
        turns.add(one);
        languages.entry(language(&text)).or_default().add(one);
    }
    for entry in 0..transcript.len() {
        if transcript.entries()[entry].role == Role::System {
            turns.systems += 1;
            let flagged = !trigger.scan(&words(transcript, entry)).is_empty();
            turns.flagged_systems += usize::from(flagged);
        }
    }
    turns
}

fn words(transcript: &Transcript, entry: usize) -> String {
    let texts = transcript.parts(entry).iter().filter(|part| part.kind == PartKind::Text);
    texts.map(|part| transcript.part_text(part)).collect::<Vec<_>>().join("\n\n")
}

/// A language by its letters, or by its commonest words: enough to tell how mixed a folder is.
fn language(text: &str) -> &'static str {
    const COMMON: [(&str, &[&str]); 5] = [
        ("en", &["the", "is", "to", "and", "of", "i", "you", "it"]),
        ("es", &["el", "los", "que", "y", "una", "está", "por"]),
        ("fr", &["le", "les", "est", "et", "une", "pour", "dans"]),
        ("de", &["der", "die", "das", "und", "ist", "nicht", "ein"]),
        ("pt", &["o", "os", "um", "uma", "não", "para", "você"]),
    ];
    for letter in text.chars() {
        match letter {
            '\u{3040}'..='\u{30FF}' => return "ja",
            '\u{AC00}'..='\u{D7AF}' => return "ko",
            _ => {}
        }
    }
    if text.chars().any(|letter| matches!(letter, '\u{4E00}'..='\u{9FFF}')) {
        return "zh";
    }
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphabetic()).collect();
    let count = |common: &[&str]| words.iter().filter(|word| common.contains(word)).count();
    let best = COMMON.iter().max_by_key(|(name, common)| (count(common), *name == "en"));
    best.filter(|(_, common)| count(common) > 0).map_or("too short to tell", |(name, _)| name)
}

/// Text that is hard on a scanner, and prose, each from 1 kB to 100 MB.
const TEXTS: [(&str, &str); 26] = [
    ("spaces", " "),
    ("newlines", "\n"),
    ("dots", "."),
    ("never", "never "),
    ("NEVER", "NEVER"),
    ("don'tdon't", "don'tdon't"),
    ("one letter", "a"),
    ("open quotes", "he said \"so and “then "),
    ("open backticks", "the `code and ``more "),
    ("bullets", "- one of a million items\n"),
    ("steps", "1. one of a million steps\n"),
    ("fences", "````\n```\ncode\n"),
    ("open tags", "<stdout <stderr> "),
    ("angles", "<<<<<<</"),
    ("one path", "/usr/local/share"),
    ("paths", "see src/core/lib.rs and docs/*.md, v1.2.3 "),
    ("money", "$80 80 EUR 80,000.00 "),
    ("no ends, zh", "我们需要修改这个文件的内容不要改其他的地方"),
    ("no ends, ko", "이 파일은 건드리지 말고 다른 곳만 고쳐 "),
    ("emoji", "🙈🙉🙊 "),
    ("accents apart", "e\u{301}u\u{308}"),
    (
        "prose, en",
        "The tests in this folder take a while to run. Please look at why the third one fails on my machine, and keep the public interface as it is. ",
    ),
    (
        "prose, de",
        "Die Tests in diesem Ordner laufen recht lange. Schau dir bitte an, warum der dritte auf meinem Rechner fehlschlägt, und lass die Schnittstelle, wie sie ist. ",
    ),
    (
        "prose, es",
        "Las pruebas de esta carpeta tardan bastante. Mira por qué falla la tercera en mi máquina y deja la interfaz pública como está. ",
    ),
    (
        "prose, ja",
        "このフォルダのテストは時間がかかります。三番目がなぜ失敗するのか調べてください。公開インターフェースはそのままで。",
    ),
    (
        "prose, ko",
        "이 폴더의 테스트는 시간이 오래 걸립니다. 세 번째가 왜 실패하는지 봐 주세요. 공개 인터페이스는 그대로 두세요. ",
    ),
];

fn speed(trigger: &Trigger) {
    const SIZES: [usize; 4] = [1_000, 100_000, 10_000_000, 100_000_000];
    run::heading("MB/s, one core, at 1 kB, 100 kB, 10 MB, 100 MB; time a byte at 100 MB ÷ at 1 kB");
    for (name, unit) in TEXTS {
        let mut line = format!("  {name:<16}");
        let mut costs = Vec::new();
        for size in SIZES {
            let text = unit.repeat(size / unit.len() + 1);
            // The best of several tries is the least disturbed.
            let tries = (30_000_000 / size).clamp(5, 2_000);
            let best = (0..tries)
                .map(|_| {
                    let start = Instant::now();
                    black_box(trigger.scan(black_box(&text)));
                    start.elapsed()
                })
                .min()
                .unwrap_or(Duration::MAX);
            let cost = best.as_secs_f64() / text.len() as f64;
            let _ = write!(line, " {:>6.0}", 1e-6 / cost);
            costs.push(cost);
        }
        println!("{line}   {:.2}", costs[3] / costs[0]);
    }
}
