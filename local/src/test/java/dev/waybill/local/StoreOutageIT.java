package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.storage.S3Server;

/**
 * The bucket is away for a minute while exports are written and ordered: nothing is lost, and callers get documented answers.
 */
class StoreOutageIT {

    private static final Duration OUTAGE = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static Workspace workspace;
    private static ManyRuns runs;

    private final Http http = new Http();
    private final S3Server store = RunningStack.get().stack.s3();
    private boolean isAway;

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
    void comeBack() {
        http.close();
        if (isAway) {
            RunningStack.get().stack.restartS3();
        }
    }

    @Test
    void exportsOutliveAMinuteWithoutTheirBucket() {
        // Given: more than is written at once
        List<String> exports = new ArrayList<>(order(6));

        // When
        store.stop();
        isAway = true;
        exports.addAll(order(3));
        List<Http.Answer> refused = List.of(post("/destinations", destination()),
                post("/destinations/" + runs.destination() + "/test", ""));
        await().during(OUTAGE).atMost(OUTAGE.plus(PATIENCE)).pollInterval(Duration.ofSeconds(2))
                .until(() -> exports.stream().noneMatch(StoreOutageIT::hasEndedUncompleted));
        List<String> affected = exports.stream().filter(export -> !runs.error(export, 1).isEmpty()).toList();
        RunningStack.get().stack.restartS3();
        isAway = false;

        // Then
        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.title()).isEqualTo("Invalid endpoint");
            assertThat(answer.json().path("step").asText()).isEqualTo("connect");
        });
        assertThat(affected).isNotEmpty()
                .allSatisfy(export -> assertThat(runs.error(export, 1)).isIn("unreachable", "timeout"));
        for (int i = 0; i < exports.size(); i++) {
            runs.assertComplete(exports.get(i), folder.resolve("export-" + i));
        }
        assertThat(post("/destinations/" + runs.destination() + "/test", "").status()).isEqualTo(200);
    }

    private static List<String> order(int count) {
        return IntStream.range(0, count).mapToObj(n -> runs.order(workspace.exporter())).toList();
    }

    private static boolean hasEndedUncompleted(String export) {
        String status = workspace.exporter().get(export).path("status").asText();
        return !List.of("Created", "Running", "Completed").contains(status);
    }

    private Http.Answer post(String path, String body) {
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
