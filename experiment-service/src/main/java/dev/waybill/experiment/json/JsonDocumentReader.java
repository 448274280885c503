package dev.waybill.experiment.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;

import dev.waybill.common.json.MalformedJson;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** Reads JSON documents token by token; a malformed document is a 400. */
public final class JsonDocumentReader {

    private final int maxNesting;
    private final JsonFactory factory;

    /** Creates a reader for documents in memory, whose strings cannot exceed the document. */
    public JsonDocumentReader(int maxNesting) {
        this(maxNesting, Integer.MAX_VALUE);
    }

    /** @param maxTextLength maximum length of a string that is read; skipped strings may be longer */
    public JsonDocumentReader(int maxNesting, int maxTextLength) {
        this.maxNesting = maxNesting;
        this.factory = JsonFactory.builder()
                // The bytes are known to be UTF-8, and positions are counted in bytes.
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                // Member names come from users, so interning them would only fill the pool.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxNesting)
                        .maxStringLength(maxTextLength)
                        .build())
                .build();
    }

    /** Reads {@code json}; error messages name the part {@code where}, empty for the whole body. */
    public void read(Bytes json, String where, DocumentHandler handler) {
        if (!Utf8.isWellFormed(json)) {
            throw malformed(where, "is not valid UTF-8", null);
        }
        read(where, handler, () -> factory.createParser(json.array(), json.offset(), json.length()));
    }

    /** Reads a body that is not in memory; {@code open} opens a stream over all of it, and is called twice. */
    public void read(Supplier<InputStream> open, DocumentHandler handler) {
        if (!Utf8.isWellFormed(open.get())) {
            throw malformed("", "is not valid UTF-8", null);
        }
        read("", handler, () -> factory.createParser(open.get()));
    }

    // Rejects content after the document.
    private void read(String where, DocumentHandler handler, ParserFactory parsers) {
        try (JsonParser parser = new StrictJsonParser(parsers.create())) {
            if (parser.nextToken() == null) {
                throw malformed(where, "is empty; a JSON document is expected", null);
            }
            handler.read(parser);
            if (parser.nextToken() != null) {
                throw malformed(where, "has content after its JSON document", null);
            }
        } catch (StreamConstraintsException e) {
            throw malformed(where,
                    "is nested more than " + maxNesting + " levels deep, or contains a number, name or string that is too long,"
                            + " or an object with too many members",
                    e);
        } catch (JacksonException e) {
            throw malformed(where, MalformedJson.reason(e), e);
        } catch (IOException e) {
            throw malformed(where, "could not be read", e);
        }
    }

    private static ProblemException malformed(String where, String what, @Nullable Throwable cause) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST,
                (where.isEmpty() ? "The body " : "The part " + where + " ") + what + ".", cause);
    }

    /** Reads one document: the parser is positioned on its first token, and must be on its last token afterwards. */
    @FunctionalInterface
    public interface DocumentHandler {
        /** Reads the document. */
        void read(JsonParser parser) throws IOException;
    }

    @FunctionalInterface
    private interface ParserFactory {
        JsonParser create() throws IOException;
    }

    /**
     * Rejects duplicate member names and overlong numbers, also in skipped values. Jackson's own duplicate detection stores an
     * unlimited number of names; this one is limited, because names come from clients.
     */
    private static final class StrictJsonParser extends JsonParserDelegate {

        private static final int MAX_NUMBER_LENGTH = 1000;
        private static final int NAME_OVERHEAD = 100;
        private static final long MAX_NAME_BYTES = 32 << 20;

        // One set per nesting depth, reused.
        private final List<Set<String>> names = new ArrayList<>();
        private int depth = -1;
        private long nameBytes;

        StrictJsonParser(JsonParser parser) {
            super(parser);
        }

        @Override
        public @Nullable JsonToken nextToken() throws IOException {
            JsonToken token = delegate.nextToken();
            if (token == JsonToken.FIELD_NAME) {
                addName(delegate.currentName());
            } else if (token == JsonToken.START_OBJECT) {
                startObject();
            } else if (token == JsonToken.END_OBJECT) {
                endObject();
            } else if (token != null && token.isNumeric() && delegate.getTextLength() > MAX_NUMBER_LENGTH) {
                throw new StreamConstraintsException("a number is too long");
            }
            return token;
        }

        @Override
        public JsonParser skipChildren() throws IOException {
            if (!delegate.currentToken().isStructStart()) {
                return this;
            }
            for (int open = 1; open > 0;) {
                JsonToken token = nextToken();
                if (token == null) {
                    // Unreachable: the delegate throws at the end of an incomplete document.
                    return this;
                }
                open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
            return this;
        }

        private void startObject() {
            depth++;
            if (depth == names.size()) {
                names.add(new HashSet<>());
            }
        }

        private void endObject() {
            Set<String> finished = names.get(depth);
            finished.forEach(name -> nameBytes -= sizeOf(name));
            // Clearing takes time proportional to the capacity, so a large set is replaced.
            if (finished.size() > 1000) {
                names.set(depth, new HashSet<>());
            } else {
                finished.clear();
            }
            depth--;
        }

        private void addName(String name) throws IOException {
            if (!names.get(depth).add(name)) {
                throw new JsonParseException(delegate, "Duplicate field '" + name + "'");
            }
            nameBytes += sizeOf(name);
            if (nameBytes > MAX_NAME_BYTES) {
                throw new StreamConstraintsException("too many members");
            }
        }

        private static long sizeOf(String name) {
            return NAME_OVERHEAD + (long) name.length();
        }
    }
}
