//! The words by which a sentence says that it binds, or that it does not, in eight languages.
//!
//! Each language is a table of marks with the words that carry them, separated by `|`. `*` at the end of a word stands for
//! any ending, `_` for a space at its end. Words are met without capitals and accents; `ä` is also met as `ae`, `don't`
//! also as `dont`.

mod de;
mod en;
mod es;
mod fr;
mod ja;
mod ko;
mod pt;
mod zh;

/// What a word says about its sentence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    /// Unmistakably forbids, wherever it stands.
    Prohibit,
    /// Forbids where a clause begins with it; anywhere else it only denies.
    HeadProhibit,
    /// Forbids where a sentence begins with it; anywhere else it asks to leave something be.
    FirstProhibit,
    /// Forbids, with the word that begins a clause of its own: "but don't".
    AndProhibit,
    /// Forbids like [`Mark::FirstProhibit`], and behind a verb that tells what to do.
    Never,
    /// Forbids where a sentence ends with it; anywhere else it asks to leave something be.
    EndProhibit,
    /// Unmistakably forbids, in a question as well: "could you please never …?"
    Beg,
    /// Forbids where a participle follows, "must not be changed"; else it denies, "must not be empty".
    ForbidBe,
    /// Forbids unless it tells of what has been: "should never have done that".
    ForbidHave,
    /// Asks to leave something be.
    Avoid,
    /// Asks so where a clause begins with it.
    HeadAvoid,
    /// Leaves nothing: asks to leave something be, and forbids behind a verb that tells what to do.
    Naught,
    /// Obliges.
    Must,
    /// Obliges, a verb; with a denial behind it where a clause begins with it, it forbids.
    MustDo,
    /// Obliges where a clause begins with it: a verb that tells a way of working, not a task.
    HeadMust,
    /// Says that something holds on.
    Standing,
    /// Orders steps.
    Order,
    /// Goes on with steps where a sentence begins with it.
    Step,
    /// The first step, which goes on with nothing.
    Opening,
    /// Speaks of the order itself, and goes on with the steps before it where a sentence begins with it.
    Sequence,
    /// Limits a request.
    Except,
    /// At most, only.
    Limit,
    /// At most, where a number follows.
    Bound,
    /// Wants to be asked.
    Approve,
    /// Permits.
    Permit,
    /// Leaves something for later.
    Later,
    /// Denies. Little by itself: a report denies as well.
    Not,
    /// A condition. Little by itself.
    If,
    /// Obliges or permits; with a denial behind it in the clause, it forbids.
    Modal,
    /// Permits; with a denial behind it in the clause, it forbids instead.
    Allow,
    /// A denial that forbids with one of the next three soon behind it. Little by itself.
    Ne,
    /// One that also asks to leave something be: "no puedes".
    NeMay,
    /// One that also limits a request: "pero no".
    ExceptNe,
    /// Forbids with a participle behind it and a [`Mark::Ne`] that began the clause before it: "no file may be added".
    MayBe,
    /// A denial that forbids behind a verb that tells what to do, and where a sentence that ends in an infinitive begins
    /// with it.
    Nay,
    /// The rest of a denial: forbids behind a [`Mark::Ne`] that began a clause, behind a verb that tells what to do,
    /// and behind a [`Mark::Modal`].
    Deny,
    /// A verb that forbids behind any [`Mark::Ne`] with nothing but short pronouns between; nothing by itself.
    Forbid,
    /// A verb that forbids behind a [`Mark::Ne`] that began a clause; nothing by itself.
    HeadForbid,
    /// Begins a question.
    Ask,
    /// Begins a question, and wherever it stands a clause that is told and orders nothing.
    Why,
    /// Makes the sentence a question, wherever it stands.
    AskEnd,
    /// Begins a report: its subject.
    Report,
    /// Begins a report if it tells of what has been: "it", "this", "my".
    Subject,
    /// The same; behind a verb that tells what to do, it begins a clause that is told.
    That,
    /// Tells of what has been.
    Past,
    /// Before a participle, which then tells of no past: "callers are addressed by surname".
    Be,
    /// Begins a task for now.
    Do,
    /// Begins a polite request, in which what would else be a way of working is a task for now.
    Polite,
    /// Makes the sentence a task for now, wherever it stands.
    DoEnd,
    /// Begins an answer, thanks or a greeting.
    Ack,
    /// May stand before the first word of a clause.
    Lead,
    /// Says nothing: a phrase with words that would.
    Skip,
    /// A branch is named next.
    Branch,
    /// A currency.
    Money,
}

/// The tables of all languages.
pub(super) fn all() -> impl Iterator<Item = &'static (Mark, &'static str)> {
    [en::WORDS, es::WORDS, fr::WORDS, de::WORDS, pt::WORDS, zh::WORDS, ja::WORDS, ko::WORDS]
        .into_iter()
        .flatten()
}

/// The words before a colon by which what stands behind it is somebody else's, or is an error.
pub(super) const SAID: [&str; 60] = [
    "says",
    "said",
    "saying",
    "reads",
    "states",
    "stated",
    "stating",
    "complains",
    "complained",
    "warns",
    "warned",
    "prints",
    "printed",
    "printing",
    "displays",
    "translate",
    "error",
    "err",
    "dice",
    "dijo",
    "decía",
    "diciendo",
    "traduce",
    "traduzca",
    "traducir",
    "dit",
    "disait",
    "disant",
    "affiche",
    "traduis",
    "traduisez",
    "erreur",
    "sagt",
    "sagte",
    "meldet",
    "meldete",
    "lautet",
    "lautete",
    "übersetze",
    "übersetz",
    "fehler",
    "fehlermeldung",
    "diz",
    "disse",
    "dizia",
    "dizendo",
    "traduza",
    "traduz",
    "erro",
    "说",
    "說",
    "显示",
    "顯示",
    "翻译",
    "翻譯",
    "错误",
    "錯誤",
    "エラー",
    "翻訳",
    "오류",
];
