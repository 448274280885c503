package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

class ComparisonCacheTest {

    private static final long QUARTER = ComparisonCache.MAX_WORKSPACE_BYTES / 4;

    private final ComparisonCache cache = new ComparisonCache();

    @Test
    void valueIsFoundForTheSameStateAndPartOnly() {
        // Given
        UUID workspace = UUID.randomUUID();
        cache.add(key(workspace, "state", "part"), "value", 10);

        // Then
        assertThat(cache.find(key(workspace, "state", "part"), String.class)).isEqualTo("value");
        assertThat(cache.find(key(workspace, "other", "part"), String.class)).isNull();
        assertThat(cache.find(key(workspace, "state", "other"), String.class)).isNull();
        assertThat(cache.find(key(UUID.randomUUID(), "state", "part"), String.class)).isNull();
    }

    @Test
    void workspaceEvictsItsOwnLeastRecentlyUsedValues() {
        // Given
        UUID small = UUID.randomUUID();
        UUID large = UUID.randomUUID();
        cache.add(key(small, "state", "only"), "value", QUARTER);
        cache.add(key(large, "state", "first"), "value", QUARTER);
        cache.add(key(large, "state", "second"), "value", QUARTER);

        // When
        cache.find(key(large, "state", "first"), String.class);
        cache.add(key(large, "state", "third"), "value", QUARTER);
        cache.add(key(large, "state", "fourth"), "value", QUARTER);

        // Then
        assertThat(cache.find(key(large, "state", "second"), String.class)).isNull();
        assertThat(cache.find(key(large, "state", "first"), String.class)).isNotNull();
        assertThat(cache.find(key(large, "state", "fourth"), String.class)).isNotNull();
        assertThat(cache.find(key(small, "state", "only"), String.class)).isNotNull();
    }

    @Test
    void allWorkspacesTogetherAreBounded() {
        // Given
        List<UUID> workspaces = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());

        // When
        workspaces.forEach(workspace -> cache.add(key(workspace, "state", "part"), "value", 3 * QUARTER));
        cache.add(key(workspaces.getLast(), "state", "too large"), "value", 5 * QUARTER);

        // Then
        assertThat(cache.find(key(workspaces.getFirst(), "state", "part"), String.class)).isNull();
        assertThat(cache.find(key(workspaces.get(1), "state", "part"), String.class)).isNotNull();
        assertThat(cache.find(key(workspaces.getLast(), "state", "too large"), String.class)).isNull();
    }

    private static ComparisonCache.Key key(UUID workspace, String state, String part) {
        return new ComparisonCache.Key(workspace, new ContentDigest().add(state, part).toHex());
    }
}
