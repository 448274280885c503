package dev.waybill.soak.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** Creates exports of several days, one at a time. */
final class ExportWorkload implements Workload {

    private static final List<String> FORMATS = List.of("v1", "v2_beta");

    private final ExportClient exports;
    private final SourceSession source;
    private final Map<String, List<String>> expected = new ConcurrentHashMap<>();
    private int steps;

    ExportWorkload(ExportClient exports, SourceSession source) {
        this.exports = exports;
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
        ObjectNode request = Json.object().put("bulk_export_destination_id", exports.destination())
                .put("session_id", source.sessionId()).put("start_time", from.toString())
                .put("end_time", source.end().toString()).put("format_version", FORMATS.get(steps % FORMATS.size()));
        steps++;
        String export = exports.create(request);
        expected.put(export, source.expectedRows(from, source.end()));
        exports.awaitEnd(export);
    }

    @Override
    public List<String> differences() {
        List<String> differences = new ArrayList<>(exports.incompleteUploads());
        expected.forEach((export, rows) -> differences.addAll(exports.differences(export, rows)));
        return differences;
    }
}
