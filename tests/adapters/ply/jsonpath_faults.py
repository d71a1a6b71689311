"""The faults that are seeded into jsonpath-ng's grammar."""

from faults import Fault

FAULTS = (
    Fault("slice-without-step", "p_slice", "maybe_int ':' maybe_int ':' maybe_int", None),
    Fault("slice-needs-limits", "p_maybe_int", "empty", None),
    Fault("no-wildcard-in-brackets", "p_slice_any", "'*'", None),
    Fault("no-wildcard", "p_fields_or_any", "'*'", None),
    Fault("no-named-operator", "p_jsonpath_named_operator", "NAMED_OPERATOR", None),
    Fault("indices-with-dots", "p_idx_comma", "idx ',' idx", "idx '.' idx"),
    Fault(
        "index-not-closed",
        "p_jsonpath_child_idxbrackets",
        "jsonpath '[' idx ']'",
        "jsonpath '[' idx",
    ),
    Fault(
        "bracket-for-parenthesis",
        "p_jsonpath_parens",
        "'(' jsonpath ')'",
        "'(' jsonpath ']'",
    ),
    Fault("fields-in-braces", "p_jsonpath_fieldbrackets", "'[' fields ']'", "'(' fields ']'"),
)
