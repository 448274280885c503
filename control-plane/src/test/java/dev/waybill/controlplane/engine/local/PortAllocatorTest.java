package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortAllocatorTest {

    @TempDir
    private Path directory;

    @Test
    void portStaysAllocatedWhileTheApplicationIsDown() throws IOException, InterruptedException {
        // Given: the system reports the port of a stopped application as free
        EnginePaths paths = new EnginePaths(directory);
        Iterator<Integer> free = List.of(5000, 5000, 5000, 5001).iterator();
        PortAllocator ports = new PortAllocator(paths, free::next);
        Path one = revision(paths);
        Path other = revision(paths);

        // When
        int first = ports.allocate(one);
        int again = ports.allocate(one);
        int others = ports.allocate(other);

        // Then
        assertThat(List.of(first, again, others)).containsExactly(5000, 5000, 5001);
        assertThat(PortAllocator.of(other)).contains(5001);
    }

    private static Path revision(EnginePaths paths) throws IOException, InterruptedException {
        Path folder = paths.revision(UUID.randomUUID(), UUID.randomUUID());
        EnginePaths.create(folder);
        return folder;
    }
}
