package dev.waybill.common.api.deployment;

import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * {@code source_revision_config}: what of its source a revision is.
 *
 * @param repoCommitSha what {@code repoRef} was resolved to; answered, not taken
 */
@Schema(name = "SourceRevisionConfig")
public record RevisionSource(
        @Nullable @Schema(description = "A branch, a tag or a commit.", examples = "main") @Pattern(regexp = RevisionSource.REF, message = "must be a branch, a tag or a commit, as git names them") String repoRef,
        @Nullable @Schema(description = "The application's configuration file; its folder is the application's.", defaultValue = "langgraph.json") @Size(max = 1000, message = "must have at most 1000 characters") @Pattern(regexp = RevisionSource.PATH, message = "must be a path within the repository, without . and ..") String langgraphConfigPath,
        @Nullable @Schema(description = "Of external_docker: the image.", examples = "registry.example.com/acme/agent:1.4") @Pattern(regexp = RevisionSource.IMAGE, message = "must be the reference of a container image") String imageUri,
        @Nullable @Schema(readOnly = true, description = "What repo_ref was resolved to.") String repoCommitSha) {

    /** The configuration file where none is named. */
    public static final String USUAL_CONFIG_PATH = "langgraph.json";

    /** What an empty source_revision_config says. */
    public static final RevisionSource NOTHING = new RevisionSource(null, null, null, null);

    // git-check-ref-format, and nothing that could be taken for an option.
    static final String REF = "(?!.*(\\.\\.|@\\{|//|/\\.|\\.lock(/|$)))[^\\s\\p{Cc}~^:?*\\[\\\\./-][^\\s\\p{Cc}~^:?*\\[\\\\]{0,253}(?<![./])";
    static final String PATH = "(?!.*(^|/)\\.{1,2}(/|$))[^\\p{Cc}\\\\/-][^\\p{Cc}\\\\]*(?<!/)";
    static final String IMAGE = "[a-z0-9][A-Za-z0-9._:/@-]{0,999}";

    /** The same, resolved. */
    public RevisionSource at(@Nullable String commit) {
        return new RevisionSource(repoRef, langgraphConfigPath, imageUri, commit);
    }
}
