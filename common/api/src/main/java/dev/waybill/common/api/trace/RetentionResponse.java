package dev.waybill.common.api.trace;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The retention of runs in a workspace, by trace tier; the operator configures it for all workspaces. */
public record RetentionResponse(List<TierRetention> tiers) {

    /**
     * The retention of one tier.
     *
     * @param traceTier value of {@code trace_tier} of a session
     * @param retentionSeconds null if runs are retained forever
     * @param isDefault whether sessions have this tier unless they are created with another
     * @param projectCount sessions of the workspace with the tier that are not experiments
     * @param experimentCount experiments of the workspace with the tier
     */
    public record TierRetention(
            @Schema(enumeration = {
                    "shortlived", "longlived" }) String traceTier,
            @Nullable @Schema(description = "Null: runs are retained forever.", examples = "1209600") Long retentionSeconds,
            @Schema(description = "Whether sessions have this tier unless they are created with another.") boolean isDefault,
            @Schema(description = "Number of sessions with the tier that are not experiments.") long projectCount,
            @Schema(description = "Number of experiments with the tier.") long experimentCount){
    }
}
