package dev.waybill.controlplane.account;

import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.security.Plan;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The first organization, workspace and key, made when the service starts; nothing is made unless a key is given. */
@ConfigMapping(prefix = "waybill.bootstrap")
public interface BootstrapConfig {

    /** The name of the organization; the oldest of that name is taken when there are several. */
    @WithDefault("Default")
    String organization();

    /** The organization's id, for installations that must know it beforehand; counts instead of the name. */
    Optional<UUID> organizationId();

    /** The plan of an organization that is made; one that exists keeps its own. */
    @WithDefault("free")
    Plan plan();

    /** The name of the workspace. */
    @WithDefault("Default")
    String workspace();

    /** The workspace's id, for installations that must know it beforehand; counts instead of the name. */
    Optional<UUID> workspaceId();

    /** An admin key of the workspace, of the form {@code wb_<8 hex>_<43 base64url>}. */
    Optional<String> apiKey();

    /** An admin key of the whole organization, of the same form; also the way back in when all others are revoked. */
    Optional<String> organizationApiKey();
}
