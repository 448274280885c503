package dev.waybill.controlplane.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFoldersTest {

    @TempDir
    private Path directory;

    @Test
    void onlyFoldersOfEndedProcessesAreRemoved() throws IOException {
        // Given: a folder of an ended process, one of a running process, and an unrelated folder
        Path abandoned = Files.createDirectories(directory.resolve("waybill-fetched-1/fetch-2/objects"));
        Files.writeString(abandoned.resolve("pack"), "half of it");
        Files.createSymbolicLink(abandoned.resolve("link"), directory);
        Files.writeString(directory.resolve("waybill-fetched-1/lock"), "");
        Path atWork = new TemporaryFolders(directory).create("fetch-");
        Path foreign = Files.createDirectory(directory.resolve("foreign"));

        // When
        Path own = new TemporaryFolders(directory).create("fetch-");

        // Then
        assertThat(directory.resolve("waybill-fetched-1")).doesNotExist();
        assertThat(atWork).isDirectory();
        assertThat(foreign).isDirectory();
        assertThat(own).isEmptyDirectory();
    }

    @Test
    void deletedProcessFolderIsCreatedAgain() throws IOException {
        // Given
        TemporaryFolders folders = new TemporaryFolders(directory);
        Path first = folders.create("fetch-");
        Path second = folders.create("commit-");

        // When
        TemporaryFolders.remove(folders.root());
        Path third = folders.create("fetch-");

        // Then
        assertThat(second.getParent()).isEqualTo(first.getParent());
        assertThat(first).doesNotExist();
        assertThat(third).isEmptyDirectory();
    }
}
