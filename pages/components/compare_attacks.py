"""Reviews that try to win without reviewing: how often each metric falls for them."""

from collections.abc import Sequence

import streamlit as st
from crscore_core.validity.attacks import AttackResult

from crscore_core.validity.metric_columns import TITLES
from crscore_core.validity.workbench import Request, Workbench
from pages.components.job_view import say_end, show_progress, watch_job
from pages.components.markup import text_table
from pages.components.text import counted


def show_attacks(bench: Workbench, request: Request) -> None:
    """Offer to attack the chosen metrics on these changes, and show the shares of wins."""
    st.header("Reviews that try to win", anchor=False)
    st.caption(
        "Recited claims, pasted code, one sentence fifty times and others, against the best review "
        "that people rated 4 or 5 of the same change. A metric should let none of them win."
    )
    job = bench.attack_job(request.names)
    end = job.now() if job else None
    if job and end and not end.is_over:
        watch_job(job, lambda _: "**Attacking the metrics.**", show_progress)
        return
    if end and end.result is not None:
        _show_wins(end.result)
        return
    if end:
        say_end(end)
    if st.button("Attack the metrics", icon=":material/swords:"):
        bench.attack_job(request.names, again=True)
        st.rerun()


def _show_wins(results: Sequence[AttackResult]) -> None:
    metrics = list(dict.fromkeys(result.metric for result in results))
    wins = {(result.attack, result.metric): result.wins.value for result in results}
    rows = [
        {"attack": attack}
        | {
            TITLES[name]: "" if (share := wins[attack, name]) is None else f"{share:.0%}"
            for name in metrics
        }
        for attack in dict.fromkeys(result.attack for result in results)
    ]
    text_table(rows, wide=("attack",))
    changes = counted(max(result.changes for result in results), "change")
    st.caption(
        f"Share of {changes} in which the attack gets the higher value; equal values count half. A "
        "metric that falls for an attack cannot be the aim of an author who knows it: look at the "
        "reviews themselves, or at a number that does not."
    )
