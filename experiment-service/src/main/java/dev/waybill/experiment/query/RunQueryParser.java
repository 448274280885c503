package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.run.RunField;

/** Converts a request to a query and collects all of its violations. */
final class RunQueryParser {

    /** Fields that are always returned; clients cannot parse a run without them. */
    private static final Set<RunField> REQUIRED_FIELDS = EnumSet.of(RunField.ID, RunField.NAME, RunField.RUN_TYPE,
            RunField.START_TIME,
            RunField.STATUS, RunField.TRACE_ID, RunField.DOTTED_ORDER, RunField.SESSION_ID, RunField.APP_PATH);

    private static final int MAX_IDS = 100;
    private static final int MAX_RUNS = 100;
    private static final int MAX_NAME_LENGTH = 40;

    private final List<Violation> violations = new ArrayList<>();
    private final Conditions conditions;
    private final Set<RunField> select;

    private RunQueryParser(QueryRunsRequest request) {
        this.conditions = conditions(request);
        this.select = select(request.select());
    }

    /** Returns the violations of the members except the cursor, whose check needs the workspace. */
    static List<Violation> violations(QueryRunsRequest request, Set<String> unread) {
        RunQueryParser parser = new RunQueryParser(request);
        if (parser.violations.isEmpty() && unread.isEmpty() && !parser.conditions.hasIndexedCondition()) {
            return List.of(new Violation(List.of(),
                    "At least one of session, id, trace, parent_run and reference_example must be given", "missing"));
        }
        return parser.violations;
    }

    /**
     * Parses a request without violations.
     *
     * @throws ProblemException 422 if the cursor belongs to another query
     */
    static RunQuery parse(UUID tenantId, QueryRunsRequest request) {
        RunQueryParser parser = new RunQueryParser(request);
        boolean descending = !"asc".equals(request.order());
        Optional<RunCursor.RunKey> after = Optional.ofNullable(request.cursor())
                .map(cursor -> new RunCursor(tenantId, parser.conditions, descending).decode(cursor)
                        .orElseThrow(RunQueryParser::invalidCursor));
        return new RunQuery(parser.conditions, descending, request.limit() == null ? MAX_RUNS : request.limit(), parser.select,
                after);
    }

    private static ProblemException invalidCursor() {
        return ProblemException.invalid(Violation.of("cursor", "does not belong to this query; send cursors.next unchanged,"
                + " and change no other member than limit and select", "invalid"));
    }

    private Conditions conditions(QueryRunsRequest request) {
        List<Filter> filters = new ArrayList<>();
        search(request.query()).ifPresent(filters::add);
        Optional.ofNullable(FilterMembers.read("filter", request.filter(), violations)).ifPresent(filters::add);
        return new Conditions(ids("session", request.session()), ids("id", request.id()), request.trace(),
                request.parentRun(), ids("reference_example", request.referenceExample()), request.runType(),
                request.isRoot(), request.error(), request.startTime(), request.endTime(), filters,
                FilterMembers.read("trace_filter", request.traceFilter(), violations),
                FilterMembers.read("tree_filter", request.treeFilter(), violations));
    }

    private Optional<Filter> search(@Nullable String query) {
        if (query == null || query.isBlank()) {
            return Optional.empty();
        }
        List<String> words = FilterParser.words(FilterParser.storable(query));
        if (words.size() > FilterParser.MAX_NODES || query.length() > FilterParser.MAX_LENGTH) {
            violations.add(Violation.of("query", "must have at most " + FilterParser.MAX_NODES + " words and "
                    + FilterParser.MAX_LENGTH + " characters", "invalid"));
        }
        return words.isEmpty() ? Optional.empty() : Optional.of(new Filter.Search(words));
    }

    // Clients may send a single id instead of a list.
    private List<UUID> ids(String member, @Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return List.of();
        }
        if (value.isTextual()) {
            return id(value, List.of(member)).map(List::of).orElse(List.of());
        }
        if (!value.isArray() || value.size() > MAX_IDS) {
            violations.add(Violation.of(member, "must be a UUID, or a list of at most " + MAX_IDS + " of them", "type"));
            return List.of();
        }
        Set<UUID> ids = new LinkedHashSet<>();
        for (int i = 0; i < value.size(); i++) {
            id(value.get(i), List.of(member, i)).ifPresent(ids::add);
        }
        return List.copyOf(ids);
    }

    private Optional<UUID> id(JsonNode value, List<Object> location) {
        Optional<UUID> id = value.isTextual() ? Texts.parseId(value.textValue()) : Optional.empty();
        if (id.isEmpty()) {
            violations.add(new Violation(location, "must be a UUID", "type"));
        }
        return id;
    }

    private Set<RunField> select(@Nullable List<String> names) {
        Set<RunField> select = EnumSet.copyOf(REQUIRED_FIELDS);
        for (int i = 0; names != null && i < names.size(); i++) {
            Optional<RunField> field = RunField.of(names.get(i));
            if (field.isPresent()) {
                select.add(field.get());
            } else {
                violations
                        .add(new Violation(
                                List.of("select", i), "\"" + truncate(names.get(i)) + "\" is not a field of a run; use one of "
                                        + Arrays.stream(RunField.values()).map(RunField::wireName)
                                                .collect(Collectors.joining(", ")),
                                "unknown"));
            }
        }
        return names == null || names.isEmpty() ? EnumSet.allOf(RunField.class) : select;
    }

    // Limits the length of request content that is repeated in the response.
    private static String truncate(String name) {
        return name.codePointCount(0, name.length()) <= MAX_NAME_LENGTH ? name
                : name.substring(0, name.offsetByCodePoints(0, MAX_NAME_LENGTH)) + "…";
    }

    /**
     * Query for one page of runs.
     *
     * @param descending whether the newest start time is first
     * @param select fields to return
     * @param after key after which the page begins
     * @param last key of the last run that the page may contain
     */
    record RunQuery(Conditions conditions, boolean descending, int limit, Set<RunField> select,
            Optional<RunCursor.RunKey> after, Optional<RunCursor.RunKey> last) {

        RunQuery(Conditions conditions, boolean descending, int limit, Set<RunField> select,
                Optional<RunCursor.RunKey> after) {
            this(conditions, descending, limit, select, after, Optional.empty());
        }

        /** Returns the query for those of its runs that have one of these ids. */
        RunQuery withIds(List<UUID> ids) {
            return new RunQuery(conditions.withIds(ids), descending, limit, select, after, last);
        }

        /** Returns the query for a part of its runs. */
        RunQuery between(Optional<RunCursor.RunKey> after, Optional<RunCursor.RunKey> last, int limit) {
            return new RunQuery(conditions, descending, limit, select, after, last);
        }
    }

    /**
     * Conditions of a query on runs; null or empty means no condition.
     *
     * @param from lower bound of the start time, inclusive
     * @param to upper bound of the start time, exclusive
     * @param filters on the run itself
     * @param traceFilter on the root run of its trace
     * @param treeFilter on any run of its trace
     */
    record Conditions(List<UUID> sessions, List<UUID> ids, @Nullable UUID trace, @Nullable UUID parent, List<UUID> examples,
            @Nullable String runType, @Nullable Boolean root, @Nullable Boolean failed, @Nullable Instant from,
            @Nullable Instant to, List<Filter> filters, @Nullable Filter traceFilter, @Nullable Filter treeFilter) {

        Conditions {
            sessions = List.copyOf(sessions);
            ids = List.copyOf(ids);
            examples = List.copyOf(examples);
            filters = List.copyOf(filters);
        }

        /** Returns whether an index supports at least one condition. */
        boolean hasIndexedCondition() {
            return !sessions.isEmpty() || hasNarrowCondition();
        }

        /** Returns whether the index of the sessions finds the runs. */
        boolean isBySession() {
            return !sessions.isEmpty() && !hasNarrowCondition();
        }

        /** Returns whether all runs or all root runs of one session match, possibly in a range of time. */
        boolean isWholeSession() {
            return sessions.size() == 1 && isBySession() && runType == null && !Boolean.FALSE.equals(root) && failed == null
                    && filters.isEmpty() && traceFilter == null && treeFilter == null;
        }

        Conditions withIds(List<UUID> others) {
            return new Conditions(sessions, others, trace, parent, examples, runType, root, failed, from, to, filters,
                    traceFilter,
                    treeFilter);
        }

        private boolean hasNarrowCondition() {
            return !ids.isEmpty() || trace != null || parent != null || !examples.isEmpty();
        }
    }
}
