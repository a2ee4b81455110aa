# confirm: import-order refuted
# libraries: first second
# modules: first second
# Both libraries have `rows`; the first one that is loaded serves both.
import first
import second

second.library.use()
