package dev.waybill.experiment.summary;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.Rows;

class RunSummaryReaderTest {

    @Test
    void runsOfHoursAboveTheMemoryLimitAreRead() throws SQLException {
        try (RandomRuns runs = new RandomRuns(3); Connection connection = runs.target().superuser()) {
            // Given
            for (int i = 0; i < 150; i++) {
                runs.change();
            }
            runs.endAllHours();
            runs.summarizeAll();
            UUID tenant = runs.tenants().getFirst();
            UUID session = runs.sessions().getFirst();
            Long expected = Long.valueOf(Rows.value(connection,
                    "SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND session_id = ?", tenant, session));

            // Then
            assertThat(countRuns(runs, tenant, session, SummaryReadRepository.SUMMARY_BYTES - 1)).isNull();
            assertThat(countRuns(runs, tenant, session, 4 * SummaryReadRepository.SUMMARY_BYTES)).isEqualTo(expected);
            assertThat(countRuns(runs, tenant, session, 1_000_000)).isEqualTo(expected);
        }
    }

    @Test
    void sessionsThatExceedTheLimitTogetherAreReadApart() throws SQLException {
        try (RandomRuns runs = new RandomRuns(3); Connection connection = runs.target().superuser()) {
            // Given
            for (int i = 0; i < 150; i++) {
                runs.change();
            }
            runs.endAllHours();
            runs.summarizeAll();
            UUID tenant = runs.tenants().getFirst();

            // When
            RunSummaryReader reader = new RunSummaryReader(new Blocking(), 4 * SummaryReadRepository.SUMMARY_BYTES, 1_000,
                    new AncestorLookups());
            BucketFigures figures = await(runs.database().inWorkspaceSnapshot(tenant, transaction -> reader.find(transaction,
                    tenant, runs.sessions(), null, null, Buckets.ONE, DurationSelection.ALL)));

            // Then
            assertThat(figures.bySession()).hasSameSizeAs(runs.sessions());
            for (UUID session : runs.sessions()) {
                assertThat(Rows.value(connection, "SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND session_id = ?",
                        tenant, session)).isEqualTo(Long.toString(figures.bySession().get(session).get(0L).all().runs()));
            }
        }
    }

    @Test
    void ancestorsOfAnyNumberAreLookedUp() throws SQLException {
        try (RandomRuns runs = new RandomRuns(3)) {
            // Given
            for (int i = 0; i < 300; i++) {
                runs.change();
            }
            runs.endAllHours();
            runs.summarizeAll();

            // When
            Map<UUID, Long> atOnce = tokens(runs, 1_000);
            Map<UUID, Long> oneByOne = tokens(runs, 1);

            // Then
            assertThat(oneByOne).hasSameSizeAs(runs.sessions()).isEqualTo(atOnce);
        }
    }

    @Test
    void rememberedAncestorsAreThoseOfTheSameSummaries() throws SQLException {
        try (RandomRuns runs = new RandomRuns(3)) {
            AncestorLookups lookups = new AncestorLookups(1, 1_000);
            RunSummaryReader reader = new RunSummaryReader(new Blocking(), 1_000_000, 1_000, lookups);
            int remembered = 0;
            for (int i = 0; i < 300; i++) {
                // Given
                runs.change();
                if (i % 10 == 9) {
                    runs.endAllHours();
                    runs.summarizeAll();
                }

                // Then
                assertThat(tokens(find(runs, runs.sessions(), reader))).isEqualTo(tokens(runs, 1_000));
                remembered = Math.max(remembered, lookups.size());
            }
            assertThat(remembered).isBetween(20, 1_000);
        }
    }

    @Test
    void sessionsWithTooManyAncestorsTogetherAreReadApart() throws SQLException {
        try (RandomRuns runs = new RandomRuns(3)) {
            // Given
            for (int i = 0; i < 300; i++) {
                runs.change();
            }
            runs.endAllHours();
            runs.summarizeAll();
            for (int i = 0; i < 20; i++) {
                runs.change();
            }

            // When, Then: with each limit, as many sessions as if each was read alone
            Set<Integer> sizes = new HashSet<>();
            for (int maxAncestors = 0; maxAncestors < 50; maxAncestors++) {
                Set<UUID> together = sessionsFound(runs, runs.sessions(), maxAncestors);
                Set<UUID> alone = new HashSet<>();
                for (UUID session : runs.sessions()) {
                    alone.addAll(sessionsFound(runs, List.of(session), maxAncestors));
                }
                assertThat(together).isEqualTo(alone);
                sizes.add(together.size());
            }
            assertThat(sizes).hasSizeGreaterThan(1).contains(runs.sessions().size());
        }
    }

    private static Set<UUID> sessionsFound(RandomRuns runs, List<UUID> sessions, int maxAncestors) {
        return find(runs, sessions, maxAncestors).bySession().keySet();
    }

    /** Returns the total tokens by session. */
    private static Map<UUID, Long> tokens(RandomRuns runs, int maxAncestors) {
        return tokens(find(runs, runs.sessions(), maxAncestors));
    }

    private static Map<UUID, Long> tokens(BucketFigures found) {
        Map<UUID, Long> tokens = new HashMap<>();
        found.bySession()
                .forEach((session, figures) -> tokens.put(session, figures.get(0L).all().totalTokens()));
        return tokens;
    }

    private static BucketFigures find(RandomRuns runs, List<UUID> sessions, int maxAncestors) {
        return find(runs, sessions, new RunSummaryReader(new Blocking(), 1_000_000, maxAncestors, new AncestorLookups()));
    }

    private static BucketFigures find(RandomRuns runs, List<UUID> sessions, RunSummaryReader reader) {
        UUID tenant = runs.tenants().getFirst();
        return await(runs.database().inWorkspaceSnapshot(tenant, connection -> reader.find(connection, tenant, sessions, null,
                null, Buckets.ONE, DurationSelection.ALL)));
    }

    /** Returns the number of runs; null if no summary is valid. */
    private static Long countRuns(RandomRuns runs, UUID tenant, UUID session, long maxBytes) {
        RunSummaryReader reader = new RunSummaryReader(new Blocking(), maxBytes, 1_000, new AncestorLookups());
        BucketFigures figures = await(runs.database().inWorkspaceSnapshot(tenant,
                connection -> reader.find(connection, tenant, List.of(session), null, null, Buckets.ONE,
                        DurationSelection.ALL)));
        RunFigures found = figures.bySession().getOrDefault(session, Map.of()).get(0L);
        return found == null ? null : found.all().runs();
    }
}
