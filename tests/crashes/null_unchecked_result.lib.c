struct object { long references; };
extern struct object *PyObject_GetAttrString(void *object, const char *name);

long rows_of(void *table) {
    struct object *rows = PyObject_GetAttrString(table, "rows");
    rows->references--;
    return rows->references;
}
