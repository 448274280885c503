package dev.waybill.common.api.deployment;

import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * {@code source_revision_config}: the version of the source that a revision is built from.
 *
 * @param repoCommitSha commit of {@code repoRef}; only in responses
 */
@Schema(name = "SourceRevisionConfig")
public record RevisionSource(
        @Nullable @Schema(description = "A branch, a tag or a commit.", examples = "main") @Pattern(regexp = RevisionSource.REF, message = "must be a branch, a tag or a commit, as git names them") String repoRef,
        @Nullable @Schema(description = "The application's configuration file; its folder is the application's directory.", defaultValue = "langgraph.json") @Size(max = 1000, message = "must have at most 1000 characters") @Pattern(regexp = RevisionSource.PATH, message = "must be a path within the repository, without . and ..") String langgraphConfigPath,
        @Nullable @Schema(description = "The image, for external_docker.", examples = "registry.example.com/acme/agent:1.4") @Pattern(regexp = RevisionSource.IMAGE, message = "must be the reference of a container image") String imageUri,
        @Nullable @Schema(readOnly = true, description = "The commit of repo_ref.") String repoCommitSha) {

    /** The default configuration file. */
    public static final String DEFAULT_CONFIG_PATH = "langgraph.json";

    /** An empty source_revision_config. */
    public static final RevisionSource EMPTY = new RevisionSource(null, null, null, null);

    // The rules of git-check-ref-format, without names that could be parsed as an option.
    static final String REF = "(?!.*(\\.\\.|@\\{|//|/\\.|\\.lock(/|$)))[^\\s\\p{Cc}~^:?*\\[\\\\./-][^\\s\\p{Cc}~^:?*\\[\\\\]{0,253}(?<![./])";
    static final String PATH = "(?!.*(^|/)\\.{1,2}(/|$))[^\\p{Cc}\\\\/-][^\\p{Cc}\\\\]*(?<!/)";
    static final String IMAGE = "[a-z0-9][A-Za-z0-9._:/@-]{0,999}";

    /** Returns a copy with the resolved commit. */
    public RevisionSource at(@Nullable String commit) {
        return new RevisionSource(repoRef, langgraphConfigPath, imageUri, commit);
    }
}
