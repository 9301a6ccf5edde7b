"""The settings that name a model."""

import pytest

from operators.llm.endpoint import Endpoint, EndpointInvalid, OnFailure, Output, endpoint_from

ADDRESS = "https://models.example/v1#gpt-4o-mini"


def test_without_a_setting_there_is_no_model() -> None:
    assert endpoint_from({}) is None
    assert endpoint_from({"STET_LLM": "  ", "STET_LLM_KEY": "sk-1"}) is None


def test_the_address_names_endpoint_and_model() -> None:
    assert endpoint_from({"STET_LLM": ADDRESS}) == Endpoint("https://models.example/v1", "gpt-4o-mini")


@pytest.mark.parametrize(
    ("address", "base_url", "model", "query"),
    [
        ("http://127.0.0.1:8000/v1/#org/model:7b", "http://127.0.0.1:8000/v1", "org/model:7b", ""),
        ("https://h/openai?api-version=1#a%20b", "https://h/openai", "a b", "api-version=1"),
        ("http://[::1]:80/v1#通义", "http://[::1]:80/v1", "通义", ""),
    ],
)
def test_addresses_of_every_kind_are_read(address: str, base_url: str, model: str, query: str) -> None:
    assert endpoint_from({"STET_LLM": address}) == Endpoint(base_url, model, query=query)


def test_every_limit_can_be_set() -> None:
    endpoint = endpoint_from(
        {
            "STET_LLM": ADDRESS,
            "STET_LLM_KEY": "sk-1",
            "STET_LLM_REQUESTS_PER_MINUTE": "500",
            "STET_LLM_TOKENS_PER_MINUTE": "200000",
            "STET_LLM_DAILY_TOKENS": "1000000",
            "STET_LLM_DEADLINE": "30",
            "STET_LLM_IN_FLIGHT": "8",
            "STET_LLM_QUIET": "0",
            "STET_LLM_ON_FAILURE": "rules",
            "STET_LLM_OUTPUT": "json",
        }
    )
    assert endpoint == Endpoint(
        "https://models.example/v1",
        "gpt-4o-mini",
        "sk-1",
        requests_per_minute=500,
        tokens_per_minute=200_000,
        daily_tokens=1_000_000,
        deadline=30.0,
        in_flight=8,
        quiet=0.0,
        on_failure=OnFailure.RULES,
        output=Output.JSON,
    )


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"STET_LLM": "gpt-4o-mini"}, "STET_LLM is no address"),
        ({"STET_LLM": "ftp://h/v1#m"}, "STET_LLM is no address"),
        ({"STET_LLM": "https://h:99999/v1#m"}, "STET_LLM is no address"),
        ({"STET_LLM": "https://h/v1"}, "names no model"),
        ({"STET_LLM": "https://h/v1#%00"}, "names no model"),
        ({"STET_LLM": "https://me:pass@h/v1#m"}, "holds a login"),
        ({"STET_LLM": ADDRESS, "STET_LLM_KEY": "sk-1\nsk-2"}, "STET_LLM_KEY holds signs"),
        ({"STET_LLM": ADDRESS, "STET_LLM_DEADLINE": "nan"}, "STET_LLM_DEADLINE is 'nan'"),
        ({"STET_LLM": ADDRESS, "STET_LLM_IN_FLIGHT": "0"}, "whole number of at least 1"),
        ({"STET_LLM": ADDRESS, "STET_LLM_DAILY_TOKENS": "1.5"}, "whole number of at least 0"),
        ({"STET_LLM": ADDRESS, "STET_LLM_ON_FAILURE": "drop"}, "one of park, rules"),
        ({"STET_LLM": ADDRESS, "STET_LLM_OUTPUT": "xml"}, "one of auto, schema, json, text"),
    ],
)
def test_a_wrong_setting_is_named_with_what_to_do(settings: dict[str, str], says: str) -> None:
    with pytest.raises(EndpointInvalid, match=says):
        endpoint_from(settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"STET_LLM": "https://me:hush@h/v1#m"},
        {"STET_LLM": "https://h:hush/v1#m"},
        {"STET_LLM": "hush"},
        {"STET_LLM": ADDRESS, "STET_LLM_KEY": "hush hush"},
    ],
)
def test_an_error_holds_no_secret(settings: dict[str, str]) -> None:
    with pytest.raises(EndpointInvalid) as caught:
        endpoint_from(settings)
    assert "hush" not in str(caught.value)


def test_an_endpoint_is_shown_without_its_secrets() -> None:
    endpoint = endpoint_from({"STET_LLM": "https://h/v1?key=hush#m", "STET_LLM_KEY": "hush"})
    assert endpoint is not None
    assert endpoint.key == "hush"
    assert "hush" not in repr(endpoint)
