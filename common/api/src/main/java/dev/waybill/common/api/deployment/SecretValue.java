package dev.waybill.common.api.deployment;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An environment variable of the application; the value is stored encrypted and never returned. */
@Schema(name = "Secret")
public record SecretValue(
        @NotNull(message = "is required") @Pattern(regexp = "[A-Za-z_][A-Za-z0-9_]{0,254}", message = "must be the name of an environment variable: letters, digits and _, at most 255") String name,
        @NotNull(message = "is required") @Size(max = 32_768, message = "must have at most 32768 characters") @Pattern(regexp = "[^\\x00]*", message = "must not contain U+0000") @Schema(writeOnly = true) String value) {

    /** Omits the value. */
    @Override
    public String toString() {
        return "SecretValue[name=" + name + ", value=***]";
    }
}
