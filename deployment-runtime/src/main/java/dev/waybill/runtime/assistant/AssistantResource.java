package dev.waybill.runtime.assistant;

import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.page.Page;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.AssistantStorage.AssistantPage;
import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.worker.Workers;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Assistants of the application's graphs, and stored ones (contract.md "Deployed application"). */
@Path("/assistants")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Assistants")
class AssistantResource {

    private static final String TRUE = "true";

    private final AssistantService assistants;
    private final Workers workers;
    private final ObjectMapper mapper;
    private final SecurityIdentity caller;

    AssistantResource(AssistantService assistants, Workers workers, ObjectMapper mapper, SecurityIdentity caller) {
        this.assistants = assistants;
        this.workers = workers;
        this.mapper = mapper;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "add_assistant", summary = "Create an assistant", description = """
            Returns the assistant of a graph with settings of its own, which its runs get; 409 if the id exists, unless if_exists is \
            do_nothing. 404 if the runtime has no storage.""")
    public Uni<AssistantResponse> create(CreateAssistantRequest request) {
        return assistants.create(owner(), request).map(AssistantResponse::from);
    }

    @POST
    @Path("/search")
    @Consumes(MediaType.APPLICATION_JSON)
    @APIResponseSchema(value = AssistantResponse[].class, responseCode = "200")
    @Operation(operationId = "search_assistants", summary = "Find assistants", description = """
            Returns the assistants that match all members of the body, those of graphs and stored ones. The header X-Pagination-Total \
            carries their total number, X-Pagination-Next the offset of the next page if there is one.""")
    public Uni<RestResponse<List<ObjectNode>>> search(SearchAssistantsRequest request) {
        return assistants.search(owner(), request.filter()).map(page -> respond(page, request));
    }

    private RestResponse<List<ObjectNode>> respond(AssistantPage page, SearchAssistantsRequest request) {
        List<ObjectNode> selected = page.assistants().stream().map(assistant -> select(assistant, request.selected())).toList();
        ResponseBuilder<List<ObjectNode>> response = ResponseBuilder.ok(selected).header(Page.TOTAL_HEADER, page.total());
        long next = (long) request.skipped() + selected.size();
        return (next < page.total() && !selected.isEmpty() ? response.header(Page.NEXT_HEADER, next) : response).build();
    }

    private ObjectNode select(StoredAssistant assistant, List<String> members) {
        ObjectNode response = mapper.valueToTree(AssistantResponse.from(assistant));
        return members.isEmpty() ? response : response.retain(members);
    }

    @POST
    @Path("/count")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "count_assistants", summary = "Count assistants", description = """
            Returns the number of assistants that match all members of the body.""")
    public Uni<Long> count(SearchAssistantsRequest request) {
        return assistants.search(owner(), request.filter()).map(AssistantPage::total);
    }

    @GET
    @Path("/{assistant_id}")
    @Operation(operationId = "get_assistant", summary = "Read an assistant", description = "Returns an assistant by id, or that of a graph by name.")
    public Uni<AssistantResponse> get(@RestPath("assistant_id") String assistantId) {
        return assistants.find(owner(), assistantId).map(AssistantResponse::from);
    }

    @PATCH
    @Path("/{assistant_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_assistant", summary = "Change an assistant", description = """
            Adds a version with the changes, which becomes the current one. 409 for the assistant of a graph.""")
    public Uni<AssistantResponse> update(@RestPath("assistant_id") String assistantId, UpdateAssistantRequest request) {
        return assistants.update(owner(), assistantId, request.change()).map(AssistantResponse::from);
    }

    @DELETE
    @Path("/{assistant_id}")
    @ResponseStatus(204)
    @Operation(operationId = "delete_assistant", summary = "Delete an assistant", description = """
            Deletes it with its versions, and with delete_threads also the threads of its runs. 409 for the assistant of a graph.""")
    public Uni<Void> delete(@RestPath("assistant_id") String assistantId,
            @RestQuery("delete_threads") @Nullable String deleteThreads) {
        return assistants.delete(owner(), assistantId, TRUE.equalsIgnoreCase(deleteThreads));
    }

    @POST
    @Path("/{assistant_id}/versions")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "list_assistant_versions", summary = "List the versions of an assistant", description = "Newest first.")
    public Uni<List<AssistantResponse>> versions(@RestPath("assistant_id") String assistantId, SearchVersionsRequest request) {
        return assistants.versions(owner(), assistantId, request.filter())
                .map(versions -> versions.stream().map(AssistantResponse::ofVersion).toList());
    }

    @POST
    @Path("/{assistant_id}/latest")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "set_latest_assistant_version", summary = "Choose the version of an assistant", description = """
            Makes a version the current one, whose settings new runs get.""")
    public Uni<AssistantResponse> setLatest(@RestPath("assistant_id") String assistantId, LatestVersionRequest request) {
        return assistants.setLatest(owner(), assistantId, request.version()).map(AssistantResponse::from);
    }

    @GET
    @Path("/{assistant_id}/schemas")
    @Operation(operationId = "get_assistant_schemas", summary = "Read an assistant's schemas", description = """
            Returns the JSON Schemas that the graph's worker reports.""")
    public Uni<AssistantSchemasResponse> schemas(@RestPath("assistant_id") String assistantId) {
        return assistants.find(owner(), assistantId).map(assistant -> schemasOf(assistant.settings().graph()));
    }

    private AssistantSchemasResponse schemasOf(String graph) {
        JsonNode description = workers.description(graph)
                .orElseThrow(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The assistant's worker, which reports the schemas, is not ready yet; retry in a moment."));
        return AssistantSchemasResponse.of(graph, description.path("schemas"));
    }

    private Owner owner() {
        return ThreadOwner.of(caller.getPrincipal().getName());
    }
}
