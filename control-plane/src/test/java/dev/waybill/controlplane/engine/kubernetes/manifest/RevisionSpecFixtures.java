package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.source.Credential;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Plans and configurations for tests of the engine. */
public final class RevisionSpecFixtures {

    public static final UUID WORKSPACE = UUID.fromString("0198c1a2-0000-7000-8000-000000000001");
    public static final UUID DEPLOYMENT = UUID.fromString("0198c1a2-0000-7000-8000-000000000002");
    public static final UUID REVISION = UUID.fromString("0198c1a2-0000-7000-8000-000000000003");
    public static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    public static final ResourceSpec DEFAULT_RESOURCES = new ResourceSpec(null, null, null, null, null, null);

    private RevisionSpecFixtures() {
    }

    /** Returns a configuration that sets only images. */
    public static KubernetesEngineConfig config() {
        return config(Map.of());
    }

    /** Returns a configuration with settings, named without the prefix {@code waybill.engine.kubernetes.}. */
    public static KubernetesEngineConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("images.node", "registry.example.com/waybill/node:1",
                "images.python", "registry.example.com/waybill/python:1",
                "images.all", "registry.example.com/waybill/all:1"));
        all.putAll(settings);
        Map<String, String> named = new HashMap<>();
        all.forEach((name, value) -> named.put("waybill.engine.kubernetes." + name, value));
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(KubernetesEngineConfig.class)
                .withDefaultValues(named)
                .build()
                .getConfigMapping(KubernetesEngineConfig.class);
    }

    public static Commit commit(@Nullable Credential credential) {
        return new Commit("https://git.example.com/acme/chat.git", COMMIT, "langgraph.json", credential, null, null);
    }

    /** Returns the plan of the deployment's first revision. */
    public static RevisionSpec plan(ApplicationSource source) {
        return plan(REVISION, 1, source, Map.of(), DEFAULT_RESOURCES);
    }

    public static RevisionSpec plan(UUID revision, long number, ApplicationSource source, Map<String, String> environment,
            ResourceSpec resources) {
        return new RevisionSpec(WORKSPACE, DEPLOYMENT, revision, number, "chat", source, environment, resources, 0,
                URI.create("https://chat.example.com"));
    }
}
