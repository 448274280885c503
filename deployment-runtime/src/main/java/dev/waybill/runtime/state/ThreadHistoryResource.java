package dev.waybill.runtime.state;

import java.util.ArrayList;
import java.util.List;
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

import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.Owner;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Multi;

/** Earlier states of a thread (docs/decisions/0170). */
@Path("/threads/{thread_id}/history")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Threads")
class ThreadHistoryResource {

    private static final int DEFAULT_LIMIT = 10;
    private static final int MAX_LIMIT = 1_000;

    private final StateService states;
    private final SecurityIdentity caller;

    ThreadHistoryResource(StateService states, SecurityIdentity caller) {
        this.states = states;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "list_thread_states", summary = "List the states of a thread", description = "Newest first.")
    public Multi<StateResponse> list(@RestPath("thread_id") UUID threadId,
            @Parameter(description = "Maximum number of states; default 10.", schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "1000")) @QueryParam("limit") @Nullable String limit,
            @Parameter(description = "Id of the checkpoint before which the states are.", schema = @Schema(type = SchemaType.STRING, format = "uuid")) @QueryParam("before") @Nullable String before) {
        List<Violation> violations = new ArrayList<>();
        int maxStates = PageParameters.parse(limit, null, DEFAULT_LIMIT, MAX_LIMIT, violations).limit();
        TextNode position = before == null ? null : TextNode.valueOf(before);
        if (position != null && ValidBefore.Check.parse(position).isEmpty()) {
            violations.add(Violation.of("before", "must be a UUID", "invalid"));
        }
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return states.history(owner(), threadId, new StateHistoryRequest(maxStates, position, null, null));
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "search_thread_states", summary = "Find states of a thread", description = "Newest first.")
    public Multi<StateResponse> search(@RestPath("thread_id") UUID threadId, StateHistoryRequest request) {
        return states.history(owner(), threadId, request);
    }

    private Owner owner() {
        return ThreadOwner.of(caller.getPrincipal().getName());
    }
}
