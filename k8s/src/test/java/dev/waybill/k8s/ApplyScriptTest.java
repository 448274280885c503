package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code k8s/apply} with a fake kubectl that records its calls. */
class ApplyScriptTest {

    @TempDir
    Path folder;

    private Path calls;
    private String kind = "apps/v1";
    private String unavailable = "";
    private String output = "";
    private String rendered = "";

    @BeforeEach
    void createFakeKubectl() throws IOException {
        calls = folder.resolve("calls");
        Path kubectl = folder.resolve("kubectl");
        Files.writeString(kubectl, """
                #!/bin/sh
                echo "$*" >>'%s'
                case "$*" in
                    kustomize*) printf 'apiVersion: %%s\\nmetadata:\\n  namespace: waybill\\n%%s\\n' "$KIND" "$RENDERED" ;;
                    api-versions) [ -z "$UNAVAILABLE" ] && printf 'apps/v1\\npolicy/v1\\n' ;;
                    *dry-run=server*) [ -z "$REJECTS" ] ;;
                    "get -f"*) printf 'waybill Deployment control-plane\\nwaybill ConfigMap control-plane-new\\n' ;;
                    *replicasets*) printf 'control-plane-new control-plane-old' ;;
                    *part-of=waybill*) printf 'waybill %%s\\n' 'Deployment control-plane' 'Ingress api' \\
                        'ConfigMap control-plane-new' 'ConfigMap control-plane-old' 'ConfigMap control-plane-oldest' ;;
                esac
                """.formatted(calls));
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void dryRunPrecedesApplyAndBothAreStrict() throws Exception {
        assertThat(apply("", "dev")).isZero();

        assertThat(applyCalls()).hasSize(2).allMatch(call -> call.contains("--validate=strict"));
        assertThat(applyCalls().getFirst()).contains("--dry-run=server");
        assertThat(applyCalls().getLast()).doesNotContain("--dry-run");
    }

    @Test
    void appliesNothingIfDryRunFails() throws Exception {
        assertThat(apply("yes", "production")).isNotZero();

        assertThat(applyCalls()).singleElement().asString().contains("--dry-run=server");
    }

    @Test
    void optionDryRunAppliesNothing() throws Exception {
        assertThat(apply("", "--dry-run", "eu")).isZero();

        assertThat(applyCalls()).singleElement().asString().contains("--dry-run=server");
    }

    @ParameterizedTest
    @CsvSource({ "postgresql.cnpg.io/v1, the operator CloudNativePG", "gateway.networking.k8s.io/v1, the Gateway API",
            "autoscaling/v2, Kubernetes 1.30" })
    void unsupportedApiVersionFailsBeforeAnyChange(String version, String needed) throws Exception {
        kind = version;

        assertThat(apply("", "dev")).isEqualTo(1);

        assertThat(output).contains("does not serve " + version, needed);
        assertThat(Files.readAllLines(calls)).noneMatch(call -> call.startsWith("create ") || call.startsWith("apply "));
    }

    @Test
    void unavailableApiServerIsReported() throws Exception {
        unavailable = "yes";

        assertThat(apply("", "dev")).isEqualTo(1);

        assertThat(output).contains("does not respond");
    }

    @Test
    void reportsObjectsRemovedFromOverlay() throws Exception {
        assertThat(apply("", "dev")).isZero();

        assertThat(output.lines().filter(line -> line.contains("--prune"))).containsExactly(
                "k8s/apply: not part of this overlay: Ingress api in waybill (--prune deletes it)",
                "k8s/apply: not part of this overlay: ConfigMap control-plane-oldest in waybill (--prune deletes it)");
        assertThat(Files.readAllLines(calls)).noneMatch(call -> call.contains("delete"));
    }

    @Test
    void pruneDeletesObjectsRemovedFromOverlay() throws Exception {
        assertThat(apply("", "--prune", "dev")).isZero();

        assertThat(Files.readAllLines(calls).stream().filter(call -> call.contains("delete"))).containsExactly(
                "-n waybill delete Ingress api", "-n waybill delete ConfigMap control-plane-oldest");
    }

    @Test
    void warnsAboutUnpinnedImages() throws Exception {
        rendered = "      - image: waybill/control-plane:1.0\n        image: waybill/export-service@sha256:" + "a".repeat(64)
                + "\n  WAYBILL_ENGINE_KUBERNETES_IMAGES_ALL: waybill/runtime-all:1.0";

        assertThat(apply("", "production")).isZero();

        assertThat(output.lines().filter(line -> line.contains("not pinned"))).hasSize(2)
                .anyMatch(line -> line.contains("waybill/control-plane:1.0"))
                .anyMatch(line -> line.contains("waybill/runtime-all:1.0"));
    }

    @Test
    void rejectsReservedApiServerAddress() throws Exception {
        rendered = "        cidr: 192.0.2.1/32";

        assertThat(apply("", "production")).isEqualTo(1);

        assertThat(output).contains("api-server.yaml");
        assertThat(applyCalls()).isEmpty();
    }

    @Test
    void folderIsFoundFromAnyWorkingDirectory() throws Exception {
        assertThat(apply("", "examples/cloudnativepg")).isZero();

        assertThat(Files.readAllLines(calls).getFirst()).isEqualTo("kustomize "
                + ProjectFiles.ROOT.resolve("k8s/examples/cloudnativepg"));
    }

    @Test
    void missingOverlayPrintsUsage() throws Exception {
        assertThat(apply("", "nowhere")).isEqualTo(2);
        assertThat(calls).doesNotExist();
    }

    private List<String> applyCalls() throws IOException {
        return Files.readAllLines(calls).stream().filter(call -> call.startsWith("apply ")).toList();
    }

    private int apply(String rejects, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream
                .concat(Stream.of("bash", ProjectFiles.ROOT.resolve("k8s/apply").toString()), Stream.of(arguments)).toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.directory(folder.toFile());
        builder.environment().put("REJECTS", rejects);
        builder.environment().put("KIND", kind);
        builder.environment().put("UNAVAILABLE", unavailable);
        builder.environment().put("RENDERED", rendered);
        Process process = builder.start();
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }
}
