package dev.waybill.common.api.deployment;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A line of a revision's log. */
public record LogLineResponse(Instant at,
        @Schema(enumeration = {
                "build", "deploy" }) String phase,
        @Schema(enumeration = { "system", "stdout", "stderr" }) String stream, String line){
}
