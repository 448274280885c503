package dev.waybill.local.soak.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** Exports of some days, one after the other has ended. */
final class ExportWorkload implements Workload {

    private static final List<String> FORMATS = List.of("v1", "v2_beta");

    private final ExportClient exported;
    private final SourceSession source;
    private final Map<String, List<String>> ordered = new ConcurrentHashMap<>();
    private int steps;

    ExportWorkload(ExportClient exported, SourceSession source) {
        this.exported = exported;
        this.source = source;
    }

    @Override
    public String name() {
        return "exports";
    }

    @Override
    public int pauseMillis() {
        return 200;
    }

    @Override
    public void step() {
        Instant from = source.start().plusSeconds(60L * (steps % 7));
        ObjectNode request = Json.object().put("bulk_export_destination_id", exported.destination())
                .put("session_id", source.sessionId()).put("start_time", from.toString())
                .put("end_time", source.end().toString()).put("format_version", FORMATS.get(steps % FORMATS.size()));
        steps++;
        String export = exported.order(request);
        ordered.put(export, source.between(from, source.end()));
        exported.awaitEnd(export);
    }

    @Override
    public List<String> wrong() {
        List<String> wrong = new ArrayList<>(exported.leftOver());
        ordered.forEach((export, rows) -> wrong.addAll(exported.wrong(export, rows)));
        return wrong;
    }
}
