package dev.waybill.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Upload of an experiment; valid by default. */
public final class TestUpload {

    private final Map<String, Object> members = new LinkedHashMap<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();

    private TestUpload() {
        members.put("experiment_name", "experiment " + UUID.randomUUID());
        members.put("experiment_start_time", "2026-11-20T08:00:00Z");
        members.put("experiment_end_time", "2026-11-20T09:00:00Z");
        members.put("dataset_name", "dataset " + UUID.randomUUID());
        members.put("results", rows);
    }

    public static TestUpload ofRows(int count) {
        TestUpload upload = new TestUpload();
        for (int i = 0; i < count; i++) {
            upload.add(row());
        }
        return upload;
    }

    public static Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("row_id", UUID.randomUUID().toString());
        row.put("inputs", Map.of("question", "why?"));
        row.put("expected_outputs", Map.of("answer", "because"));
        row.put("actual_outputs", Map.of("answer", "so"));
        row.put("evaluation_scores", List.of(Map.of("key", "correctness", "score", 0.5)));
        row.put("start_time", "2026-11-20T08:10:00");
        row.put("end_time", "2026-11-20T08:10:01.5");
        return row;
    }

    public TestUpload with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    public TestUpload without(String member) {
        members.remove(member);
        return this;
    }

    public TestUpload add(Map<String, Object> row) {
        rows.add(row);
        return this;
    }

    /** Returns the modifiable row at {@code position}. */
    public Map<String, Object> rowAt(int position) {
        return rows.get(position);
    }

    public Object get(String member) {
        return members.get(member);
    }

    public Map<String, Object> members() {
        return members;
    }

    public String json() {
        return TestRun.json(members);
    }
}
