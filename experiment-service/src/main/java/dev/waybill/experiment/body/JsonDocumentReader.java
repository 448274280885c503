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

/** Reads bodies that are one JSON document each, token by token; what is none ends the request with 400. */
public final class JsonDocumentReader {

    private final int deepestNesting;
    private final JsonFactory factory;

    /** For documents in memory, of which a text can be no larger than they are. */
    public JsonDocumentReader(int deepestNesting) {
        this(deepestNesting, Integer.MAX_VALUE);
    }

    /** @param longestText of those that are asked for; what is stepped over may be of any length */
    public JsonDocumentReader(int deepestNesting, int longestText) {
        this.deepestNesting = deepestNesting;
        this.factory = JsonFactory.builder()
                // The bytes are known to be UTF-8, and positions are counted in them.
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                // Names inside are the users': nothing is gained by keeping them for ever.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(deepestNesting)
                        .maxStringLength(longestText)
                        .build())
                .build();
    }

    /** Reads {@code json}; {@code where} names it in a 400, empty for the whole body. */
    public void read(Bytes json, String where, Reading reading) {
        if (!Utf8.isWellFormed(json)) {
            throw malformed(where, "is not valid UTF-8", null);
        }
        read(where, reading, () -> factory.createParser(json.array(), json.offset(), json.length()));
    }

    /** Reads a body that is not in memory. */
    public void read(SpooledBody body, Reading reading) {
        if (!Utf8.isWellFormed(body)) {
            throw malformed("", "is not valid UTF-8", null);
        }
        read("", reading, () -> factory.createParser(body.open()));
    }

    // One document and nothing after it.
    private void read(String where, Reading reading, Opening opening) {
        try (JsonParser parser = new StrictJsonParser(opening.open())) {
            if (parser.nextToken() == null) {
                throw malformed(where, "is empty; a JSON document is expected", null);
            }
            reading.read(parser);
            if (parser.nextToken() != null) {
                throw malformed(where, "has something after its JSON document", null);
            }
        } catch (StreamConstraintsException e) {
            throw malformed(where, "is nested more than " + deepestNesting + " deep, or holds an overlong number, name or text,"
                    + " or an object with too many members", e);
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

    /** Reads one document whose first token the parser stands on, up to its last. */
    @FunctionalInterface
    public interface Reading {
        /** Reads it. */
        void read(JsonParser parser) throws IOException;
    }

    @FunctionalInterface
    private interface Opening {
        JsonParser open() throws IOException;
    }
}
