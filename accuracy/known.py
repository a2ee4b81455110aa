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
    ("collected", "pt-8976-worker-killed"): "not settled; presumably the parent ended too long after"
                                            " the killed worker for sigwhy to join the two. Another run on a"
                                            " less busy machine named it",
    ("collected", "w27-protobuf-newer-protoc"): "mended since this was asked: the case held the right"
                                                " verdict, but no report was printed",
    ("lab", "model_file_corruption"): "mended since this was asked: the reader took bytes of the cut"
                                      " file for a number and filled the memory; after such a kill"
                                      " the files that were being read are looked at now",
    ("lab", "op_overflow_small"): "it lived on that time: what lies behind the block is not the"
                                  " same in every run",
    ("lab", "concurrent_records"): "not settled; presumably the writer had ended before"
                                   " the reader died, and only the cut file was to be seen",
}
