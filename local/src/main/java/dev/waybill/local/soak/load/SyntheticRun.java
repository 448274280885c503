package dev.waybill.local.soak.load;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/**
 * A root run whose texts say which one it is.
 *
 * @param name no other run has it
 */
record SyntheticRun(String session, String name, UUID id, Instant start) {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    /** One that starts now. */
    static SyntheticRun of(String session, String name) {
        return new SyntheticRun(session, name, UUID.randomUUID(), Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    /** As it is when it begins. */
    ObjectNode begun() {
        ObjectNode json = Json.object().put("id", id.toString()).put("trace_id", id.toString())
                .put("dotted_order", STAMP.format(start) + id)
                .put("name", name).put("run_type", "chain").put("session_name", session).put("start_time", start.toString());
        json.putObject("inputs").put("question", "what of " + name);
        return json;
    }

    /** What is told of it when it has ended. */
    ObjectNode ended() {
        ObjectNode json = Json.object().put("trace_id", id.toString())
                .put("dotted_order", begun().get("dotted_order").textValue())
                .put("end_time", start.plusMillis(40).toString());
        json.putObject("outputs").put("answer", "all of " + name);
        return json;
    }

    /** All of it at once. */
    ObjectNode whole() {
        return begun().setAll(ended());
    }

    /** What must be there of it. */
    String entry() {
        return name + "|what of " + name + "|all of " + name;
    }
}
