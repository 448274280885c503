package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.health.Seen;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import dev.waybill.controlplane.source.Credential.AccessToken;

/** docs/operations.md "Rights in the cluster" lists exactly what the engine asks for. */
class RightsTest {

    private static final Pattern ROW = Pattern.compile("\\| (`?[a-z0-9.()]+`?) \\| `([a-z/]+)` \\| ([a-z, ]+) \\| .*");

    @TempDir
    private Path folder;

    @Test
    void theEngineAsksForWhatIsListedAndForNothingElse() throws IOException {
        try (ClusterGround ground = new ClusterGround(folder, Map.of("ingress.host", "{name}.apps.example.com"))) {
            // Given: everything that an engine can come to do
            Commit source = (Commit) ground.plan(1).source();
            Plan first = ground.plan(1, source, new ResourceSpec(2, 4, null, null, null, null));
            ground.prepare(first);
            ground.cluster.pod(Names.revision(first.revisionId()), Seen.pod().running("fetch").status());
            ground.deploy(first);
            Plan second = ground.plan(2, new Commit(source.url(), source.id(), source.configPath(),
                    new AccessToken(ClusterGround.TOKEN), "true", null));
            ground.deploy(second);
            ground.observe(second);
            ground.stop(first.revisionId());
            ground.stop();

            // When
            Set<String> listed = listed();

            // Then
            Patience.await().untilAsserted(() -> assertThat(own(ground.cluster.asked())).isEqualTo(listed));
        }
    }

    /** Without what the test itself did in the part of the cluster. */
    private static Set<String> own(Set<String> asked) {
        Set<String> own = new TreeSet<>(asked);
        own.removeAll(Set.of(" pods create", " pods delete", " pods get", "apps deployments/status update",
                "apps deployments/status patch"));
        return own;
    }

    private static Set<String> listed() throws IOException {
        Set<String> listed = new TreeSet<>();
        boolean within = false;
        for (String line : Files
                .readAllLines(Path.of(System.getProperty("waybill.root"), "docs", "operations", "kubernetes-engine.md"))) {
            within = line.startsWith("#") ? line.equals("### Rights in the cluster") : within;
            Matcher row = ROW.matcher(line);
            if (within && row.matches()) {
                String group = row.group(1).equals("(core)") ? "" : row.group(1).replace("`", "");
                Arrays.stream(row.group(3).split(", ")).forEach(verb -> listed.add(group + " " + row.group(2) + " " + verb));
            }
        }
        return listed;
    }
}
