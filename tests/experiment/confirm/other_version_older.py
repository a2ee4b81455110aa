# confirm: other-version confirmed abi-mismatch strong
# fix: tested
# packages: brittle-1 brittle-2
# options: --version brittle==2
import brittle

brittle.go()
