package dev.waybill.local.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.StackException;

/** The part of the tour about experiments: uploads two external experiments and compares them. */
final class ExperimentTour {

    private final URI service;
    private final WaybillClient client;
    private final Terminal terminal;

    ExperimentTour(URI experimentService, WaybillClient client, Terminal terminal) {
        this.service = experimentService;
        this.client = client;
        this.terminal = terminal;
    }

    void run() {
        terminal.title(
                "4. Upload two experiments and compare them (POST /api/v1/datasets/upload-experiment, .../comparison, .../gate)");
        JsonNode baseline = upload("support-answers-baseline");
        JsonNode candidate = upload("support-answers-candidate");
        URI dataset = service.resolve("/api/v1/datasets/" + baseline.at("/dataset/id").textValue());
        ObjectNode request = Json.object().put("baseline_experiment_id", id(baseline));
        request.putArray("experiment_ids").add(id(baseline)).add(id(candidate));
        request.putObject("higher_is_better").put("answer_length", false);
        JsonNode compared = client.post(URI.create(dataset + "/comparison"), request).required("experiments").get(1);
        show(compared);
        JsonNode gate = client.post(URI.create(dataset + "/gate"), Json.object().put("experiment_id", id(candidate))
                .put("baseline_experiment_id", id(baseline)).set("max_drop", Json.object().put("correct", 0.02)));
        terminal.line("Gate (correct may drop by 0.02): %s", gate.required("passed").booleanValue() ? "passed" : "failed");
    }

    private JsonNode upload(String sample) {
        ObjectNode body = (ObjectNode) read(sample);
        int rows = body.required("results").size();
        // Names are unique in a dataset, and the tour can run repeatedly.
        String name = body.required("experiment_name").textValue();
        body.put("experiment_name", name + ", " + Instant.now().truncatedTo(ChronoUnit.MILLIS));
        JsonNode response = client.post(service.resolve("/api/v1/datasets/upload-experiment"), body);
        terminal.line("%-28s %3d rows", name, rows);
        return response;
    }

    private void show(JsonNode compared) {
        terminal.line("%-14s %8s %10s %18s %6s %5s %4s  %s", "key", "average", "difference", "95 % interval", "better", "worse",
                "same", "verdict");
        List<Map.Entry<String, JsonNode>> keys = List.copyOf(compared.required("feedback").properties());
        if (keys.isEmpty()) {
            throw new StackException("the comparison contains no feedback: " + compared);
        }
        for (Map.Entry<String, JsonNode> key : keys) {
            JsonNode statistics = key.getValue();
            String interval = String.format("%+.2f to %+.2f", statistics.at("/interval/0").doubleValue(),
                    statistics.at("/interval/1").doubleValue());
            terminal.line("%-14s %8.2f %+10.2f %18s %6d %5d %4d  %s", key.getKey(), statistics.required("avg").doubleValue(),
                    statistics.required("delta").doubleValue(), interval, statistics.required("better").intValue(),
                    statistics.required("worse").intValue(), statistics.required("same").intValue(),
                    statistics.required("verdict").textValue());
        }
    }

    private static String id(JsonNode uploaded) {
        return uploaded.at("/experiment/id").textValue();
    }

    private static JsonNode read(String sample) {
        String resource = "/samples/experiments/" + sample + ".json";
        try (InputStream in = ExperimentTour.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            return Json.parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
