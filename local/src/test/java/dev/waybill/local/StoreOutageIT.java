package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.storage.S3Server;

/** Tests an outage of the object store for a minute while exports run and are created. */
@Tag("full")
class StoreOutageIT {

    private static final Duration OUTAGE = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static Workspace workspace;
    private static ManyRuns runs;

    private final Http http = new Http();
    private final S3Server store = RunningStack.get().stack.s3();
    private boolean isStopped;

    @TempDir
    private Path folder;

    @BeforeAll
    static void addRuns() {
        workspace = Workspace.create("store-outage");
        runs = ManyRuns.add(workspace, 6_000);
    }

    @AfterAll
    static void deleteRuns() {
        workspace.deleteRuns();
    }

    @AfterEach
    void restart() {
        http.close();
        if (isStopped) {
            RunningStack.get().stack.restartS3();
        }
    }

    @Test
    void exportsSurviveOutageOfOneMinute() {
        // Given: more exports than run concurrently
        List<UUID> exports = new ArrayList<>(order(6));

        // When
        store.stop();
        isStopped = true;
        exports.addAll(order(3));
        List<Http.Response> rejected = List.of(post("/destinations", destination()),
                post("/destinations/" + runs.destination() + "/test", ""));
        await().during(OUTAGE).atMost(OUTAGE.plus(TIMEOUT)).pollInterval(Duration.ofSeconds(2))
                .until(() -> exports.stream().noneMatch(StoreOutageIT::hasFailed));
        List<UUID> affected = exports.stream().filter(export -> !runs.error(export, 1).isEmpty()).toList();
        RunningStack.get().stack.restartS3();
        isStopped = false;

        // Then
        assertThat(rejected).allSatisfy(response -> {
            assertThat(response.status()).as(response.body()).isEqualTo(400);
            assertThat(response.title()).isEqualTo("Invalid endpoint");
            assertThat(response.json().path("step").asText()).isEqualTo("connect");
        });
        assertThat(affected).isNotEmpty()
                .allSatisfy(export -> assertThat(runs.error(export, 1)).isIn("unreachable", "timeout"));
        for (int i = 0; i < exports.size(); i++) {
            runs.assertComplete(exports.get(i), folder.resolve("export-" + i));
        }
        assertThat(post("/destinations/" + runs.destination() + "/test", "").status()).isEqualTo(200);
    }

    private static List<UUID> order(int count) {
        return IntStream.range(0, count).mapToObj(n -> runs.order(workspace.exporter())).toList();
    }

    private static boolean hasFailed(UUID export) {
        BulkExportStatus status = workspace.exporter().get(export).status();
        return status.isFinal() && status != BulkExportStatus.COMPLETED;
    }

    private Http.Response post(String path, String body) {
        return http.send("POST",
                workspace.running().address(ServiceKind.EXPORT).resolve("/api/v1/bulk-exports" + path), workspace.apiKey(),
                body);
    }

    private static String destination() {
        var body = Json.object().put("destination_type", "s3").put("display_name", "During the outage");
        body.set("config", workspace.bucketConfig());
        body.putObject("credentials")
                .put("access_key_id", workspace.running().stack.secrets().s3AccessKeyId())
                .put("secret_access_key", workspace.running().stack.secrets().s3SecretAccessKey());
        return body.toString();
    }
}
