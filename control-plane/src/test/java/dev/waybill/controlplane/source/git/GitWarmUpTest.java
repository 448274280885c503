package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.TestSourceConfig;
import dev.waybill.controlplane.source.git.GitRepositories.GitWarmUp;

class GitWarmUpTest {

    @TempDir
    private Path directory;

    @Test
    void warmUpReadsRepositoryAndLeavesNoFiles() throws IOException {
        // Given
        IsolatedSystemReader.install();

        // When
        Checkout read = GitWarmUp.run(directory, TestSourceConfig.usual().limits());

        // Then
        assertThat(read.entries()).isEqualTo(1);
        assertThat(read.bytes()).isEqualTo("first".length());
        assertThat(directory).isEmptyDirectory();
    }
}
