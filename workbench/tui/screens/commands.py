"""The command palette and the list of themes: Textual's own, held against keys that come before its rows are laid out."""

from textual.command import CommandList, CommandPalette


class Commands(CommandPalette):
    """Textual moves by a page of rows that it has not laid out yet, and fails; here such a key moves nothing."""

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)
