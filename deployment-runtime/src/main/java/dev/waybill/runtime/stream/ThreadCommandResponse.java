package dev.waybill.runtime.stream;

import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

/** Response to a command. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ThreadCommandResponse(
        @Schema(required = true, enumeration = {
                "success", "error" }) String type,
        @Schema(required = true, description = "That of the command.") long id,
        @Nullable @Schema(description = "Set for type success only.") Result result,
        @Nullable @Schema(description = "Code of an error, such as invalid_argument, no_such_run, no_such_interrupt, not_supported, unknown_command.") String error,
        @Nullable @Schema(description = "Description of an error.") String message,
        @Nullable Meta meta){

    /** Result of a command. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Result(@Nullable @Schema(description = "The new run; only of run.start.") UUID runId) {
    }

    /** Where the events of the new run begin. */
    record Meta(UUID threadId,
            @Schema(description = "Sequence number before the first event of the new run.") long appliedThroughSeq) {
    }

    static ThreadCommandResponse success(ThreadCommandRequest command, @Nullable UUID run, Meta meta) {
        return new ThreadCommandResponse("success", command.id(), new Result(run), null, null, meta);
    }

    static ThreadCommandResponse error(ThreadCommandRequest command, String code, String message) {
        return new ThreadCommandResponse("error", command.id(), null, code, message, null);
    }
}
