package dev.waybill.local.quickstart;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.RunEvent;
import dev.waybill.local.tour.DeployedApplication;

/** Streams a run of the application that is served, and shows what its trace tells of it. */
final class DeploymentTour {

    private static final int RUN_AND_STEP = 2;

    private final DeployedApplication application;
    private final Screen screen;

    DeploymentTour(DeployedApplication application, Screen screen) {
        this.application = application;
        this.screen = screen;
    }

    void take() {
        screen.title(
                "5. Stream a run of a deployed application (POST /runs/stream), and find its trace (POST /api/v1/runs/query)");
        String run = application.stream("Every agent deserves a waybill.", "messages-tuple", this::show);
        List<JsonNode> trace = application.awaitTrace(run, RUN_AND_STEP);
        screen.line("%-10s %-9s %8s %7s  %s", "trace", "run_type", "seconds", "tokens", "outputs");
        for (JsonNode row : trace) {
            String indent = row.path("parent_run_id").isNull() ? "" : "  ";
            screen.line("%-10s %-9s %8.3f %7s  %s", indent + row.required("name").textValue(),
                    row.required("run_type").textValue(), seconds(row), row.path("total_tokens").asText("-"),
                    row.at("/outputs/messages").path(row.at("/outputs/messages").size() - 1).path("content").asText());
        }
    }

    private void show(RunEvent event) {
        JsonNode content = event.data().path(0).path("content");
        screen.line("event: %-9s %s", event.name(), content.isMissingNode() ? event.data() : content);
    }

    private static double seconds(JsonNode row) {
        Instant start = Instant.parse(row.required("start_time").textValue());
        Instant end = Instant.parse(row.required("end_time").textValue());
        return Duration.between(start, end).toNanos() / 1e9;
    }
}
