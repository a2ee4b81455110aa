# confirm: other-version refuted
# packages: brittle-1 brittle-3
# options: --version brittle==3
import brittle

brittle.go()
