package dev.waybill.common.api.deployment;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A repository that an integration opens. */
public record RepositoryResponse(String owner, String name,
        @Schema(description = "What a deployment takes as its repo_url.") String url, @Nullable String defaultBranch,
        @JsonProperty("private") boolean isPrivate) {
}
