"""Texts of generated tests: samples of tokens, separators between them, and models."""

from __future__ import annotations

from gramspect.generation.texts.lexemes import SampleTexts, Spacing
from gramspect.generation.texts.model import Model, read_model
from gramspect.generation.texts.subject import read_samples, sample_texts

__all__ = ["Model", "SampleTexts", "Spacing", "read_model", "read_samples", "sample_texts"]
