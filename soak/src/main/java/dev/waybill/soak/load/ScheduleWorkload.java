package dev.waybill.soak.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** A scheduled export that starts in the past and exports its windows in order. */
final class ScheduleWorkload implements Workload {

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final Duration DELAY = Duration.ofMinutes(10);

    private final ExportClient exports;
    private final SourceSession source;
    private final String schedule;

    /** Creates the scheduled export. */
    ScheduleWorkload(ExportClient exports, SourceSession source) {
        this.exports = exports;
        this.source = source;
        ObjectNode request = Json.object().put("bulk_export_destination_id", exports.destination())
                .put("session_id", source.sessionId()).put("start_time", source.start().toString())
                .put("interval_hours", 1);
        this.schedule = exports.create(request);
    }

    @Override
    public String name() {
        return "schedule";
    }

    @Override
    public int pauseMillis() {
        return 1000;
    }

    @Override
    public void step() {
        String status = exports.get(schedule).required("status").textValue();
        if (!status.equals("IntervalScheduled")) {
            throw new IllegalStateException("the schedule is " + status);
        }
    }

    @Override
    public List<String> differences() {
        // Windows that become due after this moment are optional.
        long due = Duration.between(source.start(), Instant.now().minus(DELAY)).toHours();
        List<JsonNode> windows = exports.spawnedBy(schedule).stream().sorted(Comparator.comparing(ScheduleWorkload::start))
                .toList();
        if (windows.size() < due) {
            return List.of(windows.size() + " of " + due + " windows were exported");
        }
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < windows.size(); i++) {
            JsonNode window = windows.get(i);
            Instant start = source.start().plus(WINDOW.multipliedBy(i));
            Instant end = Instant.parse(window.required("end_time").textValue());
            if (!start(window).equals(start) || !end.equals(start.plus(WINDOW))) {
                differences.add("expected the window at " + start + ", found " + window);
            } else if (i < due) {
                differences.addAll(exports.differences(window.required("id").textValue(), source.expectedRows(start, end)));
            }
        }
        return differences;
    }

    private static Instant start(JsonNode window) {
        return Instant.parse(window.required("start_time").textValue());
    }
}
