package dev.waybill.common.api.export;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A bucket to export to (interface.md 2.3). */
@Schema(name = "CreateDestinationRequest")
public record CreateDestinationRequest(
        @NotNull(message = "must be given") //
        DestinationType destinationType,

        @Schema(examples = "Acme trace archive") //
        @NotNull(message = "must be given") //
        @Size(min = 1, max = 255, message = "must have 1 to 255 characters") //
        @Pattern(regexp = CreateDestinationRequest.READABLE, message = "must show something and hold no control characters") //
        String displayName,

        @NotNull(message = "must be given") //
        @Valid //
        BucketLocation config,

        @Schema(description = "May be omitted only where the operator lets destinations use the service's own credentials.") //
        @Valid //
        @Nullable DestinationCredentials credentials) {

    /** Something visible, and nothing that rewrites a line of a list or a log. */
    static final String READABLE = "(?U)(?=.*\\S)[^\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*";
}
