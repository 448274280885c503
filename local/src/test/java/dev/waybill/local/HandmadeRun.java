package dev.waybill.local;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** Builds a root run with defaults. */
final class HandmadeRun {

    private final ObjectNode json;

    private HandmadeRun(ObjectNode json) {
        this.json = json;
    }

    static HandmadeRun in(String session, Instant start) {
        UUID id = UUID.randomUUID();
        String stamp = start.toString().length() == 20 ? start.toString().replace("Z", ".000000Z") : start.toString();
        ObjectNode json = Json.object()
                .put("id", id.toString())
                .put("trace_id", id.toString())
                .put("dotted_order", stamp.replaceAll("[-:.]", "") + id)
                .put("name", "handmade")
                .put("run_type", "chain")
                .put("status", "success")
                .put("session_name", session)
                .put("start_time", start.toString())
                .put("end_time", start.plusMillis(1500).toString());
        json.putObject("inputs").put("question", "Where is my order?");
        json.putObject("outputs").put("answer", "On its way.");
        json.putObject("extra").putObject("metadata").put("customer", "Zoë");
        json.putArray("tags").add("handmade");
        return new HandmadeRun(json);
    }

    HandmadeRun input(String name, String value) {
        ((ObjectNode) json.get("inputs")).put(name, value);
        return this;
    }

    HandmadeRun totalCost(BigDecimal cost) {
        json.put("total_cost", cost);
        return this;
    }

    /** Sets all texts and names of the run. */
    HandmadeRun allTexts(String text) {
        json.put("name", text).put("error", text);
        for (String member : List.of("inputs", "outputs")) {
            ((ObjectNode) json.get(member)).put(text, text);
        }
        ((ObjectNode) json.at("/extra/metadata")).put(text, text);
        ((ArrayNode) json.get("tags")).add(text);
        return this;
    }

    JsonNode json() {
        return json;
    }
}
