"""gramspect: spectrum-based fault localization for context-free grammars."""
