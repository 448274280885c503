package dev.waybill.runtime.thread;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.runtime.access.ThreadOwner;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Deletion of many threads, or of their old checkpoints. */
@Path("/threads/prune")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Threads")
class ThreadPruningResource {

    private final ThreadPruningService threads;
    private final SecurityIdentity caller;

    ThreadPruningResource(ThreadPruningService threads, SecurityIdentity caller) {
        this.threads = threads;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "prune_threads", summary = "Delete threads or their old checkpoints", description = """
            With strategy delete, deletes the threads with their runs and states, as DELETE /threads/{thread_id}. With keep_latest, \
            deletes all but the newest checkpoints of threads without active runs. Returns the number of threads; missing ones \
            and, for keep_latest, busy ones do not count.""")
    public Uni<PruneThreadsResponse> prune(PruneThreadsRequest request) {
        return threads.prune(ThreadOwner.of(caller.getPrincipal().getName()), request).map(PruneThreadsResponse::new);
    }
}
