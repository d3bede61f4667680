"""Tau presets for pairs of encoder and claims backend, computed by the paper's procedure."""

from crscore_core.claims import DEFAULT_CLAIMS
from crscore_core.errors import InputError, quoted
from crscore_core.scoring.signature import claims_version

# `crscore validity`, 183 changes, the study's claims; 95%: 0.455 to 0.510 and 0.304 to 0.356
_MINILM = {"tau_best": 0.483, "tau_gt": 0.330}

PRESETS: dict[tuple[str, str], dict[str, float]] = {
    # The procedure gives 0.411 and 0.292 for symbolic claims, with the same agreement.
    ("all-MiniLM-L6-v2", "symbolic"): _MINILM,
    ("all-MiniLM-L6-v2", ""): _MINILM,
    # the paper, section 3.3 and its footnote
    ("mixedbread-ai/mxbai-embed-large-v1", ""): {"tau_best": 0.7314, "tau_gt": 0.6576},
}
"""Keyed by encoder and claims backend; an empty backend means all claims except symbolic ones.

A preset is the mean, over review sentences, of the best similarity to a pseudo-reference of the
study's claims (paper, section 3.3). `tau_best` uses the sentences of the best system, GPT-3.5;
`tau_gt` uses the sentences of the ground truth.
"""


def tau_preset(encoder: str, claims: str = "") -> dict[str, float] | None:
    """Return the preset for an encoder and claims, or None."""
    return PRESETS.get((encoder, DEFAULT_CLAIMS if claims_version(claims) else ""))


def resolve_tau(tau: float | str | None, encoder: str, claims: str = "") -> float:
    """Return the threshold: `tau` as a number, or a preset; None means the preset `tau_gt`.

    `tau_gt` is the default because, in the study, it agrees with people better than `tau_best`.
    `claims` is the name of the claims backend; similarities differ between backends.

    Raises:
        InputError: `tau` is not a number from -1 to 1, or encoder and claims have no preset.
    """
    if tau is not None and tau not in {"tau_best", "tau_gt"}:
        return check_tau(tau)
    preset = tau_preset(encoder, claims)
    if preset is None:
        raise InputError(no_preset(encoder, claims))
    return preset[str(tau or "tau_gt")]


def no_preset(encoder: str, claims: str) -> str:
    """Return the message for a missing preset, with the commands that compute one."""
    named = DEFAULT_CLAIMS if claims_version(claims) else "study"
    option = "FOLDER" if "#" in encoder else encoder[:80]  # a recorded name is not a path
    command = f"crscore validity --encoder {option} --claims {named} --tau"
    return (
        f"encoder {quoted(encoder)} with claims {quoted(claims or 'of any kind')} has no preset "
        f"for tau; give tau as a number; `{command} tau_gt` or `{command} tau_best` computes one"
    )


def check_tau(tau: float | str) -> float:
    """Return the threshold as a number; raise an InputError if it is not a possible cosine."""
    try:
        value = float(tau)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"tau {quoted(str(tau))} is not a number, tau_gt or tau_best") from error
    if not -1 <= value <= 1:
        raise InputError(f"tau must be between -1 and 1, not {value}")
    return value
