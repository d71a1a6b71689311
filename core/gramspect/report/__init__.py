"""Reports of results: text, JSON, HTML, SARIF and other forms, and pictures.

Of a localization: `text`, `json`, `html`, `sarif`; other modules begin with what they report on and
end with the form. `words` and `values` are what text and JSON are made of.

May use: all rooms but `cli`.
"""
