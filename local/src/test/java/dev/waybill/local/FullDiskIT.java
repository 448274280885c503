package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.stack.ServiceKind;

/** Tests that exports do not use the local disk (F14). */
@Tag("full")
class FullDiskIT {

    private static final int RUNS = 3_000;

    private final Workspace workspace = Workspace.create("full-disk");

    @TempDir
    private Path folder;

    @Test
    void exportsWithoutWritableFiles() throws Exception {
        // Given
        ManyRuns runs = ManyRuns.add(workspace, RUNS);
        limitFiles("0");

        // When
        try {
            UUID export = runs.order(workspace.exporter());

            // Then
            runs.assertComplete(export, folder);
        } finally {
            limitFiles("unlimited");
            workspace.deleteRuns();
        }
    }

    /** Limits the size of files that the service can write; further writes fail as on a full disk. */
    private void limitFiles(String bytes) throws IOException, InterruptedException {
        long pid = workspace.running().stack.service(ServiceKind.EXPORT).pid();
        Process limit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--fsize=" + bytes + ":").inheritIO()
                .start();
        assertThat(limit.waitFor()).isZero();
    }
}
