// Reads through a null pointer; built static, so it also runs where there is no libc.
struct list {
  struct list* next;
  int value;
};

int last_value(struct list* item) {
  while (item->next) item = item->next;
  return item->value;
}

int main(void) { return last_value(0); }
