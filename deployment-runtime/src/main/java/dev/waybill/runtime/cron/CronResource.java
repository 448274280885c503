package dev.waybill.runtime.cron;

import java.util.List;
import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
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
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.page.Page;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.cron.CronService.Caller;
import dev.waybill.runtime.storage.CronStorage.CronPage;
import dev.waybill.runtime.storage.CronStorage.StoredCron;
import dev.waybill.runtime.storage.Owner;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Crons (docs/decisions/0176). */
@Path("/runs/crons")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Crons")
class CronResource {

    private final CronService crons;
    private final ObjectMapper mapper;
    private final SecurityIdentity caller;

    CronResource(CronService crons, ObjectMapper mapper, SecurityIdentity caller) {
        this.crons = crons;
        this.mapper = mapper;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "add_cron", summary = "Create a cron", description = """
            Starts runs on a schedule, each on a thread of its own. 404 if the runtime does not store threads.""")
    public Uni<CronResponse> create(CreateCronRequest request) {
        return crons.create(new Caller(owner(), caller.getPrincipal().getName()), null, request).map(CronResponse::from);
    }

    @POST
    @Path("/search")
    @Consumes(MediaType.APPLICATION_JSON)
    @APIResponseSchema(value = CronResponse[].class, responseCode = "200")
    @Operation(operationId = "search_crons", summary = "Find crons", description = """
            Returns the crons that match all members of the body. The header X-Pagination-Total carries their total number, \
            X-Pagination-Next the offset of the next page if there is one.""")
    public Uni<RestResponse<List<ObjectNode>>> search(SearchCronsRequest request) {
        return crons.search(owner(), request.filter()).map(page -> respond(page, request));
    }

    private RestResponse<List<ObjectNode>> respond(CronPage page, SearchCronsRequest request) {
        List<ObjectNode> selected = page.crons().stream().map(cron -> select(cron, request.selected())).toList();
        ResponseBuilder<List<ObjectNode>> response = ResponseBuilder.ok(selected).header(Page.TOTAL_HEADER, page.total());
        long next = (long) request.skipped() + selected.size();
        return (next < page.total() && !selected.isEmpty() ? response.header(Page.NEXT_HEADER, next) : response).build();
    }

    private ObjectNode select(StoredCron cron, List<String> members) {
        ObjectNode response = mapper.valueToTree(CronResponse.from(cron));
        return members.isEmpty() ? response : response.retain(members);
    }

    @POST
    @Path("/count")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "count_crons", summary = "Count crons", description = """
            Returns the number of crons that match all members of the body.""")
    public Uni<Long> count(SearchCronsRequest request) {
        return crons.count(owner(), request.filter());
    }

    @PATCH
    @Path("/{cron_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_cron", summary = "Change a cron")
    public Uni<CronResponse> update(@RestPath("cron_id") UUID cronId, UpdateCronRequest request) {
        return crons.update(owner(), cronId, request).map(CronResponse::from);
    }

    @DELETE
    @Path("/{cron_id}")
    @ResponseStatus(204)
    @Operation(operationId = "delete_cron", summary = "Delete a cron", description = "Its runs continue.")
    public Uni<Void> delete(@RestPath("cron_id") UUID cronId) {
        return crons.delete(owner(), cronId);
    }

    private Owner owner() {
        return ThreadOwner.of(caller.getPrincipal().getName());
    }
}
