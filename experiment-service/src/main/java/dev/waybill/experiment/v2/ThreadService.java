package dev.waybill.experiment.v2;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryThreadsRequest;
import dev.waybill.common.api.trace.ThreadPageResponse;
import dev.waybill.common.api.trace.ThreadResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.query.RunQueryService;
import dev.waybill.experiment.run.TextPreview;
import dev.waybill.experiment.v2.ThreadStatement.ThreadKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/** Queries threads and the traces of a thread. */
@Singleton
class ThreadService {

    private static final int DEFAULT_PAGE = 20;
    private static final Pattern CURSOR = Pattern.compile("(-?[0-9]{1,17})_([A-Za-z0-9_-]*)");

    private final RunQueryService queries;
    private final ProjectRepository projects;
    private final Clock clock;

    ThreadService(RunQueryService queries, ProjectRepository projects, Clock clock) {
        this.queries = queries;
        this.projects = projects;
        this.clock = clock;
    }

    /** Returns a page of the threads of a project; responds with 404 if the project does not exist. */
    Uni<ThreadPageResponse> query(UUID tenantId, QueryThreadsRequest request) {
        TimeWindow window = TimeWindow.of(request.minStartTime(), request.maxStartTime(), request.cursor(), clock);
        int limit = request.pageSize() == null ? DEFAULT_PAGE : request.pageSize();
        ThreadStatement statement = ThreadStatement.of(tenantId, request, window, key(window.cursor()), limit + 1);
        return projects.require(tenantId, request.projectId())
                .chain(() -> queries.read(tenantId, connection -> connection.preparedQuery(statement.text())
                        .execute(statement.values())))
                .map(rows -> Rows.list(rows, ThreadService::thread))
                .map(threads -> page(threads, limit, window));
    }

    /** Returns a page of the traces of a thread, oldest first; responds with 404 if the project does not exist. */
    Uni<ItemsResponse> traces(UUID tenantId, UUID projectId, String threadId, TracePage page) {
        List<Violation> violations = new ArrayList<>();
        FilterMembers.read("filter", page.filter(), violations);
        Set<ThreadTraceSelect> selects = RunSelect.SelectParser.read(page.selects(), ThreadTraceSelect.TRACE_ID,
                ThreadTraceSelect::of,
                violations);
        ProblemException.throwIfAny(violations);
        selects.add(ThreadTraceSelect.TRACE_ID);
        String ofThread = "eq(thread_id, " + JsonNodeFactory.instance.textNode(threadId) + ")";
        Set<RunSelect> members = selects.stream().map(ThreadTraceSelect::member)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(RunSelect.class)));
        QueryRunsRequest query = new QueryRunsRequest(RunV2Service.array(List.of(projectId)), null, null, null, null, null,
                true,
                null, null, null, null, page.filter() == null ? ofThread : "and(" + ofThread + ", " + page.filter() + ")", null,
                null, "asc", page.limit(), page.cursor(), RunSelect.fields(members), null, null, null);
        return projects.require(tenantId, projectId)
                .chain(() -> queries.queryNonEmpty(tenantId, query))
                .map(found -> new ItemsResponse(found.runs().stream()
                        .map(root -> ThreadTraceSelect.select(selects, root))
                        .toList(), found.cursors().next()));
    }

    private static ThreadPageResponse page(List<ThreadResponse> threads, int limit, TimeWindow window) {
        if (threads.size() <= limit) {
            return new ThreadPageResponse(threads, null);
        }
        ThreadResponse last = threads.get(limit - 1);
        return new ThreadPageResponse(threads.subList(0, limit), window.next(cursor(last.maxStartTime(), last.threadId())));
    }

    private static String cursor(Instant startTime, String threadId) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, startTime) + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(threadId.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable ThreadKey key(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches()) {
            throw TimeWindow.invalidCursor();
        }
        try {
            return new ThreadKey(Instant.EPOCH.plus(Long.parseLong(parts.group(1)), ChronoUnit.MICROS),
                    new String(Base64.getUrlDecoder().decode(parts.group(2)), StandardCharsets.UTF_8).replace('\0', '\ufffd'));
        } catch (IllegalArgumentException e) {
            throw TimeWindow.invalidCursor();
        }
    }

    private static ThreadResponse thread(Row row) {
        @Nullable
        Double[] latency = row.getArrayOfDoubles("latency");
        BigDecimal tokens = row.getBigDecimal("tokens");
        Instant start = row.getOffsetDateTime("min_start").toInstant();
        UUID first = row.getUUID("first_trace");
        return new ThreadResponse(row.getString("thread_id"), row.getLong("traces"), row.getLong("errored"), start, start,
                row.getOffsetDateTime("max_start").toInstant(), latency == null ? null : latency[0],
                latency == null ? null : latency[1], first, first, row.getUUID("last_trace"),
                TextPreview.ofInputs(row.getString("inputs")),
                TextPreview.ofOutputs(row.getString("outputs")), row.getString("error"),
                tokens == null ? null : tokens.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue(), row.getBigDecimal("cost"));
    }

    /** Filter, selected members and page of a list of traces. */
    record TracePage(@Nullable String filter, List<String> selects, int limit, @Nullable String cursor) {
    }
}
