"""Every role has a readable colour under every theme a user can choose."""

import pytest
from textual.app import App

from workbench.tui.painting.palette import Palette, mix
from workbench.tui.theme import ROLES, THEMES, palette_of, role_variables


class Themed(App[None]):
    CSS = "Screen { background: $background; color: $role-muted; }"

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_variables(self.current_theme)


async def test_every_theme_gives_every_role_a_colour() -> None:
    app = Themed()
    async with app.run_test() as pilot:
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
            palette = palette_of(app)
            assert palette is palette_of(app)
            for role in ROLES:
                assert palette.style(f"bold {role} on panel").color is not None


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("column", [1, 2], ids=["dark", "light"])
def test_text_stands_out_from_its_ground(column: int) -> None:
    drawn = {"level-low", "level-warning", "level-over", "boundary", "pointer-ground", "match", "match-ink"}
    theme = THEMES[column - 1]
    for role, row in ROLES.items():
        for ground in (theme.background, theme.surface, theme.panel):
            assert ground is not None
            assert role in drawn or _contrast(row[column], ground) >= 4.5, role
    assert _contrast(ROLES["match"][column], ROLES["match-ink"][column]) >= 4.5


def test_style_words_mix_roles_with_styles() -> None:
    palette = Palette((("user", "#112233"), ("panel", "#000000")))
    assert str(palette.style("bold user on panel")) == "bold #112233 on #000000"
    assert palette.colour("nobody") == "default"


def test_mixing_leaves_terminal_colours_alone() -> None:
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert mix("#000000", "red", 0.5) == "red"
