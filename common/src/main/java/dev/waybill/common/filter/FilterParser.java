package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.waybill.common.filter.Filter.Comparison;
import dev.waybill.common.filter.Token.Kind;

/**
 * Parses a filter by recursive descent (docs/filters.md). Any text results in a {@link Filter} or a {@link
 * FilterSyntaxException}; the limits below bound time and depth.
 */
public final class FilterParser {

    /** Maximum length of a filter in chars. */
    public static final int MAX_LENGTH = 32_768;

    /** Maximum nesting depth of functions. */
    public static final int MAX_DEPTH = 32;

    /** Maximum number of functions and search words of a filter; each adds to the cost of every run that is read. */
    public static final int MAX_NODES = 200;

    /** Maximum number of elements in all lists of a filter. */
    public static final int MAX_LIST_ELEMENTS = 1_000;

    private static final Pattern SPACE = Pattern.compile("[\\s\\h\\v]+");

    private final Tokenizer tokenizer;
    private Token token;
    private int nodes;
    private int listElements;

    private FilterParser(String text) {
        this.tokenizer = new Tokenizer(text);
        this.token = tokenizer.next();
    }

    /**
     * Parses a filter.
     *
     * @throws FilterSyntaxException for the first error in reading order
     */
    public static Filter parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new FilterSyntaxException(text.codePointCount(0, MAX_LENGTH) + 1,
                    "the end, since a filter has at most " + MAX_LENGTH + " characters", "more");
        }
        FilterParser parser = new FilterParser(text);
        Filter filter = parser.filter(1);
        parser.expect(Kind.END, "the end of the filter");
        return filter;
    }

    /** Returns the text as PostgreSQL can store it: U+0000 and lone surrogates are replaced by U+FFFD. */
    public static String storable(String text) {
        return Tokenizer.storable(text);
    }

    /** Returns the words that {@code search} looks for in a storable text. */
    public static List<String> words(String text) {
        return SPACE.splitAsStream(text)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private Filter filter(int depth) {
        Token name = token;
        FilterFunction function = name.is(Kind.NAME) ? FilterFunction.of(name.text()).orElse(null) : null;
        if (function == null) {
            throw error(name, "one of the functions " + FilterFunction.names());
        }
        if (depth > MAX_DEPTH) {
            throw error(name, "at most " + MAX_DEPTH + " nested functions");
        }
        countNode(name);
        advance();
        expect(Kind.OPENING_PARENTHESIS, "an opening parenthesis after " + function);
        Filter filter = switch (function) {
            case AND -> new Filter.And(filters(depth));
            case OR -> new Filter.Or(filters(depth));
            case NOT -> new Filter.Not(filter(depth + 1));
            case EQ -> equality(function);
            case NEQ -> new Filter.Not(equality(function));
            case GT -> comparison(function, Comparison.GREATER);
            case GTE -> comparison(function, Comparison.GREATER_OR_EQUAL);
            case LT -> comparison(function, Comparison.LESS);
            case LTE -> comparison(function, Comparison.LESS_OR_EQUAL);
            case LIKE -> like(function, false);
            case ILIKE -> like(function, true);
            case HAS -> tagged(function);
            case IN -> oneOf(function);
            case SEARCH -> search();
            case EXISTS -> exists(function);
        };
        expect(Kind.CLOSING_PARENTHESIS, "a closing parenthesis");
        return filter;
    }

    private List<Filter> filters(int depth) {
        return list(() -> filter(depth + 1));
    }

    private Filter equality(FilterFunction function) {
        FilterField field = comparedField(function);
        if (token.isWord("null")) {
            advance();
            return new Filter.Not(new Filter.Present(field));
        }
        return new Filter.Equal(field, value(function, field));
    }

    private Filter comparison(FilterFunction function, Comparison comparison) {
        FilterField field = comparedField(function);
        if (token.isWord("true") || token.isWord("false")) {
            throw error(token, field.type().expectation(function));
        }
        return new Filter.Compare(field, comparison, value(function, field));
    }

    private Filter like(FilterFunction function, boolean ignoreCase) {
        FilterField field = comparedField(function);
        Token pattern = expect(Kind.STRING, field.type().expectation(function));
        if (endsWithIncompleteEscape(pattern.text())) {
            throw error(pattern, "a pattern with a character after its last backslash");
        }
        return new Filter.Like(field, pattern.text(), ignoreCase);
    }

    private Filter tagged(FilterFunction function) {
        comparedField(function);
        return new Filter.Tagged(expect(Kind.STRING, "a tag in quotes").text());
    }

    private Filter oneOf(FilterFunction function) {
        FilterField field = comparedField(function);
        expect(Kind.OPENING_BRACKET, "a list such as [\"a\", \"b\"]");
        List<FilterValue> values = token.is(Kind.CLOSING_BRACKET) ? List.of() : list(() -> element(function, field));
        expect(Kind.CLOSING_BRACKET, "a comma or the closing bracket of the list");
        return new Filter.OneOf(field, values);
    }

    private FilterValue element(FilterFunction function, FilterField field) {
        listElements++;
        if (listElements > MAX_LIST_ELEMENTS) {
            throw error(token, "at most " + MAX_LIST_ELEMENTS + " elements in all lists");
        }
        return value(function, field);
    }

    private Filter search() {
        Token text = expect(Kind.STRING, "words in quotes");
        List<String> words = words(text.text());
        if (words.isEmpty()) {
            throw error(text, "at least one word");
        }
        words.forEach(_ -> countNode(text));
        return new Filter.Search(words);
    }

    private Filter exists(FilterFunction function) {
        FilterField field = field(function);
        if (field.type() != FilterType.KEY || !token.is(Kind.COMMA)) {
            return new Filter.Present(field);
        }
        advance();
        Token key = expect(Kind.STRING, "a key in quotes");
        return new Filter.HasKey(field.pairType().orElseThrow(), key.text());
    }

    private FilterField comparedField(FilterFunction function) {
        FilterField field = field(function);
        expect(Kind.COMMA, "a comma after the field");
        return field;
    }

    private FilterField field(FilterFunction function) {
        Optional<FilterField> field = token.is(Kind.NAME) ? FilterField.of(token.text()) : Optional.empty();
        if (field.isEmpty() || !field.get().type().supports(function)) {
            throw error(token, "a field that " + function + " supports: " + FilterField.namesSupportedBy(function));
        }
        advance();
        return field.get();
    }

    private FilterValue value(FilterFunction function, FilterField field) {
        FilterValue value = Literals.read(token, field.type())
                .orElseThrow(() -> error(token, field.type().expectation(function)));
        advance();
        return value;
    }

    private <T> List<T> list(Supplier<T> element) {
        List<T> elements = new ArrayList<>();
        elements.add(element.get());
        while (token.is(Kind.COMMA)) {
            advance();
            elements.add(element.get());
        }
        return elements;
    }

    private void countNode(Token at) {
        nodes++;
        if (nodes > MAX_NODES) {
            throw error(at, "at most " + MAX_NODES + " functions and words");
        }
    }

    private Token expect(Kind kind, String expected) {
        Token found = token;
        if (!found.is(kind)) {
            throw error(found, expected);
        }
        if (kind != Kind.END) {
            advance();
        }
        return found;
    }

    private void advance() {
        token = tokenizer.next();
    }

    private FilterSyntaxException error(Token found, String expected) {
        return tokenizer.error(found.index(), expected, found.description());
    }

    private static boolean endsWithIncompleteEscape(String pattern) {
        int backslashes = 0;
        while (backslashes < pattern.length() && pattern.charAt(pattern.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
