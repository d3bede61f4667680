"""A model with random weights that is small enough to create in a test."""

import shutil
from pathlib import Path

_WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] cache null check retry the a is of session long".split()


def write_tiny_model(folder: Path, seed: int, longest: int = 16) -> None:
    """Write a sentence-transformers model with random weights that reads `longest` tokens."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    vocabulary = parts / "vocab.txt"
    vocabulary.write_text("\n".join(_WORDS) + "\n", encoding="utf-8")
    BertTokenizer(vocab=str(vocabulary)).save_pretrained(parts)
    config = BertConfig(vocab_size=len(_WORDS), hidden_size=16, intermediate_size=16,
                        num_hidden_layers=1, num_attention_heads=2,
                        max_position_embeddings=2 * longest)  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(parts)
    transformer = Transformer(str(parts), max_seq_length=longest)
    pooling = Pooling(transformer.get_embedding_dimension())
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(folder))
    shutil.rmtree(parts)


def pickle_only(folder: Path) -> None:
    """Keep a model's weights, undamaged, but only as a pickle."""
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
