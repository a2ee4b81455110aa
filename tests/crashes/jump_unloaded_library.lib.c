int on_exit_hook(int code) { return code + 1; }
