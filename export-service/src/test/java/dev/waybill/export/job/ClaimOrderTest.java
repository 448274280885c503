package dev.waybill.export.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.job.Lease;

/** The order in which runs are claimed (threat T14, docs/decisions/0018). */
class ClaimOrderTest {

    private ExportQueue queue = new ExportQueue(Map.of());

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void longExportsDoNotDelayAnotherWorkspace() {
        // Given
        UUID greedy = queue.workspace();
        IntStream.range(0, 100).forEach(i -> queue.create(greedy, 30));
        UUID small = queue.workspace();
        queue.create(small, 3);

        // When
        List<Lease> claimed = queue.claim(8);

        // Then
        assertThat(claimed).extracting(Lease::tenantId)
                .containsExactly(greedy, small, greedy, small, greedy, small, greedy, greedy);
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 3 })
    void workspacesAlternateWithFewWorkers(int workers) {
        // Given
        UUID greedy = queue.workspace();
        IntStream.range(0, 20).forEach(i -> queue.create(greedy, 30));
        UUID small = queue.workspace();
        queue.create(small, 5);
        List<Lease> busy = new ArrayList<>();
        List<UUID> served = new ArrayList<>();

        // When
        for (int i = 0; i < 10 + workers; i++) {
            if (busy.size() == workers) {
                queue.complete(busy.removeFirst());
            }
            Lease claimed = queue.claim().getFirst();
            busy.add(claimed);
            served.add(claimed.tenantId());
        }

        // Then: the workspaces alternate as long as both have due runs.
        assertThat(served.subList(0, 10)).filteredOn(small::equals).hasSize(5);
    }

    @Test
    void shortExportsDoNotDelayAnotherWorkspacesLongExport() {
        // Given
        UUID stream = queue.workspace();
        UUID waiting = queue.workspace();
        queue.create(waiting, 6);
        List<UUID> served = new ArrayList<>();

        // When
        for (int i = 0; i < 12; i++) {
            queue.create(stream, 1);
            Lease claimed = queue.claim().getFirst();
            served.add(claimed.tenantId());
            queue.complete(claimed);
        }

        // Then
        assertThat(served).filteredOn(waiting::equals).hasSize(6);
    }

    @Test
    void exportsOfAWorkspaceAlternate() {
        // Given
        UUID workspace = queue.workspace();
        UUID first = queue.create(workspace, 4);
        UUID second = queue.create(workspace, 4);
        List<String> served = new ArrayList<>();
        IntStream.range(0, 3).forEach(i -> served.add(claimedAndCompleted()));

        // When
        UUID late = queue.create(workspace, 1);
        IntStream.range(0, 4).forEach(i -> served.add(claimedAndCompleted()));

        // Then
        assertThat(served).containsExactly(first + "/0", second + "/0", first + "/1", second + "/1", first + "/2", late + "/0",
                second + "/2");
    }

    @Test
    void configuredLimitsApplyAndOldestStartsFirst() {
        // Given
        restart(Map.of("running-exports", "2", "running-runs", "3"));
        UUID workspace = queue.workspace();
        List<UUID> created = IntStream.range(0, 3).mapToObj(i -> queue.create(workspace, 10)).toList();
        UUID other = queue.workspace();
        UUID others = queue.create(other, 1);

        // When
        List<Lease> claimed = queue.claim(20);

        // Then
        assertThat(claimed).extracting(Lease::id).doesNotHaveDuplicates().hasSize(7);
        assertThat(claimed).extracting(lease -> queue.day(lease)).containsExactlyInAnyOrder(others + "/0",
                created.get(0) + "/0", created.get(0) + "/1", created.get(0) + "/2",
                created.get(1) + "/0", created.get(1) + "/1", created.get(1) + "/2");
        assertThat(status(created.get(2))).isEqualTo("Created");
    }

    @Test
    void longestWaitingExportStartsWhenOneEnds() {
        // Given
        restart(Map.of("running-exports", "1"));
        UUID workspace = queue.workspace();
        UUID running = queue.create(workspace, 2);
        UUID next = queue.create(workspace, 1);
        UUID last = queue.create(workspace, 1);
        queue.claim();

        // When
        cancel(workspace, running);
        List<Lease> claimed = queue.claim(3);

        // Then
        assertThat(claimed).extracting(lease -> queue.day(lease)).containsExactly(next + "/0");
        assertThat(status(last)).isEqualTo("Created");
    }

    @Test
    void runInBackoffDoesNotDelayOthers() {
        // Given
        UUID workspace = queue.workspace();
        UUID export = queue.create(workspace, 2);
        queue.execute("UPDATE export.runs SET next_attempt_at = now() + interval '1 hour' WHERE position = 0");

        // When
        List<Lease> claimed = queue.claim(2);

        // Then
        assertThat(claimed).extracting(lease -> queue.day(lease)).containsExactly(export + "/1");
        queue.execute("UPDATE export.runs SET next_attempt_at = now() WHERE position = 0");
        assertThat(queue.day(queue.claim().getFirst())).isEqualTo(export + "/0");
    }

    @Test
    void overdueRunsAreNotClaimed() {
        // Given
        UUID workspace = queue.workspace();
        UUID export = queue.create(workspace, 2);
        UUID run = queue.create(workspace, 2);
        queue.claim(4).forEach(lease -> queue.execute("UPDATE export.runs SET lease_until = NULL WHERE id = ?", lease.id()));

        // When
        queue.execute("UPDATE export.bulk_exports SET started_at = now() - interval '24 hours 1 second' WHERE id = ?", export);
        queue.execute("""
                UPDATE export.runs
                SET state = 'Running', started_at = now() - interval '4 hours 1 second'
                WHERE export_id = ? AND position = 0
                """, run);
        List<Lease> claimed = queue.claim(4);

        // Then
        assertThat(claimed).extracting(lease -> queue.day(lease)).containsExactly(run + "/1");
    }

    private String claimedAndCompleted() {
        Lease claimed = queue.claim().getFirst();
        queue.complete(claimed);
        return queue.day(claimed);
    }

    private void cancel(UUID workspace, UUID export) {
        dev.waybill.common.database.ReactiveDatabase.await(queue.service.cancel(workspace, export));
    }

    private Object status(UUID export) {
        return queue.query("SELECT status FROM export.bulk_exports WHERE id = ?", export);
    }

    private void restart(Map<String, String> limits) {
        queue.close();
        queue = new ExportQueue(limits);
    }
}
