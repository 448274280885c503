package dev.waybill.experiment.run;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.body.Bytes;

/** Reads the members of one run from a parser; skips unknown members. */
final class RunMemberReader {

    private static final String USAGE = "usage_metadata";

    private final JsonParser json;
    private final Bytes source;
    private final RunFields run;
    private final Violations violations;

    RunMemberReader(JsonParser json, Bytes source, RunFields run, Violations violations) {
        this.json = json;
        this.source = source;
        this.run = run;
        this.violations = violations;
    }

    /** Reads the current object. */
    void readAll() throws IOException {
        UsageReader usage = new UsageReader(json, violations);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            json.nextToken();
            if (!usage.readIfUsage(member)) {
                read(member);
            }
        }
        run.ownUsage = usage.read();
    }

    /** Reads the current value as this member. */
    void read(String member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (member) {
            case "id" -> run.id = JsonValues.id(json, member, violations);
            case "trace_id" -> run.traceId = JsonValues.id(json, member, violations);
            case "parent_run_id" -> run.parentRunId = JsonValues.id(json, member, violations);
            case "session_id" -> run.sessionId = JsonValues.id(json, member, violations);
            case "reference_example_id" -> run.referenceExampleId = JsonValues.id(json, member, violations);
            case "manifest_id" -> run.manifestId = JsonValues.id(json, member, violations);
            case "trace_tier" -> run.traceTier = JsonValues.text(json, member, violations);
            case "session_name" -> run.sessionName = JsonValues.text(json, member, violations);
            case "dotted_order" -> run.dottedOrder = JsonValues.text(json, member, violations);
            case "name" -> run.name = JsonValues.text(json, member, violations);
            case "run_type" -> run.runType = JsonValues.text(json, member, violations);
            case "status" -> run.status = JsonValues.text(json, member, violations);
            case "error" -> run.error = JsonValues.text(json, member, violations);
            case "start_time" -> run.startTime = JsonValues.time(json, member, violations);
            case "end_time" -> run.endTime = JsonValues.time(json, member, violations);
            case "first_token_time" -> run.firstTokenTime = JsonValues.time(json, member, violations);
            case "tags" -> run.tags = JsonValues.texts(json, member, violations);
            case "inputs" -> run.inputs = object(member);
            case "serialized" -> run.serialized = object(member);
            case "outputs" -> run.outputs = outputs();
            case "extra" -> run.extra = extra();
            case "events" -> run.events = events();
            default -> json.skipChildren();
        }
    }

    private @Nullable Bytes object(String member) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, member, "must be a JSON object", violations);
        }
        int from = currentOffset();
        json.skipChildren();
        return sliceFrom(from);
    }

    private @Nullable Bytes outputs() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "outputs", "must be a JSON object", violations);
        }
        int from = currentOffset();
        run.outputsUsage = nestedUsage();
        return sliceFrom(from);
    }

    private @Nullable Bytes extra() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "extra", "must be a JSON object", violations);
        }
        int from = currentOffset();
        run.metadata = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() == JsonToken.START_OBJECT && member.equals("metadata")) {
                int metadata = currentOffset();
                run.metadataUsage = nestedUsage();
                run.metadata = sliceFrom(metadata);
            } else {
                json.skipChildren();
            }
        }
        return sliceFrom(from);
    }

    private @Nullable Bytes events() throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return JsonValues.wrongType(json, "events", "must be a JSON array", violations);
        }
        int from = currentOffset();
        run.eventsFirstToken = null;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() == JsonToken.START_OBJECT && run.eventsFirstToken == null) {
                new StreamEventReader(json).firstToken().ifPresent(time -> run.eventsFirstToken = time);
            } else {
                json.skipChildren();
            }
        }
        return sliceFrom(from);
    }

    // Reads the current object to its end.
    private Usage nestedUsage() throws IOException {
        Usage usage = Usage.UNKNOWN;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            boolean isUsage = json.currentName().equals(USAGE);
            if (json.nextToken() == JsonToken.START_OBJECT && isUsage) {
                usage = UsageReader.readLeniently(json);
            } else {
                json.skipChildren();
            }
        }
        return usage;
    }

    private int currentOffset() {
        return (int) json.currentTokenLocation().getByteOffset();
    }

    private Bytes sliceFrom(int from) {
        return source.slice(from, (int) json.currentLocation().getByteOffset());
    }
}
