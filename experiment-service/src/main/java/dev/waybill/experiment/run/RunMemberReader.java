package dev.waybill.experiment.run;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.body.Bytes;

/** Reads the members of one run where the parser stands; members it does not know are stepped over. */
final class RunMemberReader {

    private static final String USAGE = "usage_metadata";

    private final JsonParser json;
    private final Bytes source;
    private final RunFields run;
    private final Violations found;

    RunMemberReader(JsonParser json, Bytes source, RunFields run, Violations found) {
        this.json = json;
        this.source = source;
        this.run = run;
        this.found = found;
    }

    /** Reads the object the parser stands on. */
    void readAll() throws IOException {
        UsageReader usage = new UsageReader(json, found);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            json.nextToken();
            if (!usage.takes(member)) {
                read(member);
            }
        }
        run.given = usage.read();
    }

    /** Reads one member's value. */
    void read(String member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (member) {
            case "id" -> run.id = JsonValues.id(json, member, found);
            case "trace_id" -> run.traceId = JsonValues.id(json, member, found);
            case "parent_run_id" -> run.parentRunId = JsonValues.id(json, member, found);
            case "session_id" -> run.sessionId = JsonValues.id(json, member, found);
            case "reference_example_id" -> run.referenceExampleId = JsonValues.id(json, member, found);
            case "manifest_id" -> run.manifestId = JsonValues.id(json, member, found);
            case "trace_tier" -> run.traceTier = JsonValues.text(json, member, found);
            case "session_name" -> run.sessionName = JsonValues.text(json, member, found);
            case "dotted_order" -> run.dottedOrder = JsonValues.text(json, member, found);
            case "name" -> run.name = JsonValues.text(json, member, found);
            case "run_type" -> run.runType = JsonValues.text(json, member, found);
            case "status" -> run.status = JsonValues.text(json, member, found);
            case "error" -> run.error = JsonValues.text(json, member, found);
            case "start_time" -> run.startTime = JsonValues.time(json, member, found);
            case "end_time" -> run.endTime = JsonValues.time(json, member, found);
            case "first_token_time" -> run.firstTokenTime = JsonValues.time(json, member, found);
            case "tags" -> run.tags = JsonValues.texts(json, member, found);
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
            return JsonValues.wrongType(json, member, "must be a JSON object", found);
        }
        int from = here();
        json.skipChildren();
        return since(from);
    }

    private @Nullable Bytes outputs() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "outputs", "must be a JSON object", found);
        }
        int from = here();
        run.inOutputs = usageWithin();
        return since(from);
    }

    private @Nullable Bytes extra() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "extra", "must be a JSON object", found);
        }
        int from = here();
        run.metadata = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() == JsonToken.START_OBJECT && member.equals("metadata")) {
                int metadata = here();
                run.inMetadata = usageWithin();
                run.metadata = since(metadata);
            } else {
                json.skipChildren();
            }
        }
        return since(from);
    }

    private @Nullable Bytes events() throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return JsonValues.wrongType(json, "events", "must be a JSON array", found);
        }
        int from = here();
        run.firstTokenInEvents = null;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() == JsonToken.START_OBJECT && run.firstTokenInEvents == null) {
                new StreamEventReader(json).firstToken().ifPresent(time -> run.firstTokenInEvents = time);
            } else {
                json.skipChildren();
            }
        }
        return since(from);
    }

    // Walks the object the parser stands on to its end.
    private Usage usageWithin() throws IOException {
        Usage usage = Usage.UNKNOWN;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            boolean usageHere = json.currentName().equals(USAGE);
            if (json.nextToken() == JsonToken.START_OBJECT && usageHere) {
                usage = UsageReader.readTolerantly(json);
            } else {
                json.skipChildren();
            }
        }
        return usage;
    }

    private int here() {
        return (int) json.currentTokenLocation().getByteOffset();
    }

    private Bytes since(int from) {
        return source.slice(from, (int) json.currentLocation().getByteOffset());
    }
}
