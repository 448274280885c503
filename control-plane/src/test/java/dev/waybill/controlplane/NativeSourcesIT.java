package dev.waybill.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import com.jcraft.jsch.JSch;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.testing.packaging.NativeSourcesChecks;

/** Reflection and resource registrations of libraries that load classes or resources by name. */
class NativeSourcesIT extends NativeSourcesChecks {

    NativeSourcesIT() {
        super("control-plane", "org.eclipse.jgit.util.FileUtils", "io.quarkus.jgit.runtime.graalvm.FileUtilsSubstitution");
    }

    @Test
    void sourcesAreReadFromDatabase() {
        assertThat(List.of(DeploymentSource.class.getName(), RevisionSource.class.getName())).allMatch(sources::isReflective);
    }

    @Test
    void everyAvailableSshAlgorithmIsRegistered() throws ReflectiveOperationException {
        Field field = JSch.class.getDeclaredField("config");
        field.setAccessible(true);
        List<String> algorithms = ((Map<?, ?>) field.get(null)).values().stream()
                .map(Object::toString)
                // The algorithms of "bc" need a library that is a test dependency only.
                .filter(name -> name.startsWith("com.jcraft.jsch.") && !name.startsWith("com.jcraft.jsch.bc."))
                .distinct()
                .filter(NativeSourcesIT::canBeMade)
                .toList();

        assertThat(algorithms).contains("com.jcraft.jsch.jce.SignatureEd25519", "com.jcraft.jsch.jce.XDH")
                .allMatch(sources::isReflective);
    }

    @Test
    void gitResourcesAreAvailable() {
        assertThat(sources.hasBundle("org.eclipse.jgit.internal.JGitText")).isTrue();
        assertThat(List.of("org.eclipse.jgit.internal.JGitText", "org.eclipse.jgit.lib.CoreConfig$TrustStat",
                "org.eclipse.jgit.transport.HttpConfig$HttpRedirectMode")).allMatch(sources::isReflective);
        assertThat(List.of("org.eclipse.jgit.internal.storage.file.WindowCache", "org.apache.http.impl.auth.NTLMEngineImpl",
                "org.apache.http.conn.ssl.SSLConnectionSocketFactory")).allMatch(sources::isInitializedAtRunTime);
        // Without it, certificates for whole public suffixes would be trusted.
        assertThat(sources.filesOfLibraries(Pattern.compile("mozilla/.+"))).isNotEmpty().allMatch(sources::hasResource);
    }

    @Test
    void kubernetesClientKnowsEngineKinds() {
        assertThat(List
                .of("apps.Deployment", "Service", "Secret", "ConfigMap", "Pod", "Event", "Status", "networking.v1.Ingress",
                        "autoscaling.v2.HorizontalPodAutoscaler", "IntOrString", "Quantity")
                .stream()
                .map(kind -> "io.fabric8.kubernetes.api.model." + kind)).allMatch(sources::isReflective);
        assertThat(sources.hasResource("META-INF/services/io.fabric8.kubernetes.api.model.KubernetesResource")).isTrue();
    }

    @Test
    void databaseDriversAndMigrationsAreIncluded() {
        assertThat(List.of("META-INF/services/org.flywaydb.core.extensibility.Plugin", "META-INF/services/java.sql.Driver",
                "META-INF/services/io.vertx.sqlclient.spi.Driver")).allMatch(sources::hasResource);
    }

    @Test
    void programIncludesTheReverseProxy() {
        assertThat(sources.classes().map(each -> each.thisClass().asInternalName()))
                .contains("dev/waybill/controlplane/ControlPlaneMain",
                        "dev/waybill/controlplane/engine/local/proxy/ReverseProxy");
        assertThat(sources.filesOfLibraries(Pattern.compile("io/vertx/httpproxy/HttpProxy.class"))).isNotEmpty();
    }

    private static boolean canBeMade(String name) {
        try {
            var constructor = Class.forName(name).getDeclaredConstructor();
            constructor.setAccessible(true);
            constructor.newInstance();
            return true;
        } catch (ReflectiveOperationException | LinkageError | RuntimeException _) {
            // Needs a library or operating system that is not available.
            return false;
        }
    }
}
