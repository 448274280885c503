package dev.waybill.experiment;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Run in the format of tracing clients; by default a successful root run. */
public final class TestRun {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DateTimeFormatter SEGMENT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    private final UUID id = UUID.randomUUID();
    private final String dottedOrder;
    private final Map<String, Object> members = new LinkedHashMap<>();

    private TestRun(String parentOrder, UUID traceId, UUID parentId) {
        Instant start = Instant.parse("2026-11-20T08:00:00.123456Z");
        dottedOrder = parentOrder + SEGMENT.format(start) + id;
        members.put("id", id.toString());
        members.put("trace_id", (traceId == null ? id : traceId).toString());
        members.put("dotted_order", dottedOrder);
        if (parentId != null) {
            members.put("parent_run_id", parentId.toString());
        }
        members.put("name", "answer");
        members.put("run_type", "chain");
        members.put("start_time", "2026-11-20T08:00:00.123456Z");
        members.put("end_time", 1795161602500L);
        members.put("inputs", Map.of("question", "why?"));
        members.put("outputs", Map.of("answer", "because"));
    }

    public static TestRun root() {
        return new TestRun("", null, null);
    }

    public static TestRun below(TestRun parent) {
        return new TestRun(parent.dottedOrder + ".", UUID.fromString((String) parent.members.get("trace_id")), parent.id);
    }

    public UUID id() {
        return id;
    }

    public String dottedOrder() {
        return dottedOrder;
    }

    public TestRun with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    public TestRun without(String... names) {
        for (String name : names) {
            members.remove(name);
        }
        return this;
    }

    public Object get(String member) {
        return members.get(member);
    }

    /** Removes all members except those that identify the run in a patch. */
    public TestRun identityOnly() {
        members.keySet().retainAll(java.util.Set.of("id", "trace_id", "dotted_order", "parent_run_id"));
        return this;
    }

    public String json() {
        return json(members);
    }

    public Map<String, Object> members() {
        return members;
    }

    public static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
