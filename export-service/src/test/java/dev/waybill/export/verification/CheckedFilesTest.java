package dev.waybill.export.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.export.MismatchKind;
import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.verification.CheckedFiles.Checkpoint;
import dev.waybill.export.verification.CheckedFiles.FileResult;

class CheckedFilesTest {

    private static final Checkpoint START = new Checkpoint(0, 0, 0, Mismatches.NONE);
    private static final List<ManifestInput.File> FILES = IntStream.range(0, 5)
            .mapToObj(i -> new ManifestInput.File("file " + i, 10, 100, "aa", Instant.EPOCH, Instant.EPOCH)).toList();

    @Test
    void checkpointEndsBeforeTheFirstFileWithoutResult() {
        CheckedFiles checked = new CheckedFiles(FILES, START);

        checked.add(new FileResult(1, 10, null));
        checked.add(new FileResult(2, 0, mismatch("file 2")));
        assertThat(checked.checkpoint()).isEqualTo(START);

        checked.add(new FileResult(0, 10, null));
        assertThat(checked.checkpoint()).isEqualTo(new Checkpoint(3, 300, 20, Mismatches.of(mismatch("file 2"))));
    }

    @Test
    void nextAttemptContinuesAfterTheCheckpoint() {
        CheckedFiles checked = new CheckedFiles(FILES, new Checkpoint(3, 300, 20, Mismatches.of(mismatch("file 2"))));

        checked.add(new FileResult(4, 0, mismatch("file 4")));
        checked.add(new FileResult(3, 10, null));

        assertThat(checked.checkpoint())
                .isEqualTo(new Checkpoint(5, 500, 30, new Mismatches(List.of(mismatch("file 2"), mismatch("file 4")), 2)));
    }

    private static ObjectMismatch mismatch(String path) {
        return new ObjectMismatch(path, MismatchKind.MISSING, "It is missing.", 100L, null, "aa", null);
    }
}
