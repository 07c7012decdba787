"""The two themes of the workbench, and what each colour means.

Colours are chosen by role, never by name: a stylesheet says `$role-user`, painted text says `user`
(`workbench.tui.painting.palette`). Textual's own themes work too: there each role borrows the theme colour named in
`ROLES`. The application registers the themes and answers `get_theme_variable_defaults` with `role_variables`.
"""

from functools import lru_cache
from typing import Any

from textual.app import App
from textual.color import Color
from textual.theme import Theme

from workbench.tui.painting.palette import Palette

# role: (theme variable borrowed by other themes, colour in the dark theme, colour in the light theme)
ROLES: dict[str, tuple[str, str, str]] = {
    # who speaks
    "user": ("primary", "#7dcfff", "#0b6a94"),
    "assistant": ("accent", "#bb9af7", "#7440c0"),
    "tool": ("warning", "#ff9e64", "#9a4008"),
    "system": ("error", "#f7768e", "#b8244a"),
    # what becomes of a message
    "kept": ("foreground", "#c8ccd8", "#2b2f3c"),
    "summarised": ("foreground-muted", "#8b92a8", "#585f72"),
    "dropped": ("error", "#f7768e", "#b8244a"),
    "cleared": ("warning", "#e0af68", "#875a00"),
    "added": ("success", "#9ece6a", "#356613"),
    # how a number is known
    "exact": ("success", "#9ece6a", "#356613"),
    "estimated": ("warning", "#e0af68", "#875a00"),
    "lower-bound": ("accent", "#ff9e64", "#9a4008"),
    "unknown": ("foreground-muted", "#8b92a8", "#585f72"),
    # the timeline
    "level-low": ("success", "#9ece6a", "#6fa83f"),
    "level-warning": ("warning", "#e0af68", "#d29a2e"),
    "level-over": ("error", "#ff9e64", "#e0702b"),
    "threshold": ("error", "#f7768e", "#b8244a"),
    "boundary": ("error", "#f7768e", "#d03a5e"),
    "notes": ("accent", "#bb9af7", "#7440c0"),
    "microcompaction": ("warning", "#e0af68", "#875a00"),
    "pointer": ("foreground", "#ffffff", "#10131c"),
    "pointer-ground": ("primary-muted", "#3b4672", "#bccbf2"),
    "axis": ("foreground-muted", "#8b92a8", "#585f72"),
    # everything else
    "key": ("primary", "#7aa2f7", "#2f5bc4"),
    "text": ("foreground", "#c8ccd8", "#2b2f3c"),
    "muted": ("foreground-muted", "#8b92a8", "#585f72"),
    "match": ("warning", "#e0af68", "#f2c94c"),
    "match-ink": ("background", "#11131a", "#10131c"),
    "success": ("success", "#9ece6a", "#356613"),
    "warning": ("warning", "#e0af68", "#875a00"),
    "error": ("error", "#f7768e", "#b8244a"),
}
_GROUNDS = ("background", "surface", "panel")


def _theme(name: str, column: int, background: str, surface: str, panel: str, *, dark: bool) -> Theme:
    by_role = {role: row[column] for role, row in ROLES.items()}
    variables = {f"role-{role}": colour for role, colour in by_role.items()}
    for part in ("scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active", "scrollbar-corner-color"):
        variables[part] = background
    return Theme(
        name=name,
        primary=by_role["key"],
        secondary=by_role["user"],
        accent=by_role["assistant"],
        success=by_role["success"],
        warning=by_role["warning"],
        error=by_role["error"],
        foreground=by_role["text"],
        background=background,
        surface=surface,
        panel=panel,
        dark=dark,
        variables=variables | {"scrollbar": by_role["pointer-ground"], "footer-key-foreground": by_role["key"]},
    )


WORKBENCH_DARK = _theme("workbench", 1, "#11131a", "#1a1d2b", "#21253a", dark=True)
WORKBENCH_LIGHT = _theme("workbench-light", 2, "#f6f7fa", "#e8ebf3", "#dce0ec", dark=False)
THEMES = (WORKBENCH_DARK, WORKBENCH_LIGHT)


def role_variables(theme: Theme) -> dict[str, str]:
    """A value for every `$role-…` variable under any theme, for the application's `get_theme_variable_defaults`."""
    generated = theme.to_color_system().generate()
    return {f"role-{role}": generated[row[0]] for role, row in ROLES.items()} | theme.variables


def palette_of(app: App[Any]) -> Palette:
    """The palette of the theme an application shows now; the same object until the theme changes."""
    variables = app.theme_variables
    grounds = tuple(variables[name] for name in _GROUNDS)
    return _palette(grounds, tuple(variables.get(f"role-{role}", variables[row[0]]) for role, row in ROLES.items()))


@lru_cache(maxsize=8)
def _palette(grounds: tuple[str, ...], colours: tuple[str, ...]) -> Palette:
    background = Color.parse(grounds[0])
    pairs = zip((*_GROUNDS, *ROLES), (*grounds, *colours), strict=True)
    return Palette(tuple((role, _opaque(colour, background)) for role, colour in pairs))


def _opaque(value: str, background: Color) -> str:
    """A theme value such as `#c8ccd8`, `#c8ccd899` or `ansi_default 50%` as one colour that covers what is below."""
    name, _, share = value.partition(" ")
    colour = Color.parse(name)
    if colour.ansi is not None:
        return "bright_black" if share else colour.rich_color.name
    strength = colour.a * (float(share.rstrip("%")) / 100 if share else 1)
    return background.blend(colour, strength, 1).rich_color.name
