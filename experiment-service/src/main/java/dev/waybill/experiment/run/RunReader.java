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
 * Reads runs from JSON token by token: no trees, and members that are JSON themselves stay the bytes they came as. What is no
 * JSON
 * document ends the request with 400; members of a wrong type are findings.
 */
@Singleton
public class RunReader {

    private static final int DEEPEST_NESTING = 500;
    // As many as a form has parts: three bytes may stand for a run, so the size of a body bounds nothing.
    private static final int MOST_RUNS = 20_000;

    private final JsonDocumentReader documents = new JsonDocumentReader(DEEPEST_NESTING);

    /** A run that is the whole body; {@code where} names the body in a 400. */
    public RunFields readRun(Bytes json, Violations found) {
        RunFields run = new RunFields();
        readInto(run, json, found);
        return run;
    }

    /** Reads a run's own part, whose other members come in parts of their own. */
    public void readInto(RunFields run, Bytes json, Violations found) {
        documents.read(json, found.path(), parser -> {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                new RunMemberReader(parser, json, run, found).readAll();
            } else {
                parser.skipChildren();
                found.invalidHere("must be a JSON object", "type");
            }
        });
    }

    /** Reads one member that came in a part of its own. */
    public void readMember(RunFields run, String member, Bytes json, Violations found) {
        documents.read(json, found.path(), parser -> new RunMemberReader(parser, json, run, found).read(member));
    }

    /** Makes sure of JSON that is kept as it came. */
    public void check(Bytes json, Violations found) {
        documents.read(json, found.path(), JsonParser::skipChildren);
    }

    /** Reads a whole batch: {@code {"post": [run...], "patch": [run...]}}. */
    public RunBatch readBatch(Bytes json, Violations found) {
        List<RunFields> posts = new ArrayList<>();
        List<RunFields> patches = new ArrayList<>();
        documents.read(json, found.path(), parser -> {
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

    private static void readList(JsonParser parser, Bytes json, String name, List<RunFields> into, Violations found)
            throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            JsonValues.wrongType(parser, name, "must be an array of runs", found);
            return;
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            if (into.size() == MOST_RUNS) {
                throw new ProblemException(CommonProblem.TOO_LARGE, "The body has more than " + MOST_RUNS + " runs in " + name
                        + "; send fewer runs in one batch.");
            }
            RunFields run = new RunFields();
            into.add(run);
            Violations here = found.at(name, i);
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                new RunMemberReader(parser, json, run, here).readAll();
            } else {
                parser.skipChildren();
                here.invalidHere("must be a JSON object", "type");
            }
        }
    }
}
