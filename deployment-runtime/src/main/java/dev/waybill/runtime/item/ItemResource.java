package dev.waybill.runtime.item;

import java.util.ArrayList;
import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.NullNode;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.NoZeroCharacter;
import dev.waybill.runtime.storage.Owner;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Items of the store (docs/decisions/0170). */
@Path("/store")
@Produces(MediaType.APPLICATION_JSON)
@Authenticated
@Tag(name = "Store")
class ItemResource {

    private final ItemService items;
    private final SecurityIdentity caller;

    ItemResource(ItemService items, SecurityIdentity caller) {
        this.items = items;
        this.caller = caller;
    }

    @PUT
    @Path("/items")
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(204)
    @Operation(operationId = "put_item", summary = "Store an item", description = """
            Replaces an item with the same namespace and key. 404 if the runtime does not store items.""")
    public Uni<Void> put(PutItemRequest request) {
        return items.put(owner(), request);
    }

    @GET
    @Path("/items")
    @APIResponseSchema(value = ItemResponse.class, responseCode = "200")
    @Operation(operationId = "get_item", summary = "Read an item", description = "Returns null if the item does not exist.")
    public Uni<RestResponse<Object>> get(
            @Parameter(description = "Labels, separated by full stops.", required = true) @QueryParam("namespace") @Nullable String namespace,
            @Parameter(required = true) @QueryParam("key") @Nullable String key,
            @Parameter(description = "Whether the time to live begins again; default true.", schema = @Schema(type = SchemaType.BOOLEAN)) @QueryParam("refresh_ttl") @Nullable String refreshTtl) {
        return items.find(owner(), key(namespace, key), !"false".equalsIgnoreCase(refreshTtl))
                .map(found -> RestResponse.ok(found.<Object> map(ItemResponse::from).orElse(NullNode.getInstance())));
    }

    private static ItemKey key(@Nullable String namespace, @Nullable String key) {
        List<String> labels = namespace == null || namespace.isEmpty() ? List.of() : List.of(namespace.split("\\.", -1));
        List<Violation> violations = new ArrayList<>();
        if (labels.isEmpty()) {
            violations.add(Violation.of("namespace", "is required", "missing"));
        } else if (!ValidLabels.Check.isValid(labels)) {
            violations.add(Violation.of("namespace", ValidLabels.Check.MESSAGE, "invalid"));
        }
        if (key == null || key.isEmpty()) {
            violations.add(Violation.of("key", "is required", "missing"));
        } else if (key.length() > ItemKey.MAX_LENGTH) {
            violations.add(Violation.of("key", ItemKey.TOO_LONG, "invalid"));
        } else if (!NoZeroCharacter.OfText.isValid(key)) {
            violations.add(Violation.of("key", NoZeroCharacter.MESSAGE, "invalid"));
        }
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return new ItemKey(labels, String.valueOf(key));
    }

    @DELETE
    @Path("/items")
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(204)
    @Operation(operationId = "delete_item", summary = "Delete an item", description = "Has no effect if the item does not exist.")
    public Uni<Void> delete(DeleteItemRequest request) {
        return items.delete(owner(), request);
    }

    @POST
    @Path("/items/search")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "search_items", summary = "Find items", description = "Returns the last updated items first.")
    public Uni<ItemsResponse> search(SearchItemsRequest request) {
        return items.search(owner(), request)
                .map(found -> new ItemsResponse(found.stream().map(ItemResponse::from).toList()));
    }

    @POST
    @Path("/namespaces")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "search_namespaces", summary = "Find namespaces", description = "Returns the distinct namespaces of items in their order.")
    public Uni<NamespacesResponse> namespaces(SearchNamespacesRequest request) {
        return items.namespaces(owner(), request).map(NamespacesResponse::new);
    }

    private Owner owner() {
        return ThreadOwner.of(caller.getPrincipal().getName());
    }
}
