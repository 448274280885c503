package dev.waybill.experiment.body;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

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

    /** Reads a spooled body. */
    public void read(SpooledBody body, DocumentHandler handler) {
        if (!Utf8.isWellFormed(body)) {
            throw malformed("", "is not valid UTF-8", null);
        }
        read("", handler, () -> factory.createParser(body.open()));
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
            String position = e.getLocation() == null ? ""
                    : " (line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr() + ")";
            throw malformed(where, "is not one well-formed JSON document" + position, e);
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
}
