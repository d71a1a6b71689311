"""Reports of a `gramspect.results.Localization`."""
