package dev.waybill.experiment.query;

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
import dev.waybill.experiment.run.RunField;
import dev.waybill.experiment.run.RunIds;

/** Makes a question of a request; finds everything that is wrong at once. */
final class RunQueryParser {

    /** What the public API always returns: clients cannot read a run without these. */
    private static final Set<RunField> ALWAYS = EnumSet.of(RunField.ID, RunField.NAME, RunField.RUN_TYPE, RunField.START_TIME,
            RunField.STATUS, RunField.TRACE_ID, RunField.DOTTED_ORDER, RunField.SESSION_ID, RunField.APP_PATH);

    private static final int MOST_IDS = 100;
    private static final int MOST_RUNS = 100;
    private static final int LONGEST_NAME_SHOWN = 40;

    private final List<Violation> violations = new ArrayList<>();
    private final RunConditions conditions;
    private final Set<RunField> select;

    private RunQueryParser(QueryRunsRequest request) {
        this.conditions = conditions(request);
        this.select = select(request.select());
    }

    /** What is wrong with the members; whose the cursor is, is asked when it is known who asks. */
    static List<Violation> violations(QueryRunsRequest request, Set<String> unread) {
        RunQueryParser read = new RunQueryParser(request);
        if (read.violations.isEmpty() && unread.isEmpty() && !read.conditions.leadsToRuns()) {
            return List.of(new Violation(List.of(),
                    "At least one of session, id, trace, parent_run and reference_example must be given", "missing"));
        }
        return read.violations;
    }

    /**
     * The question that a request without violations asks.
     *
     * @throws ProblemException 422 when its cursor is of another one
     */
    static RunQuery read(UUID tenantId, QueryRunsRequest request) {
        RunQueryParser read = new RunQueryParser(request);
        boolean descending = !"asc".equals(request.order());
        Optional<RunKey> after = Optional.ofNullable(request.cursor())
                .map(cursor -> new RunCursor(tenantId, read.conditions, descending).read(cursor)
                        .orElseThrow(RunQueryParser::foreignCursor));
        return new RunQuery(read.conditions, descending, request.limit() == null ? MOST_RUNS : request.limit(), read.select,
                after);
    }

    private static ProblemException foreignCursor() {
        return ProblemException.invalid(Violation.of("cursor", "is none of this question's: send cursors.next as it came, with"
                + " all else but limit and select as it was", "invalid"));
    }

    private RunConditions conditions(QueryRunsRequest request) {
        List<Filter> filters = new ArrayList<>();
        search(request.query()).ifPresent(filters::add);
        Optional.ofNullable(FilterMembers.read("filter", request.filter(), violations)).ifPresent(filters::add);
        return new RunConditions(ids("session", request.session()), ids("id", request.id()), request.trace(),
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

    // Clients send one id where there may be several.
    private List<UUID> ids(String member, @Nullable JsonNode given) {
        if (given == null || given.isNull()) {
            return List.of();
        }
        if (given.isTextual()) {
            return id(given, List.of(member)).map(List::of).orElse(List.of());
        }
        if (!given.isArray() || given.size() > MOST_IDS) {
            violations.add(Violation.of(member, "must be a UUID, or a list of at most " + MOST_IDS + " of them", "type"));
            return List.of();
        }
        Set<UUID> ids = new LinkedHashSet<>();
        for (int i = 0; i < given.size(); i++) {
            id(given.get(i), List.of(member, i)).ifPresent(ids::add);
        }
        return List.copyOf(ids);
    }

    private Optional<UUID> id(JsonNode given, List<Object> location) {
        Optional<UUID> id = given.isTextual() ? RunIds.parse(given.textValue()) : Optional.empty();
        if (id.isEmpty()) {
            violations.add(new Violation(location, "must be a UUID", "type"));
        }
        return id;
    }

    private Set<RunField> select(@Nullable List<String> names) {
        Set<RunField> select = EnumSet.copyOf(ALWAYS);
        for (int i = 0; names != null && i < names.size(); i++) {
            Optional<RunField> field = RunField.of(names.get(i));
            if (field.isPresent()) {
                select.add(field.get());
            } else {
                violations.add(new Violation(List.of("select", i), "\"" + shown(names.get(i)) + "\" is no member of a run: "
                        + Arrays.stream(RunField.values()).map(RunField::wireName).collect(Collectors.joining(", ")),
                        "unknown"));
            }
        }
        return names == null || names.isEmpty() ? EnumSet.allOf(RunField.class) : select;
    }

    // A name that was sent is repeated in the answer; a book that was sent is not.
    private static String shown(String name) {
        return name.codePointCount(0, name.length()) <= LONGEST_NAME_SHOWN ? name
                : name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME_SHOWN)) + "…";
    }
}
