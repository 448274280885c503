package dev.waybill.runtime.state;

import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.Owner;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** State of a thread (docs/decisions/0170). */
@Path("/threads/{thread_id}/state")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Threads")
class ThreadStateResource {

    private static final String SUBGRAPHS = "Whether tasks contain the states of their subgraphs; default false.";

    private final StateService states;
    private final StateUpdateService updates;
    private final SecurityIdentity caller;

    ThreadStateResource(StateService states, StateUpdateService updates, SecurityIdentity caller) {
        this.states = states;
        this.updates = updates;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "get_thread_state", summary = "Read the state of a thread", description = """
            Returns the newest state; an empty one if the thread has had no run.""")
    public Uni<StateResponse> get(@RestPath("thread_id") UUID threadId,
            @Parameter(description = SUBGRAPHS, schema = @Schema(type = SchemaType.BOOLEAN)) @QueryParam("subgraphs") @Nullable String subgraphs) {
        return states.read(owner(), threadId, null, isTrue(subgraphs));
    }

    @GET
    @Path("/{checkpoint_id}")
    @Operation(operationId = "get_thread_state_at", summary = "Read the state of a thread at a checkpoint")
    public Uni<StateResponse> getAt(@RestPath("thread_id") UUID threadId, @RestPath("checkpoint_id") UUID checkpointId,
            @Parameter(description = SUBGRAPHS, schema = @Schema(type = SchemaType.BOOLEAN)) @QueryParam("subgraphs") @Nullable String subgraphs) {
        return states.read(owner(), threadId, CheckpointRequest.of(checkpointId), isTrue(subgraphs));
    }

    @POST
    @Path("/checkpoint")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "get_thread_checkpoint", summary = "Read the state of a thread at a checkpoint with a namespace")
    public Uni<StateResponse> getCheckpoint(@RestPath("thread_id") UUID threadId, ReadStateRequest request) {
        return states.read(owner(), threadId, request.checkpoint(), Boolean.TRUE.equals(request.subgraphs()));
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_thread_state", summary = "Change the state of a thread", description = """
            Adds a checkpoint, as if a node of the graph had returned the values. 409 while the thread has an active run.""")
    public Uni<UpdatedStateResponse> update(@RestPath("thread_id") UUID threadId, UpdateStateRequest request) {
        return updates.update(owner(), threadId, request);
    }

    private static boolean isTrue(@Nullable String value) {
        return "true".equalsIgnoreCase(value) || "1".equals(value);
    }

    private Owner owner() {
        return ThreadOwner.of(caller.getPrincipal().getName());
    }
}
