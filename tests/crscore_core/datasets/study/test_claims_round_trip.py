"""The study's generated claims, written as an answer and read again."""

from crscore_core.claims import Claim, ClaimKind, claims_of_response
from crscore_core.datasets.study.model import HumanStudy, StudyChange


def claims_of(change: StudyChange) -> list[Claim]:
    """Its generated claims; the study does not tell kinds apart, so its halves are two kinds."""
    texts = list(dict.fromkeys(" ".join(claim.text.split()) for claim in change.coded_claims))
    half = (len(texts) + 1) // 2
    kinds = [ClaimKind.CLAIM] * half + [ClaimKind.IMPLICATION] * (len(texts) - half)
    return [Claim(text, kind, "study") for text, kind in zip(texts, kinds, strict=True)]


def answer_of(claims: list[Claim]) -> str:
    sections = []
    for title, kind in (
        ("Summary of changes", ClaimKind.CLAIM),
        ("Implications", ClaimKind.IMPLICATION),
    ):
        texts = [claim.text for claim in claims if claim.kind is kind]
        items = [f"{number}. {text}" for number, text in enumerate(texts, start=1)]
        sections.append("\n".join([f"{title}:", *items]))
    return "\n\n".join(sections)


def test_claims_of_the_study_come_back_as_they_were(real_study: HumanStudy) -> None:
    claims = [claims_of(change) for change in real_study.changes]
    assert sum(map(len, claims)) > 900
    for expected in claims:
        assert claims_of_response(answer_of(expected), "study") == tuple(expected)
