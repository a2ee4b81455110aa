/* expect: out-of-bounds strong
   looks-like: mapped-file-truncated
   not: null-pointer
   ends: SIGSEGV
   says: first_word

   A file of exactly one page without a final zero is searched as a string: the
   scan leaves the mapping (SIGSEGV), while the file is as long as it ever
   was. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t first_word(const char *text) { return strlen(text); }

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char words[page];
    memset(words, 'w', sizeof words);
    int file = open("words.txt", O_RDWR | O_CREAT, 0600);
    if (write(file, words, sizeof words) != page) return 1;
    char *area = mmap(0, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    munmap(area + page, page);
    mmap(area, page, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
    return (int)first_word(area);
}
