package dev.waybill.common.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

class ChangeSetTest {

    private static final UUID TENANT = new UUID(1, 1);

    private final ChangeSet changes = new ChangeSet();

    @Test
    void repeatedChangesCountOnce() {
        changes.add(change(TENANT, ChangeType.RUNS, 1));
        changes.add(change(TENANT, ChangeType.SESSION, 1));
        changes.add(change(TENANT, ChangeType.RUNS, 1));
        changes.add(change(new UUID(1, 2), ChangeType.RUNS, 1));

        assertThat(changes.drain()).hasSize(3);
        assertThat(changes.isEmpty()).isTrue();
    }

    @Test
    void manyResourcesBecomeOneChangeOfSeveral() {
        for (int i = 1; i <= 10_000; i++) {
            changes.add(change(TENANT, ChangeType.RUNS, i));
        }
        changes.add(change(TENANT, ChangeType.FEEDBACK, 7));

        assertThat(changes.drain()).containsExactlyInAnyOrder(
                new Change(TENANT, ChangeType.RUNS, Change.SEVERAL, null, null, null), change(TENANT, ChangeType.FEEDBACK, 7));
    }

    @Test
    void changeOfSeveralIncludesSingleOnes() {
        changes.add(change(TENANT, ChangeType.RUNS, 1));
        changes.add(change(TENANT, ChangeType.RUNS, 0));
        changes.add(change(TENANT, ChangeType.RUNS, 2));

        assertThat(changes.drain()).containsExactly(new Change(TENANT, ChangeType.RUNS, Change.SEVERAL, null, null, null));
    }

    private static Change change(UUID tenant, ChangeType type, long id) {
        return new Change(tenant, type, new UUID(0, id), new UUID(0, id), null, null);
    }
}
