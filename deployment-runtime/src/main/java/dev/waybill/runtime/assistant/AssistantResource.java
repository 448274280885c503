package dev.waybill.runtime.assistant;

import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.page.Page;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.worker.Workers;
import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Uni;

/** The application's assistants (contract.md "Deployed application"). */
@Path("/assistants")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Assistants")
class AssistantResource {

    private final AssistantCatalog catalog;
    private final Workers workers;

    AssistantResource(AssistantCatalog catalog, Workers workers) {
        this.catalog = catalog;
        this.workers = workers;
    }

    @POST
    @Path("/search")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "search_assistants", summary = "Find assistants", description = """
            Returns the assistants that match all members of the body, ordered by name. The header X-Pagination-Total carries \
            their total number.""")
    public Uni<RestResponse<List<AssistantResponse>>> search(SearchAssistantsRequest request) {
        List<AssistantResponse> found = request.of(catalog.all());
        return Uni.createFrom().item(RestResponse.ResponseBuilder.ok(request.page(found))
                .header(Page.TOTAL_HEADER, found.size())
                .build());
    }

    @POST
    @Path("/count")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "count_assistants", summary = "Count assistants", description = """
            Returns the number of assistants that match all members of the body.""")
    public Uni<Integer> count(SearchAssistantsRequest request) {
        return Uni.createFrom().item(() -> request.of(catalog.all()).size());
    }

    @GET
    @Path("/{assistant_id}")
    @Operation(operationId = "get_assistant", summary = "Read an assistant", description = "Returns an assistant by id or name.")
    public Uni<AssistantResponse> get(@RestPath("assistant_id") String assistantId) {
        return Uni.createFrom().item(() -> AssistantResponse.from(catalog.require(assistantId)));
    }

    @GET
    @Path("/{assistant_id}/schemas")
    @Operation(operationId = "get_assistant_schemas", summary = "Read an assistant's schemas", description = """
            Returns the JSON Schemas that the graph's worker reports.""")
    public Uni<AssistantSchemasResponse> schemas(@RestPath("assistant_id") String assistantId) {
        return Uni.createFrom().item(() -> schemas(catalog.require(assistantId)));
    }

    private AssistantSchemasResponse schemas(Assistant assistant) {
        JsonNode description = workers.description(assistant.graphId())
                .orElseThrow(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The assistant's worker, which reports the schemas, is not ready yet; retry in a moment."));
        return AssistantSchemasResponse.of(assistant.graphId(), description.path("schemas"));
    }
}
