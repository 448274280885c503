package dev.waybill.local.soak.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** A schedule that began many hours ago, and catches up one window after the other. */
final class ScheduleWorkload implements Workload {

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final Duration DELAY = Duration.ofMinutes(10);

    private final ExportClient exported;
    private final SourceSession source;
    private final String schedule;

    /** Orders the schedule. */
    ScheduleWorkload(ExportClient exported, SourceSession source) {
        this.exported = exported;
        this.source = source;
        ObjectNode request = Json.object().put("bulk_export_destination_id", exported.destination())
                .put("session_id", source.sessionId()).put("start_time", source.start().toString())
                .put("interval_hours", 1);
        this.schedule = exported.order(request);
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
        String status = exported.get(schedule).required("status").textValue();
        if (!status.equals("IntervalScheduled")) {
            throw new IllegalStateException("the schedule is " + status);
        }
    }

    @Override
    public List<String> wrong() {
        // What has become due since then may be there already, but must not.
        long due = Duration.between(source.start(), Instant.now().minus(DELAY)).toHours();
        List<JsonNode> windows = exported.madeBy(schedule).stream().sorted(Comparator.comparing(ScheduleWorkload::start)).toList();
        if (windows.size() < due) {
            return List.of(windows.size() + " of " + due + " windows were made");
        }
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < windows.size(); i++) {
            JsonNode window = windows.get(i);
            Instant start = source.start().plus(WINDOW.multipliedBy(i));
            Instant end = Instant.parse(window.required("end_time").textValue());
            if (!start(window).equals(start) || !end.equals(start.plus(WINDOW))) {
                wrong.add("instead of the window at " + start + " there is " + window);
            } else if (i < due) {
                wrong.addAll(exported.wrong(window.required("id").textValue(), source.between(start, end)));
            }
        }
        return wrong;
    }

    private static Instant start(JsonNode window) {
        return Instant.parse(window.required("start_time").textValue());
    }
}
