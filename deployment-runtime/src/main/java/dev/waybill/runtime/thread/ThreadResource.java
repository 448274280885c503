package dev.waybill.runtime.thread;

import java.util.List;
import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ThreadStorage.ThreadPage;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Threads (docs/decisions/0170). */
@Path("/threads")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Threads")
class ThreadResource {

    private static final String MINIMAL = "return=minimal";

    private final ThreadService threads;
    private final ThreadCreationService creations;
    private final SecurityIdentity caller;

    ThreadResource(ThreadService threads, ThreadCreationService creations, SecurityIdentity caller) {
        this.threads = threads;
        this.creations = creations;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "start_thread", summary = "Create a thread", description = """
            Returns the thread; 409 if the id exists, unless if_exists is do_nothing. 404 if the runtime does not store threads. If a \
            state of supersteps is rejected, no thread is created.""")
    public Uni<ThreadResponse> create(CreateThreadRequest request) {
        return creations.create(owner(), request).map(ThreadResponse::from);
    }

    @POST
    @Path("/search")
    @Consumes(MediaType.APPLICATION_JSON)
    @APIResponseSchema(value = ThreadResponse[].class, responseCode = "200")
    @Operation(operationId = "search_threads", summary = "Find threads", description = """
            Returns the threads that match all members of the body. The header X-Pagination-Total carries their total number, \
            X-Pagination-Next the offset of the next page if there is one.""")
    public Uni<RestResponse<List<ThreadResponse>>> search(SearchThreadsRequest request) {
        return threads.search(owner(), request.filter()).map(page -> respond(page, request));
    }

    private static RestResponse<List<ThreadResponse>> respond(ThreadPage page, SearchThreadsRequest request) {
        ResponseBuilder<List<ThreadResponse>> response = ResponseBuilder
                .ok(page.threads().stream().map(thread -> ThreadResponse.from(thread).select(request.selected())).toList())
                .header(Page.TOTAL_HEADER, page.total());
        long next = (long) request.skipped() + page.threads().size();
        return (next < page.total() && !page.threads().isEmpty() ? response.header(Page.NEXT_HEADER, next) : response).build();
    }

    @POST
    @Path("/count")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "count_threads", summary = "Count threads", description = """
            Returns the number of threads that match all members of the body.""")
    public Uni<Long> count(CountThreadsRequest request) {
        return threads.count(owner(), request.filter());
    }

    @GET
    @Path("/{thread_id}")
    @Operation(operationId = "get_thread", summary = "Read a thread")
    public Uni<ThreadResponse> get(@RestPath("thread_id") UUID threadId) {
        return threads.find(owner(), threadId).map(ThreadResponse::from);
    }

    @PATCH
    @Path("/{thread_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @APIResponseSchema(value = ThreadResponse.class, responseCode = "200")
    @APIResponse(responseCode = "204", description = "The thread was changed; the request has the header Prefer: return=minimal.")
    @Operation(operationId = "update_thread", summary = "Change a thread", description = """
            Adds members to the metadata or replaces them, and begins the time to live again.""")
    public Uni<RestResponse<ThreadResponse>> update(@RestPath("thread_id") UUID threadId, UpdateThreadRequest request,
            @HeaderParam("Prefer") @Nullable String prefer) {
        return threads.update(owner(), threadId, request)
                .map(thread -> MINIMAL.equals(prefer) ? RestResponse.noContent()
                        : RestResponse.ok(ThreadResponse.from(thread)));
    }

    @DELETE
    @Path("/{thread_id}")
    @ResponseStatus(204)
    @Operation(operationId = "delete_thread", summary = "Delete a thread", description = "Deletes its runs and its state as well.")
    public Uni<Void> delete(@RestPath("thread_id") UUID threadId) {
        return threads.delete(owner(), threadId);
    }

    @POST
    @Path("/{thread_id}/copy")
    @Operation(operationId = "copy_thread", summary = "Copy a thread", description = "Copies its state and history, not its runs.")
    public Uni<ThreadResponse> copy(@RestPath("thread_id") UUID threadId) {
        return threads.copy(owner(), threadId).map(ThreadResponse::from);
    }

    private Owner owner() {
        return ThreadOwner.of(caller.getPrincipal().getName());
    }
}
