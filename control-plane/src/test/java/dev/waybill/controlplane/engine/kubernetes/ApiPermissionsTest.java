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
import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.source.Credential.AccessToken;

/** docs/operations/kubernetes-engine.md "Rights in the cluster" lists exactly the permissions that the engine uses. */
class ApiPermissionsTest {

    private static final Pattern ROW = Pattern.compile("\\| (`?[a-z0-9.()]+`?) \\| `([a-z/]+)` \\| ([a-z, ]+) \\| .*");

    @TempDir
    private Path folder;

    @Test
    void engineUsesExactlyTheDocumentedPermissions() throws IOException {
        try (KubernetesEngineFixture fixture = new KubernetesEngineFixture(folder,
                Map.of("ingress.host", "{name}.apps.example.com"))) {
            // Given: all operations of the engine
            Commit source = (Commit) fixture.plan(1).source();
            RevisionSpec first = fixture.plan(1, source, new ResourceSpec(2, 4, null, null, null, null));
            fixture.prepare(first);
            fixture.cluster.pod(ObjectNames.revision(first.revisionId()), PodFixture.pod().running("fetch").status());
            fixture.deploy(first);
            RevisionSpec second = fixture.plan(2, new Commit(source.url(), source.id(), source.configPath(),
                    new AccessToken(KubernetesEngineFixture.TOKEN), "true", null));
            fixture.deploy(second);
            fixture.observe(second);
            KubernetesEngineFixture.await(fixture.engine.usage(
                    new ApplicationId(second.tenantId(), second.deploymentId(), second.revisionId())));
            fixture.stop(first.revisionId());
            fixture.stop();

            // When
            Set<String> listed = listed();

            // Then
            Patience.await().untilAsserted(() -> assertThat(own(fixture.cluster.requests())).isEqualTo(listed));
        }
    }

    /** Excludes the requests of the test in the role of the cluster. */
    private static Set<String> own(Set<String> requests) {
        Set<String> own = new TreeSet<>(requests);
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
