package dev.waybill.runtime.state;

import java.util.UUID;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.assistant.AssistantService;
import dev.waybill.runtime.checkpoint.RequestScope;
import dev.waybill.runtime.state.ThreadGraphs.ThreadGraph;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Drawings of the graphs of assistants and schemas of their subgraphs, as requests to their workers. */
@Path("/assistants/{assistant_id}")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Assistants")
class AssistantGraphResource {

    private static final int MAX_DEPTH = 100;
    private static final String OPERATION = "describe";
    private static final String RECURSE = "recurse";

    private final Descriptions descriptions;
    private final SecurityIdentity caller;

    AssistantGraphResource(Descriptions descriptions, SecurityIdentity caller) {
        this.descriptions = descriptions;
        this.caller = caller;
    }

    @GET
    @Path("/graph")
    @Operation(operationId = "get_assistant_graph", summary = "Read the drawing of an assistant's graph", description = """
            Returns nodes and edges: one node for a graph with a JSON state. 422 for a graph that does not remember, or whose worker \
            does not describe it.""")
    @APIResponse(responseCode = "200", description = "Nodes and edges.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<JsonNode> graph(@RestPath("assistant_id") String assistantId,
            @Parameter(description = "Whether subgraphs are drawn as well: true, or the depth.") @RestQuery @Nullable String xray) {
        return describe(assistantId, "graph", params("xray", xray));
    }

    @GET
    @Path("/subgraphs")
    @Operation(operationId = "list_assistant_subgraphs", summary = "Read the schemas of an assistant's subgraphs", description = """
            Returns schemas by the namespace of the subgraph.""")
    @APIResponse(responseCode = "200", description = "Schemas by namespace.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<JsonNode> subgraphs(@RestPath("assistant_id") String assistantId,
            @Parameter(description = "Whether subgraphs of subgraphs are returned.") @RestQuery @Nullable String recurse) {
        return describe(assistantId, "subgraphs", params(RECURSE, recurse));
    }

    @GET
    @Path("/subgraphs/{namespace}")
    @Operation(operationId = "get_assistant_subgraph", summary = "Read the schemas of a subgraph of an assistant", description = """
            404 for a graph with a JSON state, which has no subgraphs.""")
    @APIResponse(responseCode = "200", description = "Schemas by namespace.", content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    public Uni<JsonNode> subgraph(@RestPath("assistant_id") String assistantId, @RestPath String namespace,
            @Parameter(description = "Whether subgraphs of the subgraph are returned.") @RestQuery @Nullable String recurse) {
        return describe(assistantId, "subgraphs", params(RECURSE, recurse).put("namespace", namespace));
    }

    private Uni<JsonNode> describe(String assistantId, String kind, ObjectNode params) {
        return descriptions.describe(ThreadOwner.of(caller.getPrincipal().getName()), assistantId, params.put("kind", kind));
    }

    /** Returns an object with a query parameter; clients also leave it empty. */
    private static ObjectNode params(String name, @Nullable String value) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        if (value != null && !value.isBlank()) {
            params.set(name, parse(name, value.strip()));
        }
        return params;
    }

    private static JsonNode parse(String name, String value) {
        if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
            return BooleanNode.valueOf(Boolean.parseBoolean(value));
        }
        if (name.equals(RECURSE)) {
            throw ProblemException.invalid(Violation.of(name, "must be true or false", "invalid"));
        }
        try {
            int depth = Integer.parseInt(value);
            if (depth >= 0 && depth <= MAX_DEPTH) {
                return IntNode.valueOf(depth);
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw ProblemException.invalid(Violation.of(name, "must be true, false or 0 to " + MAX_DEPTH, "invalid"));
    }

    /** Requests descriptions from workers. */
    @Singleton
    static class Descriptions {

        private final AssistantService assistants;
        private final ThreadGraphs graphs;
        private final StateRequests requests;

        Descriptions(AssistantService assistants, ThreadGraphs graphs, StateRequests requests) {
            this.assistants = assistants;
            this.graphs = graphs;
            this.requests = requests;
        }

        Uni<JsonNode> describe(Owner owner, String assistantId, ObjectNode params) {
            return assistants.find(owner, assistantId).chain(assistant -> {
                ThreadGraph graph = graphs.require(assistant.settings().graph());
                if (graph.hasJsonState()) {
                    return Uni.createFrom().item(JsonStateDrawing.describe(graph.id(), params));
                }
                if (!graph.capabilities().operations().contains(OPERATION)) {
                    throw new ProblemException(CommonProblem.INVALID,
                            "The worker of the graph " + graph.id() + " does not implement the operation " + OPERATION + ".");
                }
                params.set("config", JsonText.parse(assistant.settings().config()));
                return requests.send(UUID.randomUUID(), RequestScope.withoutThread(owner), graph.id(), "graph/describe",
                        params);
            });
        }
    }
}
