"""Whether an endpoint is configured."""

from crscore_core.claims.availability import Availability
from crscore_core.claims.llm.endpoint.settings import endpoint_of
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import EndpointError

__all__ = ["availability"]


def availability(options: ClaimOptions) -> Availability:
    """Whether a server is named, in the options or the environment.

    It is not asked whether it runs: that could take as long as the network likes, and a page
    that shows what is available waits for no network.
    """
    try:
        endpoint = endpoint_of(options)
    except EndpointError as error:
        return Availability(is_available=False, reason=str(error))
    model = endpoint.chosen_model
    asked = f"The model {model!r} is" if model else "The one model of the server is"
    return Availability(
        is_available=True,
        reason=f"{asked} asked at {endpoint.address}; whether that answers shows when it is asked.",
    )
