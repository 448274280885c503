package dev.waybill.experiment.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.JsonDocumentReader;

/**
 * Parses runs from JSON token by token, without trees; members that are JSON documents remain slices of the body.
 * Malformed JSON responds with 400, members of the wrong type are violations.
 */
@Singleton
public class RunReader {

    private static final int MAX_NESTING = 500;
    // Equals the limit on parts of a form. The body size is no limit: a run can be as small as three bytes.
    private static final int MAX_RUNS = 20_000;

    private final JsonDocumentReader documents = new JsonDocumentReader(MAX_NESTING);

    /** Reads a run from a complete document. */
    public RunFields readRun(Bytes json, Violations violations) {
        RunFields run = new RunFields();
        readInto(run, json, violations);
        return run;
    }

    /** Reads the members of a run from one part of a form; other members have their own parts. */
    public void readInto(RunFields run, Bytes json, Violations violations) {
        documents.read(json, violations.path(), parser -> {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                new RunMemberReader(parser, json, run, violations).readAll();
            } else {
                parser.skipChildren();
                violations.invalidHere("must be a JSON object", "type");
            }
        });
    }

    /** Reads one member of a run from its own part of a form. */
    public void readMember(RunFields run, String member, Bytes json, Violations violations) {
        documents.read(json, violations.path(), parser -> new RunMemberReader(parser, json, run, violations).read(member));
    }

    /** Checks that a document that is stored unchanged is well-formed JSON. */
    public void check(Bytes json, Violations violations) {
        documents.read(json, violations.path(), JsonParser::skipChildren);
    }

    /** Reads a batch: {@code {"post": [run...], "patch": [run...]}}. */
    public RunBatch readBatch(Bytes json, Violations violations) {
        List<RunFields> posts = new ArrayList<>();
        List<RunFields> patches = new ArrayList<>();
        documents.read(json, violations.path(), parser -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                violations.invalidHere("must be a JSON object with the lists post and patch", "type");
                return;
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String list = parser.currentName();
                parser.nextToken();
                switch (list) {
                    case "post" -> readList(parser, json, "post", posts, violations);
                    case "patch" -> readList(parser, json, "patch", patches, violations);
                    default -> parser.skipChildren();
                }
            }
        });
        return new RunBatch(posts, patches);
    }

    private static void readList(JsonParser parser, Bytes json, String name, List<RunFields> into, Violations violations)
            throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            JsonValues.wrongType(parser, name, "must be an array of runs", violations);
            return;
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            if (into.size() == MAX_RUNS) {
                throw new ProblemException(CommonProblem.TOO_LARGE, "The body has more than " + MAX_RUNS + " runs in " + name
                        + "; send fewer runs in one batch.");
            }
            RunFields run = new RunFields();
            into.add(run);
            Violations runViolations = violations.at(name, i);
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                new RunMemberReader(parser, json, run, runViolations).readAll();
            } else {
                parser.skipChildren();
                runViolations.invalidHere("must be a JSON object", "type");
            }
        }
    }
}
