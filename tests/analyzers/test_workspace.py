from analyzers.batches import workspace


def test_texts_lie_under_generated_names_and_are_gone_afterwards() -> None:
    with workspace(["a\n", "ö\udcff"], ".py") as space:
        written = {path.name: path.read_bytes() for path in space.folder.iterdir()}
        assert [written[name] for name in space.names] == [b"a\n", "ö?".encode()]
        assert len(written) == 2
        assert all(name.endswith(".py") for name in space.names)
    assert not space.folder.exists()


def test_each_workspace_is_its_own() -> None:
    with workspace(["a"], ".py") as one, workspace(["b"], ".py") as other:
        assert one.folder != other.folder
        assert (one.folder / one.names[0]).read_text() == "a"
