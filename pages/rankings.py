"""Who writes the best reviews, by people and by every metric."""

import streamlit as st

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.validity.rankings import PEOPLE, Rankings, rank_by
from pages.components.empty import NOTHING_SCORED, lead_to_data
from pages.components.names import system_name
from pages.components.rankings_page.bump import SURE, show_bump
from pages.components.rankings_page.choice import choose_request, choose_system
from pages.components.rankings_page.means import show_means
from pages.components.rankings_page.missing import nothing_ranked, say_not_ranked
from pages.components.rankings_page.paper import show_paper_ranks
from pages.components.rankings_page.reviews import show_reviews
from pages.components.rankings_page.tables import show_agreement, show_neighbours, show_ranks
from pages.components.source.model import Source
from pages.components.source.switch import current_source
from pages.components.tau import tau_slider


def _say(found: Rankings) -> None:
    """What is left out, and what is not there."""
    if found.left_out:
        st.warning(
            f"There are {found.left_out + len(found.systems):,} systems; the {len(found.systems)} "
            "with the most reviews are ranked. Is the column of systems mapped right?"
        )
    if not any(column in PEOPLE for column in found.by) and found.people is None:
        st.info(
            "Nobody rated these reviews, so nothing says which order is right: the metrics rank "
            "alone, without a correlation with people."
        )
    rated = None if found.people is None else found.by.get(found.people)
    if rated and rated.reviews < sum(found.systems.values()):
        st.caption(
            f"People rated {rated.reviews:,} of {sum(found.systems.values()):,} reviews: their "
            "order and all correlations are over these."
        )
    if found.ground_truth:
        st.caption(
            "The ground truth, the reviews that came with the data, has means below and, as in "
            "the paper, no rank and no part in correlations."
        )


@st.fragment
def _show(source: Source) -> None:
    """Everything hangs on tau."""
    tau = tau_slider(source.comparison.encoder)
    rows = source.table.at(tau)
    request = choose_request(source, rows)
    found = rank_by(source.comparison, rows, request, source.bootstrap)
    if not found.by:
        st.info(nothing_ranked(found, request))
        return
    names = {system: system_name(source, system) for system in found.systems}
    names[GROUND_TRUTH] = SYSTEMS[GROUND_TRUTH]
    _say(found)
    say_not_ranked(found, request)
    charts = st.container()
    chosen = choose_system(list(found.systems), names)
    with charts:
        st.subheader("Ranks", anchor=False)
        show_bump(found, names, chosen)
        st.caption(
            "1 is the best. A grey bar joins neighbours whose order is unsure: in resamples of "
            f"the changes they stand so less often than {SURE:.0%}. Click a point to read the "
            "reviews of its system; the table below does the same with the keyboard."
        )
        show_ranks(found, names)
        show_agreement(source, found)
        st.subheader("Means", anchor=False)
        show_means(found, names)
        with st.expander("How sure the order of neighbours is"):
            show_neighbours(found, names)
        if source.study is not None:
            with st.expander("Beside the paper's ranks"):
                show_paper_ranks(found)
        st.subheader("Reviews", anchor=False)
    if chosen is not None:
        show_reviews(rows, chosen, names[chosen], request.language)


st.title("Rankings")
st.markdown(
    "Systems from best to worst by people and by metrics: a metric is of use where its order is "
    "people's."
)
source = current_source()
if source is not None and source.comparison.reviews:
    _show(source)
elif source is not None:
    lead_to_data(NOTHING_SCORED)
