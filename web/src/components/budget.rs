use leptos::prelude::*;

use crate::desk::Desk;
use crate::model::budget::{STEPS, Stretch, budget_at, step_of, stretches};
use crate::model::number::{grouped, percent, typed};
use crate::model::wording::spoken_budget;

/// The budget: a slider, a number, and quick shares.
#[component]
pub(crate) fn BudgetView() -> impl IntoView {
    let desk = Desk::here();
    let total = desk.held().total;
    let share = move |percent: u64| {
        view! {
            <button type="button" on:click=move |_| desk.settle(budget_at(percent * 10, total))>{format!("{percent} %")}</button>
        }
    };
    let slide = move |event| {
        let step = event_target_value(&event).parse().unwrap_or(STEPS);
        desk.budget.set(budget_at(step, total));
    };
    let write = move |event| {
        let budget =
            typed(&event_target_value(&event)).unwrap_or_else(|| desk.budget.get_untracked());
        desk.settle(budget);
    };
    view! {
        <div class="budget">
            <div class="budget-row">
                <label class="title" for="budget">"Budget"</label>
                <input
                    class="budget-number"
                    type="text"
                    inputmode="numeric"
                    aria-label="Budget in tokens"
                    autocomplete="off"
                    prop:value=move || grouped(desk.budget.get())
                    on:change=write
                />
                <span class="unit"><span>"tokens, "</span>{move || percent(desk.budget.get(), total)}</span>
                <div class="segments shares" role="group" aria-label="Shares of the transcript">{[100, 50, 25, 10].map(share)}</div>
            </div>
            <input
                id="budget"
                class="slider"
                type="range"
                min="0"
                max=STEPS.to_string()
                step="1"
                prop:value=move || step_of(desk.budget.get(), total).to_string()
                aria-valuetext=move || spoken_budget(desk.budget.get(), total)
                on:input=slide
                on:change=move |_| desk.settled.set(desk.budget.get_untracked())
            />
            <Stretches />
            <PolicyView />
        </div>
    }
}

/// What each stretch of the slider leads to, below it.
#[component]
fn Stretches() -> impl IntoView {
    let desk = Desk::here();
    let total = desk.held().total;
    let planner = desk.keeper.planner;
    let found =
        Memo::new(move |_| planner.with(|planner| stretches(planner, total, desk.choice.get())));
    let stretch = |Stretch { name, steps: (start, end) }: Stretch| {
        let share = |steps: u64| format!("{:.2}%", steps as f64 * 100.0 / (STEPS + 1) as f64);
        let label = (end - start > STEPS / 9).then_some(name);
        view! { <i class=name style:left=share(start) style:width=share(end - start)>{label}</i> }
    };
    view! { <div class="stretches" aria-hidden="true">{move || found.get().into_iter().map(stretch).collect_view()}</div> }
}

/// What may be chosen beside the budget.
#[component]
fn PolicyView() -> impl IntoView {
    let desk = Desk::here();
    let lookback = move |event| {
        let lookback = event_target_value(&event).parse().unwrap_or(15);
        desk.choice.update(|choice| choice.lookback = lookback);
    };
    view! {
        <div class="policy" role="group" aria-label="Policy">
            <label>"lookback "
                <select on:change=lookback>
                    {[0_u8, 5, 15, 30, 50].map(|it| view! {
                        <option value=it.to_string() selected=it == 15>{it}" %"</option>
                    })}
                </select>
            </label>
            <label title="Go forward to the next legal cut and free more than asked, when there is none on the way back">
                <input type="checkbox" prop:checked=move || desk.choice.get().overshoot on:change=move |event| {
                    let on = event_target_checked(&event);
                    desk.choice.update(|choice| choice.overshoot = on);
                } />"may overshoot"
            </label>
            <label title="Wait while a call is pending, even where a cut before it is legal">
                <input type="checkbox" prop:checked=move || desk.choice.get().quiet on:change=move |event| {
                    let on = event_target_checked(&event);
                    desk.choice.update(|choice| choice.quiet = on);
                } />"wait for pending calls"
            </label>
            <label title="Keep lines of older output with strings that later calls may need; without them the newest rounds get all the room">
                <input type="checkbox" prop:checked=move || desk.choice.get().excerpts on:change=move |event| {
                    let on = event_target_checked(&event);
                    desk.choice.update(|choice| choice.excerpts = on);
                } />"keep excerpts"
            </label>
            <label title="Where no legal cut is in reach or none is enough, cut the largest results down in place">
                <input type="checkbox" prop:checked=move || desk.choice.get().trims on:change=move |event| {
                    let on = event_target_checked(&event);
                    desk.choice.update(|choice| choice.trims = on);
                } />"may trim results"
            </label>
        </div>
    }
}
