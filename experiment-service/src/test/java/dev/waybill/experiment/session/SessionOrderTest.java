package dev.waybill.experiment.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.page.PageParameters;
import dev.waybill.experiment.session.RunStatisticsRepository.RunStatistics;
import dev.waybill.experiment.session.SessionQuery.SessionOrder;

/** Tests lists of sessions that are sorted by a statistic of their runs. */
class SessionOrderTest {

    private static final UUID FAST = UUID.fromString("ffffffff-0000-4000-8000-000000000001");
    private static final UUID SLOW = UUID.fromString("00000000-0000-4000-8000-000000000002");
    private static final UUID OTHER = UUID.fromString("10000000-0000-4000-8000-000000000003");
    private static final UUID EMPTY = UUID.fromString("20000000-0000-4000-8000-000000000004");
    private static final List<UUID> SESSIONS = List.of(EMPTY, SLOW, OTHER, FAST);
    private static final Map<UUID, RunStatistics> STATISTICS = Map.of(FAST, statistics(5, 1.0), SLOW, statistics(5, 3.0),
            OTHER, statistics(7, 2.0));

    @Test
    void sortsByTheStatisticWithMissingValuesLast() {
        assertThat(page(SessionOrder.LATENCY_P50, true, null, null)).containsExactly(SLOW, OTHER, FAST, EMPTY);
        assertThat(page(SessionOrder.LATENCY_P50, false, null, null)).containsExactly(FAST, OTHER, SLOW, EMPTY);
    }

    @Test
    void equalValuesAreSortedByIdAsInPostgres() {
        assertThat(page(SessionOrder.RUNS_COUNT, true, null, null)).containsExactly(OTHER, FAST, SLOW, EMPTY);
        assertThat(page(SessionOrder.RUNS_COUNT, false, null, null)).containsExactly(EMPTY, SLOW, FAST, OTHER);
    }

    @Test
    void returnsTheRequestedPage() {
        assertThat(page(SessionOrder.LATENCY_P50, true, "2", "1")).containsExactly(OTHER, FAST);
        assertThat(page(SessionOrder.LATENCY_P50, true, "2", "4")).isEmpty();
    }

    private static List<UUID> page(SessionOrder order, boolean descending, @Nullable String limit, @Nullable String offset) {
        return new SessionQuery(null, null, List.of(), List.of(), false, null, MetadataFilter.parse(null), order, descending,
                PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT)).page(SESSIONS, STATISTICS);
    }

    private static RunStatistics statistics(long runs, double latency) {
        return new RunStatistics(runs, latency, latency, null, null, null, null, null, null, null, null, null, 0.0, 0.0);
    }
}
