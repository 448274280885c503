package dev.waybill.common.api.export;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Creates a destination: a bucket for exports. */
@Schema(name = "CreateDestinationRequest")
public record CreateDestinationRequest(
        @NotNull(message = "must be given") //
        DestinationType destinationType,

        @Schema(examples = "Acme trace archive") //
        @NotNull(message = "must be given") //
        @Size(min = 1, max = 255, message = "must have 1 to 255 characters") //
        @Pattern(regexp = CreateDestinationRequest.READABLE, message = "must have at least one visible character and no control characters") //
        String displayName,

        @NotNull(message = "must be given") //
        @Valid //
        BucketLocation config,

        @Schema(description = "May be absent only if the operator allows destinations to use the service's own credentials.") //
        @Valid //
        @Nullable DestinationCredentials credentials) {

    /** At least one visible character, and no characters that could forge lines of a list or a log. */
    static final String READABLE = "(?U)(?=.*\\S)[^\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*";
}
