package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.client.RunsMultipart;
import dev.waybill.client.TraceClient;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** Runs of some days of a workspace, of which so many are large that PostgreSQL does not find words at once. */
final class LakeRuns {

    static final int DAYS = 3;

    private static final LocalDate FIRST_DAY = LocalDate.now(ZoneOffset.UTC).minusDays(DAYS + 2);
    private static final String SESSION = "runs";
    private static final int LARGE_RUNS = 500;
    private static final List<String> FILTERS = List.of("search(\"whale\")", "search(\"unknown\")",
            "and(search(\"whale\"), eq(name, \"patched\"))", "or(search(\"whale\"), has(tags, \"rare\"))",
            "and(eq(metadata_key, \"customer\"), eq(metadata_value, \"whale\"))");

    final Workspace workspace;
    private final TraceClient intake;
    private final UUID session;
    private final List<ObjectNode> sent = new ArrayList<>();

    private LakeRuns(Workspace workspace) {
        this.workspace = workspace;
        this.intake = workspace.client().traces(workspace.running().address(ServiceKind.EXPERIMENT));
        send(IntStream.range(0, DAYS).mapToObj(day -> run(start(day).plusSeconds(7), "fish")).toList());
        this.session = workspace.session(SESSION).id();
    }

    static LakeRuns create(String purpose) {
        LakeRuns runs = new LakeRuns(Workspace.create(purpose));
        runs.addLargeRuns();
        return runs;
    }

    private void addLargeRuns() {
        TableText
                .value("""
                        WITH text AS MATERIALIZED (SELECT string_agg(md5(i::text), ' ') AS t FROM generate_series(1, 20000) AS i),
                        added AS (
                            INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                                dotted_order, inputs, outputs)
                            SELECT '%1$s', gen_random_uuid(), '%2$s', '%3$s'::timestamptz + day * interval '24 hours' + i * interval '90 s',
                                '%3$s'::timestamptz + day * interval '24 hours' + i * interval '91 s', gen_random_uuid(), 'large', 'llm',
                                'success', 'x', '{"text": "' || substr(t, 1 + i * 997, 12000) || '"}',
                                '{"text": "' || CASE WHEN i %% 100 = 0 THEN 'Whale ' ELSE '' END || substr(t, 1 + i * 499, 12000) || '"}'
                            FROM text, generate_series(0, %4$d - 1) AS day, generate_series(1, %5$d) AS i
                            RETURNING 1)
                        SELECT count(*) FROM added"""
                        .formatted(workspace.tenantId(), session, start(0), DAYS, LARGE_RUNS));
    }

    /** Stores some runs in one transaction, also at the beginning and the end of days. */
    void store(Random random) {
        send(IntStream.rangeClosed(0, random.nextInt(5))
                .mapToObj(_ -> run(start(0).plusSeconds(Math.max(0, random.nextInt(1 + DAYS * 24) * 3_600L - 1)),
                        random.nextInt(3) == 0 ? "a whale" : "a fish"))
                .toList());
    }

    /** Patches a run. */
    void patch(Random random) {
        ObjectNode run = sent.get(random.nextInt(sent.size()));
        ObjectNode patch = run.objectNode().put("name", "patched").put("trace_id", run.get("trace_id").textValue())
                .put("dotted_order", run.get("dotted_order").textValue());
        patch.putObject("outputs").put("answer", random.nextBoolean() ? "the WHALE" : "the fish");
        intake.patchRun(UUID.fromString(run.get("id").textValue()), patch);
    }

    /** Changes the first run. */
    void changeFirst() {
        TableText.value("""
                WITH changed AS (
                    UPDATE trace.runs SET name = name || 'x' WHERE tenant_id = '%1$s' AND (start_time, id) = (
                        SELECT start_time, id FROM trace.runs WHERE tenant_id = '%1$s' ORDER BY start_time, id LIMIT 1)
                    RETURNING 1)
                SELECT count(*) FROM changed""".formatted(workspace.tenantId()));
    }

    /** Deletes a few runs as retention does. */
    void delete(Random random) {
        TableText
                .value("""
                        WITH chosen AS (SELECT id FROM trace.runs WHERE tenant_id = '%1$s' AND start_time >= '%2$s'
                            ORDER BY start_time, id OFFSET %3$d LIMIT 2),
                        deleted AS (DELETE FROM trace.runs AS r USING chosen WHERE r.tenant_id = '%1$s' AND r.id = chosen.id RETURNING 1)
                        SELECT count(*) FROM deleted"""
                        .formatted(workspace.tenantId(), start(random.nextInt(DAYS)),
                                random.nextInt(200)));
    }

    /** Asserts that all pages of a random search at a replica equal those of the service without a lake. */
    void assertSearchEqualsPostgreSql(Random random, ServiceProcess replica) {
        Instant from = random.nextBoolean() ? null : start(random.nextInt(2)).plusSeconds(random.nextInt(2) * 40_000);
        Instant to = random.nextBoolean() ? null : start(2 + random.nextInt(2)).minusSeconds(random.nextInt(2) * 40_000);
        assertSameRuns(query(FILTERS.get(random.nextInt(FILTERS.size())), from, to, random.nextBoolean() ? "asc" : "desc",
                1 + random.nextInt(100)), replica);
    }

    /** Asserts that a search of all days at a replica finds the runs that the service without a lake finds. */
    void assertSearchEqualsPostgreSql(ServiceProcess replica) {
        assertSameRuns(query("search(\"whale\")", null, null, "desc", 100), replica);
    }

    private void assertSameRuns(QueryRunsRequest query, ServiceProcess replica) {
        URI expected = workspace.running().address(ServiceKind.EXPERIMENT);
        assertThat(ids(query, replica.address())).as(query.toString()).isEqualTo(ids(query, expected));
    }

    private List<Object> ids(QueryRunsRequest query, URI service) {
        TraceClient client = workspace.client().traces(service);
        List<Object> ids = new ArrayList<>();
        String cursor = null;
        do {
            QueryRunsResponse page = client.queryRuns(query.withCursor(cursor));
            page.runs().forEach(run -> ids.add(String.valueOf(run.get("id"))));
            cursor = page.cursors().next();
        } while (cursor != null);
        return ids;
    }

    private QueryRunsRequest query(String filter, @Nullable Instant from, @Nullable Instant to, String order, int limit) {
        return new QueryRunsRequest(TextNode.valueOf(session.toString()), null, null, null, null, null, null, null, from, to,
                null, filter, null, null, order, limit, null, List.of("id"), true, null, null);
    }

    private void send(List<ObjectNode> runs) {
        RunsMultipart batch = new RunsMultipart();
        runs.forEach(batch::post);
        intake.postRunsMultipart(batch);
        sent.addAll(runs);
    }

    private static ObjectNode run(Instant start, String word) {
        ObjectNode run = (ObjectNode) HandmadeRun.in(SESSION, start).input("question", word).json();
        ((ObjectNode) run.at("/extra/metadata")).put("customer", word.replace("a ", ""));
        return run;
    }

    private static Instant start(int day) {
        return FIRST_DAY.plusDays(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
