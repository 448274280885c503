package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.execution.CrashPoint.Step;
import dev.waybill.export.file.FileStoreFactory;
import io.restassured.path.json.JsonPath;

/** Exports to a second type of destination, whose store is registered by its factory. */
@ExportServiceTest
class FileExportTest {

    @AfterEach
    void disarm() {
        TestCrashPoint.disarm();
    }

    @Test
    void exportsToSecondDestinationType() throws IOException {
        Exports exports = toFiles();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(10), 300);

        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(3)), "");

        assertComplete(exports, id, 3);
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, names = { "PARTS_UPLOADED", "COMMITTED", "FILE_VISIBLE", "MANIFEST_WRITTEN" })
    void crashedWorkerIsReplacedAtSecondDestinationType(Step step) throws IOException {
        Exports exports = toFiles();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 300);
        TestCrashPoint.once(exports.tenantId(), step, () -> RecoveryTest.crash(exports));

        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        assertComplete(exports, id, 1);
    }

    private static void assertComplete(Exports exports, UUID id, int days) throws IOException {
        Path folder = directory(exports).resolve("objects").resolve(exports.folder(id));
        JsonPath manifest = JsonPath.from(folder.resolve("_manifest.json").toFile());
        assertThat(manifest.getInt("rows")).isEqualTo(300);
        assertThat(manifest.getList("files")).hasSize(days);
        assertThat(Duck.value(folder, "SELECT count(DISTINCT id) FROM files")).isEqualTo(300L);
        assertThat(Duck.value(folder, "SELECT count(*) FROM files")).isEqualTo(300L);
        try (Stream<Path> uploads = Files.list(directory(exports).resolve("uploads"))) {
            assertThat(uploads).isEmpty();
        }
    }

    /** Creates a destination of S3, because no public type is registered in tests, and changes its type. */
    private static Exports toFiles() {
        Exports exports = Exports.create();
        Traces.execute("UPDATE export.destinations SET destination_type = ?, bucket_name = ? WHERE tenant_id = ?",
                FileStoreFactory.TYPE, exports.prefix(), exports.tenantId());
        return exports;
    }

    private static Path directory(Exports exports) {
        return FileStoreFactory.directory(exports.prefix());
    }
}
