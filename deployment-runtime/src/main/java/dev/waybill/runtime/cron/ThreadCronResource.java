package dev.waybill.runtime.cron;

import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.cron.CronService.Caller;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Crons on threads. */
@Path("/threads/{thread_id}/runs/crons")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Crons")
class ThreadCronResource {

    private final CronService crons;
    private final SecurityIdentity caller;

    ThreadCronResource(CronService crons, SecurityIdentity caller) {
        this.crons = crons;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "add_thread_cron", summary = "Create a cron on a thread", description = """
            Starts runs of the thread on a schedule. The cron of a deleted thread is deleted at its next date.""")
    public Uni<CronResponse> create(@RestPath("thread_id") UUID threadId, CreateCronRequest request) {
        String principal = caller.getPrincipal().getName();
        return crons.create(new Caller(ThreadOwner.of(principal), principal), threadId, request).map(CronResponse::from);
    }
}
