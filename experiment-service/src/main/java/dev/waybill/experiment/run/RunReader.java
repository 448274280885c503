package dev.waybill.experiment.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.Utf8;

/**
 * Reads runs from JSON token by token: no trees, and members that are JSON themselves stay the bytes they came as. What is no
 * JSON
 * document ends the request with 400; members of a wrong type are findings.
 */
@Singleton
public class RunReader {

    private static final int DEEPEST_NESTING = 500;

    private final JsonFactory factory = JsonFactory.builder()
            // The bytes are known to be UTF-8, and positions are counted in them.
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            // Names inside runs are the users': nothing is gained by keeping them for ever.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST_NESTING)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** A run that is the whole body; {@code where} names the body in a 400. */
    public RunFields readRun(Bytes json, Findings found) {
        RunFields run = new RunFields();
        readInto(run, json, found);
        return run;
    }

    /** Reads a run's own part, whose other members come in parts of their own. */
    public void readInto(RunFields run, Bytes json, Findings found) {
        document(json, found.path(), parser -> {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                new RunMembers(parser, json, run, found).readAll();
            } else {
                parser.skipChildren();
                found.invalidHere("must be a JSON object", "type");
            }
        });
    }

    /** Reads one member that came in a part of its own. */
    public void readMember(RunFields run, String member, Bytes json, Findings found) {
        document(json, found.path(), parser -> new RunMembers(parser, json, run, found).read(member));
    }

    /** Makes sure of JSON that is kept as it came. */
    public void check(Bytes json, Findings found) {
        document(json, found.path(), JsonParser::skipChildren);
    }

    /** Reads a whole batch: {@code {"post": [run...], "patch": [run...]}}. */
    public RunBatch readBatch(Bytes json, Findings found) {
        List<RunFields> posts = new ArrayList<>();
        List<RunFields> patches = new ArrayList<>();
        document(json, found.path(), parser -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                found.invalidHere("must be a JSON object with the lists post and patch", "type");
                return;
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String list = parser.currentName();
                parser.nextToken();
                switch (list) {
                    case "post" -> readList(parser, json, "post", posts, found);
                    case "patch" -> readList(parser, json, "patch", patches, found);
                    default -> parser.skipChildren();
                }
            }
        });
        return new RunBatch(posts, patches);
    }

    private static void readList(JsonParser parser, Bytes json, String name, List<RunFields> into, Findings found)
            throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            JsonValues.wrongType(parser, name, "must be an array of runs", found);
            return;
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            RunFields run = new RunFields();
            into.add(run);
            Findings here = found.at(name, i);
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                new RunMembers(parser, json, run, here).readAll();
            } else {
                parser.skipChildren();
                here.invalidHere("must be a JSON object", "type");
            }
        }
    }

    // One document and nothing after it.
    private void document(Bytes json, String where, Reading reading) {
        if (!Utf8.isWellFormed(json)) {
            throw malformed(where, "is not valid UTF-8", null);
        }
        try (JsonParser parser = factory.createParser(json.array(), json.offset(), json.length())) {
            if (parser.nextToken() == null) {
                throw malformed(where, "is empty; a JSON document is expected", null);
            }
            reading.read(parser);
            if (parser.nextToken() != null) {
                throw malformed(where, "has something after its JSON document", null);
            }
        } catch (StreamConstraintsException e) {
            throw malformed(where, "is nested more than " + DEEPEST_NESTING + " deep or holds an overlong number", e);
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

    @FunctionalInterface
    private interface Reading {

        void read(JsonParser parser) throws IOException;
    }
}
