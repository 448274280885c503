package dev.waybill.runtime.storage.sqlite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;

/** SQL of a search of threads. */
final class ThreadQuery {

    private static final String BUSY = """
             EXISTS (SELECT 1 FROM runs r WHERE r.thread_key = t.thread_key AND r.status IN ('pending', 'running'))
            """;

    private final StringBuilder where = new StringBuilder("WHERE t.owner = ?");
    private final List<@Nullable Object> parameters = new ArrayList<>();
    private final ThreadFilter filter;

    private ThreadQuery(Owner owner, ThreadFilter filter) {
        this.filter = filter;
        parameters.add(owner.name());
    }

    /** Returns the query of a filter. */
    static ThreadQuery of(Owner owner, ThreadFilter filter) {
        ThreadQuery query = new ThreadQuery(owner, filter);
        query.addIds();
        query.addStatus();
        query.addMetadata();
        query.addValues();
        return query;
    }

    /** Returns the query for the number of all matching threads. */
    String count() {
        return "SELECT count(*) FROM threads t " + where;
    }

    /** Returns the conditions, the order and the page. */
    String page() {
        String direction = filter.ascending() ? " ASC" : " DESC";
        String column = switch (filter.order()) {
            case THREAD_ID -> "t.thread_id";
            case STATUS -> "shown_status";
            case CREATED_AT -> "t.created_at";
            case UPDATED_AT -> "t.updated_at";
            case STATE_UPDATED_AT -> "coalesce(t.state_updated_at, 0)";
        };
        return where + " ORDER BY " + column + direction + ", t.thread_id" + direction + " LIMIT ? OFFSET ?";
    }

    /** Returns the parameters of {@link #count}. */
    @Nullable
    Object[] conditions() {
        return parameters.toArray();
    }

    /** Returns the parameters of {@link #page}. */
    @Nullable
    Object[] conditionsAndPage() {
        List<@Nullable Object> all = new ArrayList<>(parameters);
        all.add(filter.limit());
        all.add(filter.offset());
        return all.toArray();
    }

    private void addIds() {
        if (!filter.ids().isEmpty()) {
            where.append(" AND t.thread_id IN (").append(String.join(", ", Collections.nCopies(filter.ids().size(), "?")))
                    .append(')');
            parameters.addAll(filter.ids());
        }
    }

    private void addStatus() {
        ThreadStatus status = filter.status();
        if (status == ThreadStatus.BUSY) {
            where.append(" AND").append(BUSY);
        } else if (status != null) {
            where.append(" AND t.status = ? AND NOT").append(BUSY);
            parameters.add(status);
        }
    }

    private void addMetadata() {
        if (filter.metadata() != null) {
            JsonContainment containment = new JsonContainment();
            where.append(" AND ").append(containment.members("t.metadata", JsonText.parse(filter.metadata())));
            parameters.addAll(containment.parameters());
        }
    }

    private void addValues() {
        if (filter.values() == null) {
            return;
        }
        for (Map.Entry<String, JsonNode> member : JsonText.parse(filter.values()).properties()) {
            JsonContainment containment = new JsonContainment();
            String condition = containment.value("v.value", member.getValue());
            where.append(" AND EXISTS (SELECT 1 FROM thread_values v WHERE v.thread_key = t.thread_key AND v.channel = ? AND ")
                    .append(condition).append(')');
            parameters.add(member.getKey());
            parameters.addAll(containment.parameters());
        }
    }
}
