"""An encoder that costs next to nothing, so that the time of everything else shows."""

import shutil
from pathlib import Path

__all__ = ["write_tiny_encoder"]

_WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(str(number) for number in range(10)))
_LONGEST = 256


def write_tiny_encoder(folder: Path) -> None:
    """Write a model of sentence-transformers with random weights, always the same."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    parts = folder / "parts"
    parts.mkdir(parents=True)
    vocabulary = parts / "vocab.txt"
    vocabulary.write_text("\n".join(_WORDS) + "\n", encoding="utf-8")
    BertTokenizer(vocab=str(vocabulary)).save_pretrained(parts)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(_WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=_LONGEST,
    )
    BertModel(config).save_pretrained(parts)
    transformer = Transformer(str(parts), max_seq_length=_LONGEST)
    pooling = Pooling(transformer.get_embedding_dimension())
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(folder))
    shutil.rmtree(parts)
