package dev.waybill.common.api.deployment;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A line of a revision's log. */
public record LogLineResponse(
        @Schema(description = "The time of the line; for the server log the last time that the application wrote.") Instant at,
        @Schema(enumeration = {
                "build", "deploy", "server" }) String phase,
        @Schema(enumeration = { "system", "stdout", "stderr" }) String stream, String line,
        @Nullable @Schema(enumeration = { "trace", "debug", "info", "warn",
                "error" }, description = "The level that a line of the server log names; null if it is unknown.") String level,
        @Nullable @Schema(description = "Distinguishes the processes of an application in the server log; null if there is only one.") String instance){
}
