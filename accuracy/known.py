"""Why a verdict is not right, for those that were looked into: the last column
of the list in docs/accuracy.md. Nothing else reads it."""

UNSAID = "abort() without a word: the process does not hold which check failed"
ITSELF = "the report says that the program sent it to itself; no cause id means that"

REASONS = {
    ("crashes", "abort_python"): UNSAID,
    ("crashes", "alike_pyfatal_words"): UNSAID + "; the words it printed are not the"
                                        " interpreter's",
    ("crashes", "alike_stack_other_guard"): "where a stray address came from is not in"
                                            " the state",
    ("crashes", "killed_hard_by_child"): "SIGKILL carries no sender, and it came before"
                                         " sigwhy was ready to record one",
    ("crashes", "killed_itself"): ITSELF,
    ("crashes", "killed_itself_term"): ITSELF,
    ("lab", "op_overflow_small"): "it lived on that time: what lies behind the block is not the"
                                  " same in every run",
}
