package dev.waybill.experiment.run;

import java.io.IOException;
import java.time.Instant;
import java.util.List;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonDocumentReader;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;
import dev.waybill.experiment.json.ViolationCollector;

/**
 * Parses runs from JSON token by token, without trees; members that are JSON documents remain slices of the body.
 * Malformed JSON responds with 400, members of the wrong type are violations.
 */
@Singleton
public class RunReader {

    private static final int MAX_NESTING = 500;
    // Equals the limit on parts of a form. The body size is no limit: a run can be as small as three bytes.
    private static final int MAX_RUNS = 20_000;
    private static final String OBJECT = "must be a JSON object";
    private static final JsonMembers<ReceivedRun> MEMBERS = JsonMembers.<ReceivedRun> table()
            .id("id", (run, id) -> run.id = id)
            .id("trace_id", (run, id) -> run.traceId = id)
            .id("parent_run_id", (run, id) -> run.parentRunId = id)
            .id("session_id", (run, id) -> run.sessionId = id)
            .id("reference_example_id", (run, id) -> run.referenceExampleId = id)
            .id("manifest_id", (run, id) -> run.manifestId = id)
            .text("trace_tier", (run, text) -> run.traceTier = text)
            .text("session_name", (run, text) -> run.sessionName = text)
            .text("dotted_order", (run, text) -> run.dottedOrder = text)
            .text("name", (run, text) -> run.name = text)
            .text("run_type", (run, text) -> run.runType = text)
            .text("status", (run, text) -> run.status = text)
            .text("error", (run, text) -> run.error = text)
            .time("start_time", (run, time) -> run.startTime = time)
            .time("end_time", (run, time) -> run.endTime = time)
            .time("first_token_time", (run, time) -> run.firstTokenTime = time)
            .count("prompt_tokens", (run, count) -> run.ownUsage().promptTokens = count)
            .count("completion_tokens", (run, count) -> run.ownUsage().completionTokens = count)
            .count("total_tokens", (run, count) -> run.ownUsage().totalTokens = count)
            .cost("prompt_cost", (run, cost) -> run.ownUsage().promptCost = cost)
            .cost("completion_cost", (run, cost) -> run.ownUsage().completionCost = cost)
            .cost("total_cost", (run, cost) -> run.ownUsage().totalCost = cost)
            .member("tags", (run, in) -> run.tags = in.texts("must be an array of strings"))
            .object("inputs", OBJECT, (run, json) -> run.inputs = json)
            .object("serialized", OBJECT, (run, json) -> run.serialized = json)
            .member("outputs", (run, in) -> run.outputs = outputs(run, in))
            .member("extra", (run, in) -> run.extra = extra(run, in))
            .member("events", (run, in) -> run.events = events(run, in))
            .build();
    private static final JsonMembers<ReceivedRun> OUTPUTS = JsonMembers.<ReceivedRun> table()
            .member("usage_metadata", (run, in) -> run.outputsUsage = usage(in))
            .build();
    private static final JsonMembers<ReceivedRun> EXTRA = JsonMembers.<ReceivedRun> table()
            .member("metadata", (run, in) -> run.metadata = metadata(run, in))
            .build();
    private static final JsonMembers<ReceivedRun> METADATA = JsonMembers.<ReceivedRun> table()
            .member("usage_metadata", (run, in) -> run.metadataUsage = usage(in))
            .build();
    // Events are user data, so nothing in them is rejected.
    private static final JsonMembers<StreamEvent> EVENT = JsonMembers.<StreamEvent> table()
            .member("name", (event, in) -> event.isNewToken = in.is(JsonToken.VALUE_STRING)
                    && in.parser().getText().equals("new_token"))
            .member("time", (event, in) -> event.time = in.timeOrNull())
            .build();

    private final JsonDocumentReader documents = new JsonDocumentReader(MAX_NESTING);

    /** Reads a run from a complete document. */
    public ReceivedRun readRun(Bytes json, ViolationCollector violations) {
        ReceivedRun run = new ReceivedRun();
        readInto(run, json, violations);
        return run;
    }

    /** Reads the members of a run from one part of a form; other members have their own parts. */
    public void readInto(ReceivedRun run, Bytes json, ViolationCollector violations) {
        documents.read(json, violations.path(), parser -> MEMBERS.readObject(run, input(parser, json, violations), OBJECT));
    }

    /** Reads one member of a run from its own part of a form. */
    public void readMember(ReceivedRun run, String member, Bytes json, ViolationCollector violations) {
        documents.read(json, violations.path(), parser -> MEMBERS.readMember(run, input(parser, json, violations), member));
    }

    /** Checks that a document that is stored unchanged is well-formed JSON. */
    public void check(Bytes json, ViolationCollector violations) {
        documents.read(json, violations.path(), JsonParser::skipChildren);
    }

    /** Reads a batch: {@code {"post": [run...], "patch": [run...]}}. */
    public void readBatch(Bytes json, List<ReceivedRun> posts, List<ReceivedRun> patches, ViolationCollector violations) {
        documents.read(json, violations.path(), parser -> JsonMembers.<RunReader> table()
                .member("post", (reader, in) -> readList(in, posts))
                .member("patch", (reader, in) -> readList(in, patches))
                .build()
                .readObject(this, input(parser, json, violations), "must be a JSON object with the lists post and patch"));
    }

    private static void readList(JsonInput in, List<ReceivedRun> target) throws IOException {
        if (!in.is(JsonToken.START_ARRAY)) {
            in.wrongType("must be an array of runs");
            return;
        }
        String list = in.member();
        for (int i = 0; in.parser().nextToken() != JsonToken.END_ARRAY; i++) {
            if (target.size() == MAX_RUNS) {
                throw new ProblemException(CommonProblem.TOO_LARGE, "The body has more than " + MAX_RUNS + " runs in " + list
                        + "; send fewer runs in one batch.");
            }
            ReceivedRun run = new ReceivedRun();
            target.add(run);
            MEMBERS.readObject(run, in.at(list, i), OBJECT);
        }
    }

    private static JsonInput input(JsonParser parser, Bytes json, ViolationCollector violations) {
        return new JsonInput(parser, JsonInput.Source.of(json), violations);
    }

    private static @Nullable Bytes outputs(ReceivedRun run, JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return in.wrongType(OBJECT);
        }
        long from = in.offset();
        run.outputsUsage = TokenUsage.UNKNOWN;
        OUTPUTS.read(run, in);
        return in.sliceFrom(from);
    }

    private static @Nullable Bytes extra(ReceivedRun run, JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return in.wrongType(OBJECT);
        }
        long from = in.offset();
        run.metadata = null;
        EXTRA.read(run, in);
        return in.sliceFrom(from);
    }

    // Metadata of another type is stored as a part of extra only.
    private static @Nullable Bytes metadata(ReceivedRun run, JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return null;
        }
        long from = in.offset();
        run.metadataUsage = TokenUsage.UNKNOWN;
        METADATA.read(run, in);
        return in.sliceFrom(from);
    }

    private static TokenUsage usage(JsonInput in) throws IOException {
        return in.is(JsonToken.START_OBJECT) ? TokenUsage.readLeniently(in) : TokenUsage.UNKNOWN;
    }

    // The first new_token event of a streamed run has the time of the first token.
    private static @Nullable Bytes events(ReceivedRun run, JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_ARRAY)) {
            return in.wrongType("must be a JSON array");
        }
        long from = in.offset();
        run.eventsFirstToken = null;
        while (in.parser().nextToken() != JsonToken.END_ARRAY) {
            if (in.is(JsonToken.START_OBJECT) && run.eventsFirstToken == null) {
                StreamEvent event = new StreamEvent();
                EVENT.read(event, in);
                run.eventsFirstToken = event.isNewToken ? event.time : null;
            } else {
                in.parser().skipChildren();
            }
        }
        return in.sliceFrom(from);
    }

    /** The members of an event that matter. */
    private static final class StreamEvent {

        private boolean isNewToken;
        private @Nullable Instant time;
    }
}
