"""Reports of a `gramspect.localization.results.Localization`."""
