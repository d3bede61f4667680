import threading

import pytest

from crscore_core.predicted.words import content_words, word_count


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("the of and", ()),
        ("The parser fails.", ("parser", "fail")),
        ("maxRetryCount", ("max", "retri", "count")),
        ("max_retry_count", ("max", "retri", "count")),
        ("MAX_RETRY_COUNT", ("max", "retri", "count")),
        ("HTTPServer", ("http", "server")),
        ("utf8 and sha256", ("utf", "sha", "256")),
        ("i = x + 10", ("10",)),
        ("retries retrying retry", ("retri", "retri", "retri")),
        ("größe prüfen", ("größe", "prüfen")),
        ("配列 が空", ("配列", "が空")),
        ("z" * 41 + "ing", ("z" * 41 + "ing",)),
    ],
)
def test_content_words(text: str, words: tuple[str, ...]) -> None:
    assert content_words(text) == words


def test_spellings_of_one_name_share_their_words() -> None:
    assert content_words("maxRetryCount") == content_words("the max retry counts")


@pytest.mark.parametrize(("text", "count"), [("", 0), ("?!", 0), ("a b_c d.e", 4), ("don't", 2)])
def test_every_word_counts(text: str, count: int) -> None:
    assert word_count(text) == count


def test_threads_may_stem_at_once() -> None:
    texts = [f"running walkers{number} classes" for number in range(200)]
    alone = [("run", "walker", str(number), "class") for number in range(200)]
    found: list[list[tuple[str, ...]]] = []
    threads = [
        threading.Thread(target=lambda: found.append([content_words(text) for text in texts]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [tuple(word for word in words if len(word) > 1) for words in alone]
    assert found == [expected] * 4
