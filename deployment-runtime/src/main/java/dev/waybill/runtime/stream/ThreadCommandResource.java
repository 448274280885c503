package dev.waybill.runtime.stream;

import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Uni;

/** Commands of the agent streaming protocol (docs/decisions/0200). */
@Path("/threads/{thread_id}/commands")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Runs")
class ThreadCommandResource {

    private final ThreadCommandService commands;

    ThreadCommandResource(ThreadCommandService commands) {
        this.commands = commands;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "send_thread_command", summary = "Start or resume a run", description = """
            run.start starts a run in the background, and creates the thread if it is missing; if the thread waits for answers, the \\
            input is the answer. input.respond resumes it with answers by the ids of interrupts. The events are those of \\
            POST /threads/{thread_id}/stream/events. A command that cannot be executed has a response of type error with status 200; \\
            a run that cannot be started has the status of POST /threads/{thread_id}/runs.""")
    public Uni<ThreadCommandResponse> send(@RestPath("thread_id") UUID threadId, ThreadCommandRequest body) {
        return commands.execute(threadId, body);
    }
}
