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

/** Uploads two experiments that were run elsewhere, and shows how the second compares with the first. */
final class ExperimentTour {

    private final URI service;
    private final WaybillClient client;
    private final Screen screen;

    ExperimentTour(URI experimentService, WaybillClient client, Screen screen) {
        this.service = experimentService;
        this.client = client;
        this.screen = screen;
    }

    void take() {
        screen.title(
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
        screen.line("The gate (correct may drop by 0.02): %s", gate.required("passed").booleanValue() ? "passed" : "failed");
    }

    private JsonNode upload(String sample) {
        ObjectNode body = (ObjectNode) read(sample);
        int rows = body.required("results").size();
        // An experiment's name is its own in its dataset, and the tour may be taken again.
        String name = body.required("experiment_name").textValue();
        body.put("experiment_name", name + ", " + Instant.now().truncatedTo(ChronoUnit.MILLIS));
        JsonNode answer = client.post(service.resolve("/api/v1/datasets/upload-experiment"), body);
        screen.line("%-28s %3d rows", name, rows);
        return answer;
    }

    private void show(JsonNode compared) {
        screen.line("%-14s %8s %10s %18s %6s %5s %4s  %s", "key", "average", "difference", "95 % interval", "better", "worse",
                "same", "verdict");
        List<Map.Entry<String, JsonNode>> keys = List.copyOf(compared.required("feedback").properties());
        if (keys.isEmpty()) {
            throw new StackException("the comparison tells nothing: " + compared);
        }
        for (Map.Entry<String, JsonNode> key : keys) {
            JsonNode told = key.getValue();
            String interval = String.format("%+.2f to %+.2f", told.at("/interval/0").doubleValue(),
                    told.at("/interval/1").doubleValue());
            screen.line("%-14s %8.2f %+10.2f %18s %6d %5d %4d  %s", key.getKey(), told.required("avg").doubleValue(),
                    told.required("delta").doubleValue(), interval, told.required("better").intValue(),
                    told.required("worse").intValue(), told.required("same").intValue(),
                    told.required("verdict").textValue());
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
