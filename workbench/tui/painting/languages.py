"""In which language a text is written, by the path it came from, or by its first characters where they tell."""

from pathlib import PurePath

_BY_ENDING = {
    "bash": "bash sh zsh ksh bats envrc",
    "c": "c h",
    "clojure": "clj cljs edn",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "css": "css less",
    "dart": "dart",
    "diff": "diff patch",
    "docker": "dockerfile containerfile",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "fish": "fish",
    "go": "go",
    "graphql": "graphql gql",
    "groovy": "gradle groovy",
    "haskell": "hs",
    "html": "htm html",
    "ini": "cfg conf editorconfig ini",
    "java": "java",
    "javascript": "cjs js jsx mjs",
    "json": "ipynb json jsonc jsonl webmanifest",
    "kotlin": "kt kts",
    "lua": "lua",
    "make": "makefile mk",
    "markdown": "markdown md mdx",
    "nix": "nix",
    "ocaml": "ml mli",
    "perl": "pl pm",
    "php": "php",
    "powershell": "ps1",
    "protobuf": "proto",
    "python": "py pyi pyw",
    "r": "r",
    "ruby": "gemfile rakefile rb",
    "rust": "rs",
    "scala": "sbt scala",
    "scss": "sass scss",
    "sql": "sql",
    "swift": "swift",
    "terraform": "hcl tf tfvars",
    "toml": "toml",
    "typescript": "cts mts ts",
    "tsx": "tsx",
    "vue": "vue",
    "xml": "plist svg xml xsd xsl",
    "yaml": "yaml yml",
    "zig": "zig",
}
LANGUAGES = {ending: language for language, endings in _BY_ENDING.items() for ending in endings.split()}

_DIFF_STARTS = ("diff --git ", "--- a/", "Index: ")


def language_of_path(path: str) -> str:
    """Pygments' name of the language of a file, by its ending or its whole name; "" when neither is known."""
    name = PurePath(path.replace("\\", "/")).name.lower()
    return LANGUAGES.get(name.rpartition(".")[2], "") if name else ""


def language_of_text(text: str) -> str:
    """The language of a text that says so at its beginning: a patch, JSON, a script with its interpreter; else ""."""
    if text.startswith(_DIFF_STARTS):
        return "diff"
    start = text[:200].lstrip()
    if start[:1] in ("{", "[") and start[1:].lstrip()[:1] in ('"', "{", "[", "}", "]"):
        return "json"
    if text.startswith("#!"):
        first = text[:80].partition("\n")[0]
        return next((language for word, language in _INTERPRETERS.items() if word in first), "")
    return ""


_INTERPRETERS = {"python": "python", "node": "javascript", "ruby": "ruby", "perl": "perl", "sh": "bash"}
