package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.storage.FreePort;

/**
 * Replicas with a lake: export-services that compact days as soon as they change, and an experiment-service that searches them.
 * The other services of the stack read PostgreSQL only, so their answers are the expected ones.
 */
final class LakeReplicas implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final String PREFIX = "lake-tests/";

    final ServiceProcess reader;
    final List<ServiceProcess> writers = new ArrayList<>();
    private final RunningStack running;
    private final List<Integer> debugPorts = new ArrayList<>();

    private LakeReplicas(RunningStack running, int writers) {
        this.running = running;
        this.reader = running.stack.add(withLake(Replica.of(ServiceKind.EXPERIMENT, "experiment-service-lake")));
        for (int i = 0; i < writers; i++) {
            int port = FreePort.find();
            debugPorts.add(port);
            this.writers.add(running.stack.add(withLake(Replica.of(ServiceKind.EXPORT, "export-service-lake-" + i))
                    .option(Debugger.option(port))
                    .property("waybill.export.execution.lease-ttl", "4s")
                    .property("waybill.lake.close-after", "0s")));
        }
    }

    static LakeReplicas start(RunningStack running, int writers) {
        LakeReplicas replicas = new LakeReplicas(running, writers);
        replicas.writers.forEach(ServiceProcess::start);
        replicas.reader.start();
        replicas.writers.forEach(ServiceProcess::awaitReady);
        replicas.reader.awaitReady();
        return replicas;
    }

    Debugger debug(int writer) {
        return Debugger.attach(debugPorts.get(writer));
    }

    /** Waits until the files of all days of a workspace are valid. */
    void awaitValid(Workspace workspace, int days) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(TableText.value("""
                SELECT count(*) FROM lake.compactions AS c
                WHERE tenant_id = '%s' AND state = 'compacted' AND NOT EXISTS (
                    SELECT FROM trace.lake_changes AS l WHERE l.tenant_id = c.tenant_id AND l.day = c.day
                        AND NOT pg_visible_in_snapshot(l.xid, c.snapshot::pg_snapshot))""".formatted(workspace.tenantId())))
                .isEqualTo(Integer.toString(days)));
    }

    /**
     * Waits until the bucket contains nothing but the recorded files of a workspace, their indexes, and what its table refers
     * to. Other obsolete files are deleted at once.
     */
    void assertNothingDangles(Workspace workspace) {
        String prefix = PREFIX + "runs/tenant_id=" + workspace.tenantId() + "/";
        try (Bucket bucket = running.bucket()) {
            await().atMost(TIMEOUT).untilAsserted(() -> {
                TableText.value("WITH aged AS (UPDATE lake.obsolete_files SET obsolete_since = now() - interval '2 hours'"
                        + " WHERE tenant_id = '" + workspace.tenantId() + "' RETURNING 1) SELECT count(*) FROM aged");
                List<String> recorded = recordedKeys(workspace);
                List<String> known = TableText.query("SELECT key FROM lake.obsolete_files WHERE in_table AND tenant_id = '"
                        + workspace.tenantId() + "'");
                known.addAll(recorded);
                known.add(prefix + "metadata/");
                List<String> stored = bucket.keys(prefix);
                assertThat(stored).containsAll(recordedObjects(workspace))
                        .allMatch(key -> known.stream().anyMatch(key::startsWith), "starts with a known key");
                assertThat(bucket.countIncompleteUploads(prefix)).isZero();
            });
        }
    }

    /** Returns the keys of the files of a workspace, in order. */
    static List<String> recordedKeys(Workspace workspace) {
        return TableText.query("SELECT key FROM lake.files WHERE tenant_id = '" + workspace.tenantId() + "' ORDER BY key");
    }

    private static List<String> recordedObjects(Workspace workspace) {
        return TableText.query("SELECT key || suffix FROM lake.files CROSS JOIN (VALUES (''), ('.index')) AS object (suffix)"
                + " WHERE tenant_id = '" + workspace.tenantId() + "' AND (suffix = '' OR index_bytes IS NOT NULL)");
    }

    /** Limits the size of files that the reader can write; further writes fail as on a full disk. */
    void limitFilesOfReader(String bytes) throws IOException, InterruptedException {
        Process limit = new ProcessBuilder("prlimit", "--pid", Long.toString(reader.pid()), "--fsize=" + bytes + ":")
                .inheritIO().start();
        assertThat(limit.waitFor()).isZero();
    }

    /** Returns the value of a counter of a replica; 0 if it does not exist. */
    static double counter(ServiceProcess replica, String name, String label, String value) {
        try (Http http = new Http()) {
            String text = http.send("GET", replica.managementAddress().resolve("/q/metrics"), null, null).body();
            Matcher found = Pattern.compile("(?m)^" + name + "\\{[^}]*" + label + "=\"" + value + "\"[^}]*} (\\S+)")
                    .matcher(text);
            return found.find() ? Double.parseDouble(found.group(1)) : 0;
        }
    }

    private static Replica withLake(Replica replica) {
        return replica.property("waybill.lake.bucket", Stack.BUCKET).property("waybill.lake.prefix", PREFIX);
    }

    @Override
    public void close() {
        writers.forEach(ServiceProcess::stop);
        reader.stop();
    }
}
