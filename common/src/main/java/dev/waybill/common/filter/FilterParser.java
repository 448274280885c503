package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.waybill.common.filter.Filter.Comparison;
import dev.waybill.common.filter.Token.Kind;

/**
 * Reads a filter (contract.md "Bulk export", Filter) by recursive descent: any text becomes a {@link Filter} or a
 * {@link FilterSyntaxException}, in time and depth that the limits below bound.
 */
public final class FilterParser {

    /** The longest text, in chars. */
    public static final int MAX_LENGTH = 32_768;

    /** How deep functions may stand in each other. */
    public static final int MAX_DEPTH = 32;

    /** How many functions and searched words a filter may have: each costs something in every run that is looked at. */
    public static final int MAX_NODES = 200;

    /** How many elements all lists of a filter may have together. */
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
     * The filter that {@code text} is.
     *
     * @throws FilterSyntaxException when it is none, naming the first thing that is wrong
     */
    public static Filter parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new FilterSyntaxException(text.codePointCount(0, MAX_LENGTH) + 1,
                    "the end, since a filter has at most " + MAX_LENGTH + " characters", "more");
        }
        FilterParser parser = new FilterParser(text);
        Filter filter = parser.filter(1);
        parser.take(Kind.END, "the end of the filter");
        return filter;
    }

    /** The text as PostgreSQL can keep it: U+0000 and halves of surrogate pairs, which it cannot, read as U+FFFD. */
    public static String storable(String text) {
        return Tokenizer.storable(text);
    }

    /** The words that {@code search} looks for in a text, which is storable. */
    public static List<String> words(String text) {
        return SPACE.splitAsStream(text)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private Filter filter(int depth) {
        Token name = token;
        FilterFunction function = name.is(Kind.NAME) ? FilterFunction.of(name.text()).orElse(null) : null;
        if (function == null) {
            throw wrong(name, "one of the functions " + FilterFunction.names());
        }
        if (depth > MAX_DEPTH) {
            throw wrong(name, "at most " + MAX_DEPTH + " functions within each other");
        }
        countNode(name);
        advance();
        take(Kind.OPENING_PARENTHESIS, "an opening parenthesis after " + function);
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
        take(Kind.CLOSING_PARENTHESIS, "a closing parenthesis");
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
            throw wrong(token, field.kind().expectation(function));
        }
        return new Filter.Compare(field, comparison, value(function, field));
    }

    private Filter like(FilterFunction function, boolean ignoreCase) {
        FilterField field = comparedField(function);
        Token pattern = take(Kind.STRING, field.kind().expectation(function));
        if (endsInTheMiddleOfAnEscape(pattern.text())) {
            throw wrong(pattern, "a pattern with a character after its last backslash");
        }
        return new Filter.Like(field, pattern.text(), ignoreCase);
    }

    private Filter tagged(FilterFunction function) {
        comparedField(function);
        return new Filter.Tagged(take(Kind.STRING, "a tag in quotes").text());
    }

    private Filter oneOf(FilterFunction function) {
        FilterField field = comparedField(function);
        take(Kind.OPENING_BRACKET, "a list such as [\"a\", \"b\"]");
        List<FilterValue> values = token.is(Kind.CLOSING_BRACKET) ? List.of() : list(() -> element(function, field));
        take(Kind.CLOSING_BRACKET, "a comma or the closing bracket of the list");
        return new Filter.OneOf(field, values);
    }

    private FilterValue element(FilterFunction function, FilterField field) {
        listElements++;
        if (listElements > MAX_LIST_ELEMENTS) {
            throw wrong(token, "at most " + MAX_LIST_ELEMENTS + " elements in all lists");
        }
        return value(function, field);
    }

    private Filter search() {
        Token text = take(Kind.STRING, "words in quotes");
        List<String> words = words(text.text());
        if (words.isEmpty()) {
            throw wrong(text, "at least one word");
        }
        words.forEach(_ -> countNode(text));
        return new Filter.Search(words);
    }

    private Filter exists(FilterFunction function) {
        FilterField field = field(function);
        if (field.kind() != FilterType.KEY || !token.is(Kind.COMMA)) {
            return new Filter.Present(field);
        }
        advance();
        Token key = take(Kind.STRING, "a key in quotes");
        return new Filter.HasKey(field.family().orElseThrow(), key.text());
    }

    private FilterField comparedField(FilterFunction function) {
        FilterField field = field(function);
        take(Kind.COMMA, "a comma after the field");
        return field;
    }

    private FilterField field(FilterFunction function) {
        Optional<FilterField> field = token.is(Kind.NAME) ? FilterField.of(token.text()) : Optional.empty();
        if (field.isEmpty() || !field.get().kind().takenBy(function)) {
            throw wrong(token, "a field that " + function + " takes: " + FilterField.namesTakenBy(function));
        }
        advance();
        return field.get();
    }

    private FilterValue value(FilterFunction function, FilterField field) {
        FilterValue value = Literals.read(token, field.kind())
                .orElseThrow(() -> wrong(token, field.kind().expectation(function)));
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
            throw wrong(at, "at most " + MAX_NODES + " functions and words");
        }
    }

    private Token take(Kind kind, String expected) {
        Token taken = token;
        if (!taken.is(kind)) {
            throw wrong(taken, expected);
        }
        if (kind != Kind.END) {
            advance();
        }
        return taken;
    }

    private void advance() {
        token = tokenizer.next();
    }

    private FilterSyntaxException wrong(Token found, String expected) {
        return tokenizer.wrong(found.index(), expected, found.shown());
    }

    private static boolean endsInTheMiddleOfAnEscape(String pattern) {
        int backslashes = 0;
        while (backslashes < pattern.length() && pattern.charAt(pattern.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
