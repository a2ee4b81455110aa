"""One way for a Python function to come to call another, per function here.

Each is given the name of the function to define, the one it must end up calling
with its argument, and a source of chance; it returns the definition. The texts
are Python of every version since the one named, run by the interpreter under
test and never by the one that makes them.
"""

WAYS = []


def way(since=(2, 7), often=1):
    def add(function):
        WAYS.extend([(since, function)] * often)
        return function
    return add


def blank(chance):
    return "\n" * chance.choice((0, 0, 1, 3, 140))


def simple(*bodies, **options):
    """Ways that are a fixed text: {name} calls {inner}."""
    for body in bodies:
        way(**options)(lambda name, inner, chance, body=body:
                       body.replace("{name}", name).replace("{inner}", inner)
                       .replace("{blank}", blank(chance)))


@way(often=3)
def recursion(name, inner, chance):
    depth = chance.choice((1, 2, 5, 20, 60, 60, 200, 700))
    return f"""
def {name}(x, depth={depth}):
    if depth:
        return {name}(x, depth - 1)
    return {inner}(x)
"""


@way()
def mutual_recursion(name, inner, chance):
    return f"""
def {name}(x, depth={chance.choice((3, 10, 40))}):
    return {name}_back(x, depth)
def {name}_back(x, depth):
    if depth == 0: return {inner}(x)
    return [{name}(x, depth=depth - 1)][0]
"""


@way(often=2)
def nested_function(name, inner, chance):
    return f"""
def {name}(x):
    captured = [x]{blank(chance)}
    def {name}_within(*rest, **named):
        return {inner}(captured[0])
    return {name}_within({', '.join('x' for _ in range(chance.randrange(4)))})
"""


# calls that look plain
simple("""
def {name}(x):
    y = x{blank}
    return 1 + {inner}(y) * 2
""", """
def {name}(x):
    return max(
        0,{blank}
        {inner}(
            x
        ),
        2)
""", """
def {name}(x):
    return [1,
            {'a':
             {inner}(x)},
            2]
""", """
{name} = lambda x: {inner}(x)
""", """
{name} = (lambda f:{blank}
    lambda x:
        f(x))({inner})
""", """
class {name}_class(object):
    def __init__(self, x):
        self.x = x
    def method(self):
        return {inner}(self.x)
    bound = property(lambda self: {inner}(self.x))
def {name}(x):
    return {name}_class(x).method() if x else {name}_class(x).bound
""", """
def {name}(x):
    class Within(object):
        attribute = ({blank}
            {inner}(x))
    return Within
""")

# generators and comprehensions
simple("""
def {name}(x):
    def numbers():
        yield 1{blank}
        yield {inner}(x)
    for number in numbers():
        pass
""", """
def {name}(x):
    def numbers(y):
        received = yield 0
        yield {inner}(received)
    running = numbers(x)
    next(running)
    return running.send(x)
""", """
def {name}(x):
    return sum({inner}(y)
               for y in [x])
""", """
def {name}(x):
    return [{inner}(y) for y in [x] if
            y is x]
""", """
def {name}(x):
    return {1: [{inner}(y)
                for z in [x] for y in [z]] for w in [x]}
""", """
def {name}(x):
    def first():
        for y in second(): yield y
    def second():
        for y in [x]:{blank}
            yield {inner}(y)
    return list(zip(first(), first()))
""")
simple("""
def {name}(x):
    def outer():
        yield from middle()
    def middle():{blank}
        return (yield from innermost())
    def innermost():
        try:
            yield 0
        finally:
            {inner}(x)
    return list(outer())
""", """
def {name}(x):
    def thrown():
        try:
            yield
        except KeyError:
            yield {inner}(x)
    running = thrown()
    next(running)
    return running.throw(KeyError(1))
""", since=(3, 3))

# exceptions in flight
simple("""
def {name}(x):
    try:
        raise ValueError(x)
    except ValueError as e:
        return {inner}(x)
""", """
def {name}(x):
    try:
        [][1]
    finally:{blank}
        {inner}(x)
""", """
def {name}(x):
    try:
        try:
            {}['a']
        except KeyError:
            int('b')
    except ValueError:
        try:
            1 / 0
        except ZeroDivisionError:
            {inner}(x)
""", """
def {name}(x):
    class Handler(object):
        def __enter__(self): return self
        def __exit__(self, *what):
            return {inner}(x)
    with Handler() as h:
        raise RuntimeError(
            'in flight')
""", """
import contextlib
def {name}(x):
    @contextlib.contextmanager
    def managed():
        try:
            yield
        except OSError:{blank}
            {inner}(x)
    with managed():
        raise OSError()
""", """
import contextlib
@contextlib.contextmanager
def {name}_manager(x):
    {inner}(x)
    yield
def {name}(x):
    with {name}_manager(x):
        pass
""")

# names that need one, two and four bytes a character
simple("""
def {name}(x):
    def größe(x): return 中文(x)
    def 中文(x):
        return 𝒇(x)
    def 𝒇(x): return {inner}(x)
    return größe(x)
""", since=(3, 0))

# called from C
simple("""
def {name}(x):
    return sorted([1, 2], key=lambda y:
                  {inner}(x))
""", """
def {name}(x):
    return list(map({inner}, [x]))
""", """
import functools
def {name}(x):
    return functools.reduce(lambda a, b: {inner}(b), [0, x])
""", """
import re
def {name}(x):
    return re.sub('b', lambda m: {inner}(x), 'abc')
""", """
import functools
def {name}(x):
    return functools.partial({inner}, x)()
""", """
def {name}(x):
    class Key(object):
        def __hash__(self): return 1
        def __eq__(self, other):
            return {inner}(x)
    return {Key(): 1}.get(Key())
""", """
def {name}(x):
    class Number(object):
        def __add__(self, other): return {inner}(x)
        def __getattr__(self, name):
            return self + 1
    return Number().missing
""", """
def {name}(x):
    class Dying(object):
        def __del__(self):
            {inner}(x)
    d = Dying()
    del d
""", """
def {name}(x):
    space = {'f': {inner}, 'x': x}
    exec('def made(y):\\n    return f(\\n  y)\\nmade(x)', space)
""", """
def {name}(x):
    return eval('f(x)', {'f': {inner}, 'x': x})
""", """
import ctypes
def {name}(x):
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
    called = kind(lambda n: {inner}(x))
    return called(3)
""", """
import ctypes
def {name}(x):
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    def compare(a, b):{blank}
        {inner}(x)
        return 0
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    ctypes.CDLL(None).qsort(numbers, 3, 4, kind(compare))
""", """
def {name}(x):
    class Meta(type):
        def __new__(kind, name, bases, space):
            {inner}(x)
            return type.__new__(kind, name, bases, space)
    return Meta('Made', (object,), {})
""")

# decorators
simple("""
import functools
def {name}_decorator(f):
    @functools.wraps(f)
    def wrapper(*a, **k):
        return f(*a,
                 **k)
    return wrapper
@{name}_decorator
@{name}_decorator
def {name}(x):
    return {inner}(x)
""")

# coroutines
simple("""
def {name}(x):
    async def outer(): return await middle()
    async def middle():{blank}
        return [await innermost()
                for _ in 'a']
    async def innermost():
        {inner}(x)
    try:
        outer().send(None)
    except StopIteration: pass
""", """
import asyncio
def {name}(x):
    async def work():
        await asyncio.sleep(0)
        await asyncio.gather(part())
    async def part():
        {inner}(x)
    asyncio.events._set_running_loop(None)  # of an outer one
    loop = asyncio.new_event_loop()
    loop.run_until_complete(work())
""", """
def {name}(x):
    class Managed(object):
        async def __aenter__(self): {inner}(x)
        async def __aexit__(self, *what): pass
    async def numbers():
        for i in range(2): yield i
    async def work():
        async for i in numbers():
            async with Managed():
                pass
    try:
        work().send(None)
    except StopIteration: pass
""", since=(3, 6))
simple("""
def {name}(x):
    match [x, 1]:
        case [y, 1] if (z :=
                        {inner}(y)):
            return z
""", since=(3, 10))
simple("""
def {name}(x):
    try:
        raise ExceptionGroup('g', [ValueError(), TypeError()])
    except* ValueError:
        {inner}(x)
    except* TypeError:
        pass
""", since=(3, 11))
