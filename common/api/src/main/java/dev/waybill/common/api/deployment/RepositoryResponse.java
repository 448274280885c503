package dev.waybill.common.api.deployment;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A repository that an integration gives access to. */
public record RepositoryResponse(String owner, String name,
        @Schema(description = "The value for repo_url of a deployment.") String url, @Nullable String defaultBranch,
        @JsonProperty("private") boolean isPrivate) {
}
