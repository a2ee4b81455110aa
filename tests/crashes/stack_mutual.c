/* expect: stack-overflow strong
   not: null-pointer wild-pointer
   ends: SIGSEGV
   build: -O2
   says: parse_(list|value|pair)

   Three functions call each other without end, optimised: the frames repeat in
   threes. */
struct Text { const char *at; };

int parse_list(struct Text *text);

__attribute__((noipa)) int parse_pair(struct Text *text) {
    return parse_list(text) + 1;
}
__attribute__((noipa)) int parse_value(struct Text *text) {
    return *text->at == '(' ? parse_pair(text) + 1 : 0;
}
__attribute__((noipa)) int parse_list(struct Text *text) {
    return parse_value(text) + 1;
}

int main(void) {
    struct Text text = {"(a b)"};
    return parse_list(&text);
}
