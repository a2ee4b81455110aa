#include <stdlib.h>
struct Entry { struct Entry *next; long value; };
void *registry_add(void *head, long value) {
    struct Entry *entry = malloc(sizeof *entry);
    entry->next = head;
    entry->value = value;
    return entry;
}
long registry_sum(void *head) {
    long sum = 0;
    for (struct Entry *entry = head; entry; entry = entry->next)
        sum += entry->value;
    return sum;
}
