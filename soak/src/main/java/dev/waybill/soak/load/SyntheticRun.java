package dev.waybill.soak.load;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/**
 * A root run whose inputs and outputs contain its name.
 *
 * @param name the unique name
 */
record SyntheticRun(String session, String name, UUID id, Instant start) {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    /** Returns a run that starts now. */
    static SyntheticRun of(String session, String name) {
        return new SyntheticRun(session, name, UUID.randomUUID(), Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    /** Returns the body that creates the run. */
    ObjectNode createBody() {
        ObjectNode json = Json.object().put("id", id.toString()).put("trace_id", id.toString())
                .put("dotted_order", STAMP.format(start) + id)
                .put("name", name).put("run_type", "chain").put("session_name", session).put("start_time", start.toString());
        json.putObject("inputs").put("question", "question of " + name);
        return json;
    }

    /** Returns the body that ends the run. */
    ObjectNode updateBody() {
        ObjectNode json = Json.object().put("trace_id", id.toString())
                .put("dotted_order", createBody().get("dotted_order").textValue())
                .put("end_time", start.plusMillis(40).toString());
        json.putObject("outputs").put("answer", "answer of " + name);
        return json;
    }

    /** Returns the body that creates the ended run. */
    ObjectNode fullBody() {
        return createBody().setAll(updateBody());
    }

    /** Returns the expected row. */
    String expectedRow() {
        return name + "|question of " + name + "|answer of " + name;
    }
}
