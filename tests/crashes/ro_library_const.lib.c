char *version_text(void) { return (char *)"7.4.1"; }
