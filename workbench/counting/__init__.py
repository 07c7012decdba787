"""Counting tokens, at the edge: a tokenizer in a child process, its cache, and the Messages API on request.

    estimators   the table: rough, tiktoken, api
    counter      cache first, then the counting process; bytes/4 when there is none
    service      keeps that process at hand, replaces it when it dies
    link         one life of it, from start to end
    child        the process itself
    protocol     what travels between the two
    engines      tiktoken, or the pure-Python engine when tiktoken cannot load
    vocabulary   o200k_base without network
    texts        cut to a length no tokenizer chokes on
    cache        counts already made, by content
    api          count_tokens, only when the user asks
    faults       what can go wrong, in the words the user reads

The rest of the program knows none of this: only `cli` and `tui` import it and hand an estimator in.
"""
