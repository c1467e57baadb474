# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong while people write kernels, and what nobody writes: changes of C++ programs, of their tokens."""
from .sources import Token, parts_between, partners, statements, text_of, tokens_of

NUMBERS = [
    "0", "1", "-1", "2", "3", "5", "7", "8", "15", "16", "17", "31", "32", "33", "63", "64", "65", "100", "127",
    "128", "129", "255", "256", "257", "1000", "1024", "4096", "65536", "1 << 20", "2147483647", "-2147483648",
    "2147483648", "4294967296", "9223372036854775807", "-9223372036854775807 - 1", "18446744073709551615u", "0.5f",
    "1.0", "1e30f", "1e-300", "-0.0f", "1.0f / 0.0f", "'c'", "true", "nullptr", "\"text\"", "sizeof(int)",
    "tg::f16(1)",
]
TYPES = [
    "float", "double", "int", "bool", "char", "unsigned", "tg::s64", "tg::s32", "tg::u64", "tg::s16", "tg::u8",
    "tg::s8", "tg::f16", "tg::bf16", "tg::e4m3", "tg::e5m2", "tg::s4", "tg::e2m1", "tg::e8m0", "auto", "const float",
    "float *", "const auto &", "auto &&", "void", "long double", "__int128", "tg::array<float, 1>",
    "tg::array<const float, 2>", "std::size_t", "unsigned char", "long", "_Float16", "decltype(auto)",
    "volatile int", "static int", "constexpr int", "thread_local int", "extern int", "tg::ref<float, 1>", "T",
]
BINARY = [
    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<", ">", "<=", ">=", ",", "<=>",
]
ASSIGNED = [
    "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=",
]
UNARY = [
    "-", "!", "~", "+", "*", "&", "++", "--", "(void)", "(int)", "(float)", "new ", "throw ", "co_await ",
]
# What is put around an expression: `@` stands for it.
AROUND = [
    "tg::sum(@)", "tg::sum<0>(@)", "tg::sum<-1>(@)", "tg::max<0>(@)", "tg::cumsum<0>(@)", "tg::flip<0>(@)",
    "tg::roll<0>(@, 1)", "tg::sort<0>(@)", "tg::argmax<0>(@)", "tg::exp(@)", "tg::transpose(@)",
    "tg::reshape<-1>(@)", "tg::reshape<4, -1>(@)", "@[tg::newaxis, tg::all]", "@[tg::all, tg::newaxis]",
    "@[tg::all]", "@[0]", "@[tg::ds<4>(0)]", "@[1, tg::all]", "(@ ? 1 : 0)", "tg::where(@, 1, 0)",
    "tg::where(true, @, @)", "tg::astype<tg::f16>(@)", "tg::astype<int>(@)", "tg::astype<bool>(@)",
    "tg::astype<tg::s64>(@)", "int(@)", "float(@)", "(@)", "(@, @)", "[&] { return @; }()",
    "[=](auto x) { return x; }(@)", "tg::full_like(@, 1)", "tg::zeros_like(@)", "tg::dot(@, @)", "tg::mean<0>(@)",
    "tg::broadcast_to<8, 8>(@)", "tg::concatenate<0>(@, @)", "tg::pad<0>(@, 1, 1)", "tg::squeeze<0>(@)",
    "tg::take<0>(@, 0)", "tg::take_along_axis<0>(@, @)", "tg::repeat<0, 2>(@)", "tg::load(@)", "tg::cdiv(@, 8)",
    "@.dim(0)", "@.at(0)", "@.at(tg::ds<8>(0))", "static_cast<decltype(@)>(@)", "std::move(@)", "std::abs(@)",
    "sizeof(@)", "{@}", "{@, @}", "tg::index(@)", "tg::ds<8>(@)", "tg::atomic_add(@, 1)", "tg::softmax(@)",
    "tg::iota<float, 32>() + @", "tg::expand_dims<0>(@)", "tg::argsort<0>(@)", "tg::cummax<-1>(@)",
    "tg::stack<0>(@, @)", "tg::one_hot<8>(@)", "tg::full<float, 16>(@)", "tg::zeros<float, 8, 4>() * @",
    "tg::var<0>(@)", "tg::logsumexp<0>(@)", "tg::swap(@, 1)", "tg::atomic_max(@, 1)", "@ + @", "@ * 2", "@ - @",
    "@ / 3", "@ % 4", "@ << 33", "@ == 0", "@ & 3", "@ && true", "tg::cumprod<0>(@, tg::reverse)", "tg::prod(@)",
    "tg::any(@)", "tg::bitcast<int>(@)", "tg::bitcast<float>(@)", "tg::uniform<float>(tg::key(1), @)",
    "tg::isnan(@)", "tg::pow(@, @)", "tg::pow(@, 3)", "tg::fma(@, @, @)", "tg::minimum(@, @)", "tg::fmod(@, 2)",
    "tg::floor_divide(@, 0)", "tg::clamp(@, 0, 1)", "tg::debug_check(@)", "tg::check(@, \"x\")",
    "tg::debug_print(\"{}\", @)", "*&@", "-@", "!@",
]
# What is put around a statement.
WRAPPED = [
    "if (true) { @ }", "if (tg::program_id(0) == 0) { @ }", "if (tg::program_id(0) > 1) { @ } else { @ }",
    "for (int i = 0; i < 4; ++i) { @ }", "for (int q = 3; q > 0; q -= 2) { @ }", "while (true) { @ break; }",
    "while (tg::program_id(0) < 0) { @ }", "do { @ } while (false);", "tg::static_for<3>([&](auto i) { @ });",
    "tg::static_for<0>([&](auto) { @ });", "[&] { @ }();", "auto f = [&](auto n) { @ }; f(1); f(2);", "{ @ }",
    "switch (tg::program_id(0)) { case 0: @ break; default: ; }", "switch (1) { case 1: @ case 2: @ }",
    "try { @ } catch (...) {}", "@ return;", "return; @", "@ @", "for (auto v : {1, 2}) { @ }",
    "if constexpr (true) { @ }", "for (;;) { @ if (tg::program_id(0) == 0) break; }",
    "int n = 5; while (n > 0) { @ n /= 2; }", "tg::pallas_call([=] { @ });",
    "tg::pallas_call({.grid = {4}}, [=] { @ });", "tg::kernel([=] { @ });", "label: @ goto label;",
    "#pragma unroll\n @", "for (tg::s64 k = 0; k < tg::program_id(0); k += 3) { @ }",
    "int n = 5; while (n > 0) { @ n /= 2; }", "for (int i = 0; i < 4; ++i) { if (i == 2) continue; @ }",
]
PLAIN = [
    "return;", "break;", "continue;", "return 1;", "goto end;", "int a[3];", "int a[3] = {1, 2, 3}; a[1] = 4;",
    "static int n = 0; ++n;", "struct S { int a; float b; } s{1, 2}; s.a = 3;", "auto [p, q] = std::pair(1, 2);",
    "asm(\"\");", "throw 1;", "int *p = new int(1); delete p;", "char c = 'c'; c += 1;", "const char *s = \"s\";",
    "union { int a; float b; } u; u.a = 1;", "using T = float;", "int n;", "float f; f = f + 1;",
    "auto t = tg::zeros<float, 8>();", "auto t = tg::iota<int, 16>(); t = t + 1;",
    "auto g = [](auto x) { return x + 1; }; g(g(1));", "enum E { A, B } e = A; e = B;",
    "int n = 1; int &r = n; r = 2;", "tg::check(false, \"never\");", "tg::check(true, \"\");", "tg::barrier b;",
    "tg::smem<float, 32> s;", "tg::acc<float, 64, 64> c;", "std::vector<int> v;", "std::string s;",
    "std::printf(\"x\");", "(void)sizeof(int);", "constexpr int k = 1 / 1;", "constexpr int k = 1 / 0;",
    "int n = 1 / 0;", "unsigned long long n = ~0ull << 64;", ";", "static_assert(false);",
    "extern int outside; outside = 1;", "auto made = tg::empty<float>(4, 8);",
    "auto m = tg::zeros<float, 4, 4>(); m = m + 1; m += m;",
    "auto m = tg::full<int, 16>(3); if (tg::program_id(0) == 0) m = tg::iota<int, 16>();",
    "float total = 0; for (int i = 0; i < 3; ++i) total += i;", "volatile int w = 1; w = 2;",
    "int n = 0; while (n < 10) n++;", "for (int i = 0; i < 1000000; ++i) {}", "__builtin_trap();",
    "__syncthreads();", "thread_local int tl;",
    "auto self = [](auto self, int n) -> int { return n ? self(self, n - 1) : 0; }; self(self, 5);",
    "[[maybe_unused]] int w;", "alignas(64) int w = 1;", "int m[2][2] = {{1, 2}, {3, 4}}; m[1][0]++;",
    "bool q = true; q++;", "tg::debug_check(1 == 2);", "tg::s64 i = tg::program_id(7);",
    "auto i = tg::program_id(-1);", "auto i = tg::axis_index(\"nothing\");",
]
QUALIFIERS = [
    "const auto", "auto &", "const auto &", "auto *", "static auto", "constexpr auto", "&", "&&", "*", "mutable",
    "volatile auto", "auto &&", "const", "="
]
SUFFIXES = [
    ".dim(0)", ".dim(7)", ".at(0)", "[0]", "[tg::all]", "[-1]", ".value", ".size()", "()", "++", "->x", ".shape()",
    ".index", "...", "[tg::ds<8>(0)]", "[tg::all, tg::all]", "<1>()", "= 1"
]
KEYWORDS = set("""
    auto const constexpr int float double bool void char unsigned long short signed return if else for while do switch
    case break continue default struct class enum union using typename template static extern inline mutable this true
    false nullptr sizeof operator namespace decltype goto try catch throw new delete volatile static_cast TEGULA_KERNEL
    TEGULA_INSTANTIATE
""".split())
SPECS = ["tg::in", "tg::out", "tg::inout", "tg::smem", "tg::scratch"]


def is_code(tokens, found, i):
    """Whether braces hold statements, which an initializer's do not."""
    inside = range(i + 1, found[i])
    return any(tokens[k] == ";" for k in inside) or found[i] == i + 1 and i and tokens[i - 1] in (")", "]")


class Mutator:
    """Changes programs. What it takes from other programs comes from `bases`."""

    def __init__(self, bases):
        self.names, self.templates, self.arguments, self.lines = set(), set(), [], []
        for base in bases:
            found = partners(base.tokens)
            self.names |= {str(t) for t in base.tokens if t.startswith("tg::")}
            self.templates |= {str(base.tokens[i - 1]) for i in found
                               if base.tokens[i] == "<" and base.tokens[i - 1].startswith("tg::")}
            self.arguments += [base.tokens[a:b] for a, b in self.all_arguments(base.tokens, found, "(") if b - a < 24]
            self.lines += [base.tokens[a:b] for a, b in self.all_statements(base.tokens, found) if b - a < 60]
        self.names, self.templates = sorted(self.names), sorted(self.templates)
        self.changes = [(14, self.number), (6, self.type), (8, self.sign), (7, self.name), (6, self.own_name),
                        (8, self.argument), (7, self.angle), (10, self.statement), (9, self.around), (10, self.wrap),
                        (8, self.plain), (7, self.foreign_argument), (5, self.foreign_statement), (1, self.token),
                        (0.5, self.bracket), (2, self.unary), (3, self.qualifier), (2, self.suffix)]

    @staticmethod
    def all_arguments(tokens, found, opening="(", whole=False):
        for i in found:
            if tokens[i] == opening and found[i] > i + 1:
                if whole:
                    yield i, parts_between(tokens, found, i + 1, found[i])
                else:
                    yield from parts_between(tokens, found, i + 1, found[i])

    @staticmethod
    def all_statements(tokens, found):
        for i in found:
            if tokens[i] == "{" and found[i] > i and is_code(tokens, found, i):
                yield from statements(tokens, found, i + 1, found[i])

    def mutant(self, rng, base):
        tokens = list(base.tokens)
        count = 1
        while count < 5 and rng.random() < 0.3:
            count += 1
        weights = [weight for weight, _ in self.changes]
        while count:
            change = rng.choices(self.changes, weights)[0][1]
            changed = change(rng, tokens, partners(tokens))
            if changed is not None and len(changed) < 6000:
                tokens, count = changed, count - 1
        return text_of(tokens)

    # Each change takes tokens and where brackets end, and returns others, or None where there is nothing to change.
    @staticmethod
    def positions(tokens, wanted):
        return [i for i, token in enumerate(tokens) if token.kind != "directive" and wanted(token)]

    def replaced(self, rng, tokens, places, texts):
        if not places:
            return None
        i = rng.choice(places)
        new = tokens_of(rng.choice(texts))
        return tokens[:i] + [Token(new[0], tokens[i].before, new[0].kind)] + new[1:] + tokens[i + 1:]

    def number(self, rng, tokens, found):
        return self.replaced(rng, tokens, self.positions(tokens, lambda t: t.kind == "number"), NUMBERS)

    def type(self, rng, tokens, found):
        return self.replaced(rng, tokens, self.positions(tokens, lambda t: t in TYPES), TYPES)

    def sign(self, rng, tokens, found):
        places = [i for i in self.positions(tokens, lambda t: t in BINARY or t in ASSIGNED) if i not in found]
        if not places:
            return None
        i = rng.choice(places)
        return self.replaced(rng, tokens, [i], ASSIGNED if tokens[i] in ASSIGNED and rng.random() < 0.8 else BINARY)

    def name(self, rng, tokens, found):
        places = self.positions(tokens, lambda t: t.startswith("tg::"))
        if not places:
            return None
        i = rng.choice(places)
        alike = self.templates if i + 1 in found and tokens[i + 1] == "<" else self.names
        if tokens[i] in SPECS and rng.random() < 0.6:
            alike = SPECS
        return self.replaced(rng, tokens, [i], alike)

    def own_name(self, rng, tokens, found):
        places = self.positions(tokens, lambda t: t.kind == "name" and "::" not in t)
        return self.replaced(rng, tokens, places, [str(tokens[i]) for i in places]) if places else None

    def list(self, rng, tokens, found, opening, spare):
        """Drops, repeats, swaps or adds one of a list."""
        lists = list(self.all_arguments(tokens, found, opening, whole=True))
        if not lists:
            return None
        i, parts = rng.choice(lists)
        pieces = [tokens[a:b] for a, b in parts]
        k, how = rng.randrange(len(pieces)), rng.randrange(6)
        if how == 0:
            del pieces[k]
        elif how == 1:
            pieces.insert(k, pieces[k])
        elif how == 2 and len(pieces) > 1:
            other = rng.randrange(len(pieces))
            pieces[k], pieces[other] = pieces[other], pieces[k]
        elif how == 3:
            pieces.insert(k, tokens_of(rng.choice(spare)))
        elif how == 4:
            pieces[k] = tokens_of(rng.choice(spare))
        else:
            every = [tokens[a:b] for a, b in self.all_arguments(tokens, found, opening)]
            pieces[k] = rng.choice(every)
        joined = []
        for number, piece in enumerate(pieces):
            joined += ([Token(",", "")] if number else []) + piece
        return tokens[:i + 1] + joined + tokens[found[i]:]

    def argument(self, rng, tokens, found):
        return self.list(rng, tokens, found, "(" if rng.random() < 0.8 else "[" if rng.random() < 0.5 else "{", NUMBERS)

    def angle(self, rng, tokens, found):
        return self.list(rng, tokens, found, "<", NUMBERS + TYPES + ["tg::squeezed", "tg::whole", "tg::dynamic", "-2"])

    def statement(self, rng, tokens, found):
        """Drops, repeats or swaps statements, or moves one to any block, as from the program to the host."""
        every = [(a, b) for a, b in self.all_statements(tokens, found)]
        if not every:
            return None
        a, b = rng.choice(every)
        how = rng.randrange(5)
        if how == 0:
            return tokens[:a] + tokens[b:]
        if how == 1:
            return tokens[:b] + tokens[a:b] + tokens[b:]
        others = [(c, d) for c, d in every if d <= a or c >= b]
        if not others:
            return None
        c, d = rng.choice(others)
        if how == 2: # swapped
            (a, b), (c, d) = sorted([(a, b), (c, d)])
            return tokens[:a] + tokens[c:d] + tokens[b:c] + tokens[a:b] + tokens[d:]
        moved = tokens[a:b]
        if how == 3: # there, too
            return tokens[:d] + moved + tokens[d:]
        return tokens[:d] + moved + tokens[d:a] + tokens[b:] if d <= a else tokens[:a] + tokens[b:c] + moved + tokens[c:]

    def expressions(self, tokens, found):
        """Ranges that are expressions, as far as one sees without a parser."""
        ranges = [part for part in self.all_arguments(tokens, found, "(") if part[1] - part[0] < 40]
        for a, b in self.all_statements(tokens, found):
            signs = [i for i in range(a, b) if tokens[i] in ASSIGNED]
            if signs and tokens[b - 1] == ";":
                ranges.append((signs[0] + 1, b - 1))
        ranges += [(i, i + 1) for i in self.positions(tokens, lambda t: t.kind in ("name", "number"))]
        return [(a, b) for a, b in ranges if b > a]

    def around(self, rng, tokens, found):
        a, b = rng.choice(self.expressions(tokens, found))
        return tokens[:a] + self.filled(rng.choice(AROUND), tokens[a:b]) + tokens[b:]

    @staticmethod
    def filled(pattern, middle):
        result = []
        for token in tokens_of(pattern):
            result += middle if token == "@" else [token]
        return result

    def wrap(self, rng, tokens, found):
        every = list(self.all_statements(tokens, found))
        if not every:
            return None
        a, b = rng.choice(every)
        if rng.random() < 0.3:
            later = [d for c, d in every if c >= b and d < b + 80]
            b = rng.choice(later) if later else b
        return tokens[:a] + self.filled(rng.choice(WRAPPED), tokens[a:b]) + tokens[b:]

    def inserted(self, rng, tokens, found, new):
        every = list(self.all_statements(tokens, found))
        if not every:
            return None
        at = rng.choice(rng.choice(every))
        return tokens[:at] + new + tokens[at:]

    def plain(self, rng, tokens, found):
        return self.inserted(rng, tokens, found, tokens_of(rng.choice(PLAIN)))

    def foreign_statement(self, rng, tokens, found):
        return self.inserted(rng, tokens, found, self.adapted(rng, tokens, rng.choice(self.lines)))

    @staticmethod
    def adapted(rng, tokens, foreign):
        """With names of this program where the other one's are unknown."""
        own = sorted({str(token) for token in tokens if token.kind == "name" and "::" not in token and token not in KEYWORDS})
        declared = {str(a) for a, b in zip(foreign, foreign[1:]) if a.kind == "name" and b in ("=", "[", "&", ",")}
        def is_unknown(i, token):
            is_member = i > 0 and foreign[i - 1] in (".", "->", "auto")
            return token.kind == "name" and "::" not in token and token not in KEYWORDS and token not in own and not is_member

        return [token.like(rng.choice(own)) if own and is_unknown(i, token) and not (token in declared and rng.random() < 0.5)
                else token for i, token in enumerate(foreign)]

    def foreign_argument(self, rng, tokens, found):
        a, b = rng.choice(self.expressions(tokens, found))
        return tokens[:a] + self.adapted(rng, tokens, rng.choice(self.arguments)) + tokens[b:]

    def token(self, rng, tokens, found):
        """Drops, repeats or swaps tokens."""
        places = [i for i in self.positions(tokens, lambda t: True) if i not in found]
        i, how = rng.choice(places), rng.randrange(3)
        if how == 0:
            return tokens[:i] + tokens[i + 1:]
        if how == 1:
            return tokens[:i] + [tokens[i]] + tokens[i:]
        other = rng.choice(places)
        result = list(tokens)
        result[i], result[other] = tokens[i].like(tokens[other]), tokens[other].like(tokens[i])
        return result

    def bracket(self, rng, tokens, found):
        if not found:
            return None
        i = rng.choice(sorted(found))
        how = rng.randrange(4)
        if how == 0:
            return tokens[:i] + tokens[i + 1:]
        if how == 1:
            return tokens[:i] + [tokens[i]] + tokens[i:]
        if how == 2:
            return tokens[:min(i, found[i]) + 1] + tokens[max(i, found[i]):]
        return tokens[:i] + ([Token("}", "\n")] if rng.random() < 0.5 else []) # the file ends

    def unary(self, rng, tokens, found):
        a, _ = rng.choice(self.expressions(tokens, found))
        return tokens[:a] + tokens_of(rng.choice(UNARY)) + tokens[a:]

    def qualifier(self, rng, tokens, found):
        qualifiers = ("const", "auto", "constexpr", "static", "&", "mutable", "typename", "inline")
        places = self.positions(tokens, lambda t: t in qualifiers)
        if not places:
            return None
        i = rng.choice(places)
        if rng.random() < 0.4:
            return tokens[:i] + tokens[i + 1:]
        return self.replaced(rng, tokens, [i], QUALIFIERS)

    def suffix(self, rng, tokens, found):
        """A member of an expression."""
        _, b = rng.choice(self.expressions(tokens, found))
        return tokens[:b] + tokens_of(rng.choice(SUFFIXES)) + tokens[b:]
