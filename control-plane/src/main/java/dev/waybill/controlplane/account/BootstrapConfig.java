package dev.waybill.controlplane.account;

import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.api.account.Plan;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The first organization, workspace and keys, created at startup if one of the keys is set. */
@ConfigMapping(prefix = "waybill.bootstrap")
public interface BootstrapConfig {

    /** Name of the organization; if several have it, the oldest is used. */
    @WithDefault("Default")
    String organization();

    /** Id of the organization, for installations that need a fixed id; overrides the name. */
    Optional<UUID> organizationId();

    /** Plan of a newly created organization; an existing organization is not changed. */
    @WithDefault("free")
    Plan plan();

    /** Name of the workspace. */
    @WithDefault("Default")
    String workspace();

    /** Id of the workspace, for installations that need a fixed id; overrides the name. */
    Optional<UUID> workspaceId();

    /** Admin key of the workspace, of the form {@code wb_<8 hex>_<43 base64url>}. */
    Optional<String> apiKey();

    /** Admin key of the whole organization, of the same form; restores access after all other keys were revoked. */
    Optional<String> organizationApiKey();
}
