"""JFlex specifications as scanners of CUP grammars.

* `lexemes`, `syntax`, `reading`: a specification as it is written;
* `expressions`, `characters`: its regular expressions as patterns of token rules;
* `symbols`, `making`, `messages`: the scanner that JFlex and the Java compiler make of it;
* `actions`, `tokenrules`: the rules, and the terminals that their actions return;
* `samples`: texts that rules read;
* `recognizer`: CUP's tables, fed by such a scanner.
"""
