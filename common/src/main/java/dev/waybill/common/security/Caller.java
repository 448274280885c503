package dev.waybill.common.security;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Who calls, as the API key or token says; never as the request's other contents say.
 *
 * @param workspaceId the workspace the call is about; null when an organization-wide key named none
 * @param boundToWorkspace whether the key belongs to that one workspace, so that it may not act beyond it
 * @param apiKeyId null for a bearer token
 */
public record Caller(UUID organizationId, Plan plan, @Nullable UUID workspaceId, boolean boundToWorkspace,
        @Nullable UUID apiKeyId, Role role) {

    static final String ATTRIBUTE = "waybill.caller";
}
