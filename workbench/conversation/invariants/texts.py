"""The API's own words for each violation, indices filled in (spec 3): what a user will search the web for."""

NO_MESSAGE = "messages: at least one message is required"
FIRST_NOT_USER = 'messages: first message must use the "user" role'
NO_PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."
TRAILING_WHITESPACE = "messages: final assistant content cannot end with trailing whitespace"
EMPTY_TEXT = "messages: text content blocks must be non-empty"
BLANK_TEXT = "messages: text content blocks must contain non-whitespace text"
TOOL_NAMES = "tools: Tool names must be unique."
DUPLICATE_CALL = "messages: `tool_use` ids must be unique"
BUDGET_OVER_MAX = "`max_tokens` must be greater than `thinking.budget_tokens`."
BUDGET_TOO_SMALL = "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
BUDGET_UNFIT = "thinking.enabled.budget_tokens: Input should be a valid integer"
BUDGET_MISSING = "thinking.enabled.budget_tokens: Field required"
FORCED_CHOICE = "Thinking may not be enabled when tool_choice forces tool use."
EMPTY_TEXT_MARK = "cache_control cannot be set for empty text blocks"
TOO_MANY_BYTES = "413 request_too_large: Request exceeds the maximum size"
BAD_JSON = "The request body is not valid JSON: no low surrogate in string"


def same_role(role: str) -> str:
    return f'messages: roles must alternate between "user" and "assistant", but found multiple "{role}" roles in a row'


def empty_message(index: int) -> str:
    return f"messages.{index}: all messages must have non-empty content except for the optional final assistant message"


def unfit_text(index: int, at: int, *, there: bool) -> str:
    return f"messages.{index}.content.{at}.text.text: {'Input should be a valid string' if there else 'Field required'}"


def bad_role(index: int) -> str:
    return f"messages.{index}.role: Input should be 'user' or 'assistant'"


def unanswered(index: int, id: str) -> str:
    return (
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def unasked(index: int, at: int, id: str) -> str:
    return (
        f"messages.{index}.content.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. "
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
    )


def duplicate_result(index: int, at: int, id: str) -> str:
    return (
        f"messages.{index}.content.{at}: each tool_use must have a single result. "
        f"Found multiple `tool_result` blocks with id: {id}"
    )


def bad_id(index: int, at: int, field: str) -> str:
    return f"messages.{index}.content.{at}.{field}: String should match pattern '^[a-zA-Z0-9_-]+$'"


def server_call(index: int, kind: str, id: str, result: str) -> str:
    return f"messages.{index}: `{kind}` tool use with id {id} was found without a corresponding `{result}` block"


def server_result(index: int, at: int, kind: str, id: str) -> str:
    return f"messages.{index}.content.{at}: unexpected `tool_use_id` found in `{kind}` blocks: {id}."


def thinking_last(index: int) -> str:
    return f"messages.{index}: The final block in an assistant message cannot be `thinking`."


def thinking_first(index: int, kind: str) -> str:
    return (
        f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{kind}`. When `thinking` is "
        "enabled, a final `assistant` message must start with a thinking block (preceding the lastmost set of `tool_use` and "
        "`tool_result` blocks)."
    )


def thinking_disabled(index: int) -> str:
    return f"messages.{index}: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`."


def thinking_modified(index: int, at: int) -> str:
    return (
        f"messages.{index}.content.{at}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be "
        "modified. These blocks must remain as they were in the original response."
    )


def signature(index: int, at: int) -> str:
    return f"messages.{index}.content.{at}: Invalid `signature` in `thinking` block"


def bound_thinking(index: int, at: int) -> str:
    return f"{signature(index, at)}. The block is bound to a different conversation."


def marks(found: int) -> str:
    return f"A maximum of 4 blocks with cache_control may be provided. Found {found}."


def mark_order(index: int, at: int) -> str:
    return (
        f"messages.{index}.content.{at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' "
        "cache_control block"
    )


def image_side(index: int, at: int, limit: int) -> str:
    words = "8000 pixels" if limit == 8_000 else f"for many-image requests: {limit} pixels"
    joint = "max allowed size: " if limit == 8_000 else "max allowed size "
    return f"messages.{index}.content.{at}: At least one of the image dimensions exceed {joint}{words}"


def image_size(index: int, at: int, size: int, limit: int) -> str:
    return f"messages.{index}.content.{at}: image exceeds {limit >> 20} MB maximum: {size} bytes > {limit} bytes"


def media(found: int, limit: int) -> str:
    return f"too many images and documents: {limit} + {found - limit} > {limit}"


def too_long(tokens: int, window: int) -> str:
    return f"prompt is too long: {tokens} tokens > {window} maximum"


def compaction_block(index: int, at: int) -> str:
    return f"messages.{index}.content.{at}: `compaction` blocks must be returned as they were received, as the first block"
