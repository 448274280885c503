package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {

    @TempDir
    private Path directory;

    @Test
    void aPortIsNobodyElsesWhileItsApplicationMayComeBack() throws IOException, InterruptedException {
        // Given: the system finds that of one that does not run just now free again
        Places places = new Places(directory);
        Iterator<Integer> free = List.of(5000, 5000, 5000, 5001).iterator();
        Ports ports = new Ports(places, free::next);
        Path one = revision(places);
        Path other = revision(places);

        // When
        int first = ports.choose(one);
        int again = ports.choose(one);
        int others = ports.choose(other);

        // Then
        assertThat(List.of(first, again, others)).containsExactly(5000, 5000, 5001);
        assertThat(Ports.of(other)).contains(5001);
    }

    private static Path revision(Places places) throws IOException, InterruptedException {
        Path folder = places.revision(UUID.randomUUID(), UUID.randomUUID());
        Places.create(folder);
        return folder;
    }
}
