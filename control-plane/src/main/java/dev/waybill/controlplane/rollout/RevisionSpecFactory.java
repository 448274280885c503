package dev.waybill.controlplane.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationEncryptor;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import dev.waybill.controlplane.rollout.RolloutState.Target;
import dev.waybill.controlplane.source.Credential;
import io.smallrye.mutiny.Uni;

/** Creates an engine's {@link RevisionSpec} from a revision's row, with decrypted secrets. */
@Singleton
class RevisionSpecFactory {

    private final IntegrationService integrations;
    private final IntegrationEncryptor integrationEncryptor;
    private final EnvironmentEncryptor environmentEncryptor;

    RevisionSpecFactory(IntegrationService integrations, IntegrationEncryptor integrationEncryptor,
            EnvironmentEncryptor environmentEncryptor) {
        this.integrations = integrations;
        this.integrationEncryptor = integrationEncryptor;
        this.environmentEncryptor = environmentEncryptor;
    }

    /** Returns the credential of the revision's repository; empty for a public one. */
    Uni<Optional<Credential>> credential(RolloutState state, Target target) {
        UUID id = target.source().integrationId();
        return id == null ? Uni.createFrom().item(Optional.empty())
                : integrations.get(state.tenantId(), id)
                        .map((Integration found) -> Optional.ofNullable(integrationEncryptor.credential(found)));
    }

    RevisionSpec plan(RolloutState state, Target target, @Nullable Credential credential) {
        return new RevisionSpec(state.tenantId(), state.id(), target.id(), target.number(), state.name(),
                source(target, credential), environment(state, target), resources(target.source().resourceSpec()),
                state.port(), state.url());
    }

    /** Returns the redaction of the revision's secrets. */
    Uni<Redaction> redaction(RolloutState state, Target target) {
        return credential(state, target)
                .map(credential -> redaction(environment(state, target), credential.orElse(null)));
    }

    private static Redaction redaction(Map<String, String> environment, @Nullable Credential credential) {
        List<String> secrets = new ArrayList<>(environment.values());
        if (credential != null) {
            secrets.add(credential.secret());
        }
        return Redaction.of(secrets);
    }

    private Map<String, String> environment(RolloutState state, Target target) {
        Map<String, String> environment = new TreeMap<>(
                environmentEncryptor.decrypt(target.secrets(), state.tenantId(), target.id()));
        Set<String> variables = target.platformVariables();
        environmentEncryptor.decrypt(state.platformSecrets(), state.tenantId(), state.id()).forEach((name, value) -> {
            if (variables == null || variables.contains(name)) {
                environment.put(name, value);
            }
        });
        return environment;
    }

    private static ApplicationSource source(Target target, @Nullable Credential credential) {
        RevisionSource revision = target.revision();
        if (target.kind() == SourceKind.EXTERNAL_DOCKER) {
            return new ApplicationSource.Image(String.valueOf(revision.imageUri()));
        }
        String configPath = revision.langgraphConfigPath() == null ? RevisionSource.DEFAULT_CONFIG_PATH
                : revision.langgraphConfigPath();
        return new ApplicationSource.Commit(String.valueOf(target.source().repoUrl()),
                String.valueOf(revision.repoCommitSha()), configPath, credential, target.source().installCommand(),
                target.source().buildCommand());
    }

    private static ResourceSpec resources(dev.waybill.common.api.deployment.@Nullable ResourceSpec requested) {
        return requested == null ? new ResourceSpec(null, null, null, null, null, null)
                : new ResourceSpec(requested.minScale(), requested.maxScale(), requested.cpu(), requested.cpuLimit(),
                        requested.memoryMb(),
                        requested.memoryLimitMb());
    }
}
