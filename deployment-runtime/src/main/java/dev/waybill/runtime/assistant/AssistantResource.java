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

import dev.waybill.common.page.Slice;
import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Uni;

/** The application's assistants (contract.md "Deployed application"). */
@Path("/assistants")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Assistants")
class AssistantResource {

    private final AssistantCatalog catalog;
    private final AssistantSchemas schemas;

    AssistantResource(AssistantCatalog catalog, AssistantSchemas schemas) {
        this.catalog = catalog;
        this.schemas = schemas;
    }

    @POST
    @Path("/search")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "search_assistants", summary = "Find assistants", description = """
            Those that have all that the body names, in the order of their names. The header X-Pagination-Total tells how \
            many there are.""")
    public Uni<RestResponse<List<AssistantResponse>>> search(SearchAssistantsRequest request) {
        List<AssistantResponse> found = request.of(catalog.all());
        return Uni.createFrom().item(RestResponse.ResponseBuilder.ok(request.page(found))
                .header(Slice.TOTAL_HEADER, found.size())
                .build());
    }

    @POST
    @Path("/count")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "count_assistants", summary = "Count assistants", description = """
            How many have all that the body names.""")
    public Uni<Integer> count(SearchAssistantsRequest request) {
        return Uni.createFrom().item(() -> request.of(catalog.all()).size());
    }

    @GET
    @Path("/{assistant_id}")
    @Operation(operationId = "get_assistant", summary = "Read an assistant", description = "By its id or its name.")
    public Uni<AssistantResponse> get(@RestPath("assistant_id") String assistantId) {
        return Uni.createFrom().item(() -> AssistantResponse.from(catalog.require(assistantId)));
    }

    @GET
    @Path("/{assistant_id}/schemas")
    @Operation(operationId = "get_assistant_schemas", summary = "Read what an assistant takes and gives", description = """
            JSON Schemas, where the graph's worker tells them.""")
    public Uni<AssistantSchemasResponse> schemas(@RestPath("assistant_id") String assistantId) {
        return Uni.createFrom().item(() -> schemas.of(catalog.require(assistantId)));
    }
}
