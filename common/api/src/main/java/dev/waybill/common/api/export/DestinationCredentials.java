package dev.waybill.common.api.export;

import java.util.ArrayList;
import java.util.List;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** The access key of a destination; stored encrypted and never returned. */
@Schema(name = "DestinationCredentials")
public record DestinationCredentials(
        @Schema(examples = "<ACCESS_KEY_ID>") //
        @NotNull(message = "must be given") //
        @Size(min = 1, max = 256, message = "must have 1 to 256 characters") //
        @Pattern(regexp = DestinationCredentials.VISIBLE, message = "must have no spaces and no characters other than ASCII") //
        String accessKeyId,

        @Schema(examples = "<SECRET_ACCESS_KEY>", writeOnly = true) //
        @NotNull(message = "must be given") //
        @Size(min = 1, max = 1024, message = "must have 1 to 1024 characters") //
        @Pattern(regexp = DestinationCredentials.VISIBLE, message = "must have no spaces and no characters other than ASCII") //
        String secretAccessKey,

        @Schema(description = "For temporary credentials.", writeOnly = true) //
        @Size(min = 1, max = 8192, message = "must have 1 to 8192 characters") //
        @Pattern(regexp = DestinationCredentials.VISIBLE, message = "must have no spaces and no characters other than ASCII") //
        @Nullable String sessionToken) {

    static final String VISIBLE = "[\\x21-\\x7e]*";

    /** Returns the names of the credentials, which are the only part that responses contain. */
    @JsonIgnore
    public List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("access_key_id", "secret_access_key"));
        if (sessionToken != null) {
            keys.add("session_token");
        }
        return keys;
    }

    /** Omits all values, so that logs never contain them. */
    @Override
    public String toString() {
        return "DestinationCredentials[redacted]";
    }
}
