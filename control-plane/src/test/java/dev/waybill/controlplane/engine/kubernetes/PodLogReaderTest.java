package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.LogLevel;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.mockwebserver.http.MockResponse;

/** The output of pods, with fabric8's mock server. */
class PodLogReaderTest {

    private static final Pattern TAIL = Pattern.compile("/log\\?.*tailLines=([0-9]+)");

    private final Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS).minus(Duration.ofHours(1)).plusNanos(1);
    private final String output = time + " INFO first\n" + time.plusSeconds(1) + " ERROR key-of-the-customer is wrong\n"
            + time.plusSeconds(2) + " \tat agent\n";

    @TempDir
    private Path folder;
    private KubernetesEngineFixture fixture;
    private RevisionSpec plan;

    @BeforeEach
    void start() throws IOException {
        fixture = new KubernetesEngineFixture(folder, Map.of());
        plan = fixture.deployed(1);
        fixture.cluster.setLog("application", output);
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void outputOfThePodsIsReturnedWithoutNamesAndSecrets() {
        ServerLog log = read(new ServerLogQuery(null, 10, true, "", null, null));

        assertThat(log.lines()).extracting(ServerLog.Line::text).containsExactly("INFO first", "ERROR *** is wrong",
                " at agent");
        assertThat(log.lines().getFirst().at()).isEqualTo(time);
        assertThat(log.lines()).allSatisfy(line -> assertThat(line.instance()).matches("[0-9a-f]{8}"));
    }

    @Test
    void linesAreSelectedByLevelTextAndTime() {
        Instant since = time.plusMillis(500);

        assertThat(read(new ServerLogQuery(null, 10, true, "", LogLevel.ERROR, null)).lines()).hasSize(2);
        assertThat(read(new ServerLogQuery(null, 10, true, "FIRST", null, null)).lines()).hasSize(1);
        assertThat(read(new ServerLogQuery(null, 10, true, "", null, since)).lines()).hasSize(2);
        assertThat(read(new ServerLogQuery(null, 10, true, "the-customer", null, null)).lines()).isEmpty();
    }

    @Test
    void pagesContinueAtTheirPosition() {
        ServerLog first = read(new ServerLogQuery(0L, 2, false, "", null, null));
        ServerLog second = read(new ServerLogQuery(first.next(), 2, false, "", null, null));
        ServerLog last = read(new ServerLogQuery(second.next(), 2, false, "", null, null));

        assertThat(first.lines()).hasSize(2);
        assertThat(second.lines()).extracting(ServerLog.Line::text).containsExactly(" at agent");
        assertThat(last.lines()).isEmpty();
    }

    @Test
    void newLinesAreHeldBackAndThenReturnedOnce() {
        // Given
        ServerLogQuery query = new ServerLogQuery(null, 10, true, "", null, null);
        ServerLog before = read(query);
        fixture.cluster.setLog("application", output + time.plus(Duration.ofHours(2)) + " new\n");

        // When
        ServerLog tooEarly = read(query.after(before.next(), 10));
        fixture.clock.advance(Duration.ofHours(2));
        ServerLog later = read(query.after(tooEarly.next(), 10));
        ServerLog again = read(query.after(later.next(), 10));

        // Then
        assertThat(tooEarly.lines()).isEmpty();
        assertThat(later.lines()).extracting(ServerLog.Line::text).containsExactly("new");
        assertThat(again.lines()).isEmpty();
    }

    @Test
    void olderLinesAreReturnedWhereTheNewestAreHeldBack() {
        // Given
        StringBuilder fast = new StringBuilder(output);
        for (int i = 0; i < 50; i++) {
            fast.append(fixture.clock.instant().minusMillis(500).plusMillis(i)).append(" new\n");
        }
        List<String> tails = new CopyOnWriteArrayList<>();
        fixture.cluster.intercept(request -> {
            Matcher tail = TAIL.matcher(request.getPath());
            if (!tail.find()) {
                return null;
            }
            tails.add(tail.group(1));
            List<String> lines = fast.toString().lines().toList();
            int first = Math.max(0, lines.size() - Integer.parseInt(tail.group(1)));
            return new MockResponse().setResponseCode(200)
                    .setBody(String.join("\n", lines.subList(first, lines.size())) + "\n");
        });

        // When
        ServerLog log = read(new ServerLogQuery(null, 2, true, "", null, null));

        // Then
        assertThat(log.lines()).extracting(ServerLog.Line::text).containsExactly("ERROR *** is wrong", " at agent");
        assertThat(tails).containsExactly("2", "16", "128");
    }

    @Test
    void linesOfTheSameMicrosecondAreOnTheSamePage() {
        fixture.cluster.setLog("application", time + " a\n" + time.plusNanos(10) + " b\n" + time.plusSeconds(1) + " c\n");

        ServerLog first = read(new ServerLogQuery(0L, 1, false, "", null, null));
        ServerLog second = read(new ServerLogQuery(first.next(), 1, false, "", null, null));

        assertThat(first.lines()).extracting(ServerLog.Line::text).containsExactly("a", "b");
        assertThat(second.lines()).extracting(ServerLog.Line::text).containsExactly("c");
    }

    @Test
    void outputBeforeARestartIsReturnedToo() {
        // Given
        fixture.cluster.setLog("application before", time.minusSeconds(9) + " FATAL out of memory\n");
        fixture.cluster.pod(ObjectNames.revision(plan.revisionId()),
                PodFixture.pod().running("application", 1, "OOMKilled", 137).status());

        // Then
        assertThat(read(new ServerLogQuery(null, 10, true, "", null, null)).lines()).extracting(ServerLog.Line::text)
                .startsWith("FATAL out of memory", "INFO first");
    }

    @Test
    void unreachableNodeAndUnknownRevisionHaveNoLines() {
        // Given
        ApplicationId unknown = new ApplicationId(plan.tenantId(), plan.deploymentId(), UUID.randomUUID());
        List<String> paths = new CopyOnWriteArrayList<>();
        fixture.cluster.intercept(request -> {
            if (!request.getPath().contains("/log?")) {
                return null;
            }
            paths.add(request.getPath());
            return FakeCluster.error(500, "dial tcp: connection refused");
        });

        // Then
        assertThat(read(new ServerLogQuery(null, 7, true, "", null, null)).lines()).isEmpty();
        assertThat(paths).singleElement().asString().contains("tailLines=7", "timestamps=true", "container=application");
        assertThat(KubernetesEngineFixture.await(fixture.engine.serverLog(unknown,
                new ServerLogQuery(null, 10, true, "", null, null), Redaction.NONE)).lines()).isEmpty();
    }

    private ServerLog read(ServerLogQuery query) {
        return KubernetesEngineFixture.await(fixture.engine.serverLog(
                new ApplicationId(plan.tenantId(), plan.deploymentId(), plan.revisionId()), query,
                Redaction.of(KubernetesEngineFixture.SECRETS.values())));
    }
}
