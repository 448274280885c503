package dev.waybill.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Assistants of a deployed application: those of its graphs, and stored ones with settings for their runs. */
@Path("/assistants")
@Produces("application/json")
public interface AssistantClient {

    /** Creates an assistant. */
    @POST
    Assistant addAssistant(NewAssistant request);

    /** Counts assistants. */
    @POST
    @Path("/count")
    long countAssistants(AssistantFilter request);

    /** Finds assistants. */
    @POST
    @Path("/search")
    List<Assistant> searchAssistants(AssistantFilter request);

    /** Reads an assistant by its id, or that of a graph by its name. */
    @GET
    @Path("/{assistant_id}")
    Assistant getAssistant(@PathParam("assistant_id") String assistantId);

    /** Changes an assistant, as a new version. */
    @PATCH
    @Path("/{assistant_id}")
    Assistant updateAssistant(@PathParam("assistant_id") String assistantId, AssistantChange request);

    /** Deletes an assistant; with {@code deleteThreads} {@code true} also the threads of its runs. */
    @DELETE
    @Path("/{assistant_id}")
    void deleteAssistant(@PathParam("assistant_id") String assistantId,
            @QueryParam("delete_threads") @Nullable String deleteThreads);

    /** Reads the drawing of an assistant's graph. */
    @GET
    @Path("/{assistant_id}/graph")
    JsonNode getAssistantGraph(@PathParam("assistant_id") String assistantId, @QueryParam("xray") @Nullable String xray);

    /** Makes a version the current one. */
    @POST
    @Path("/{assistant_id}/latest")
    Assistant setLatestAssistantVersion(@PathParam("assistant_id") String assistantId, Version request);

    /** Reads an assistant's schemas. */
    @GET
    @Path("/{assistant_id}/schemas")
    AssistantSchemas getAssistantSchemas(@PathParam("assistant_id") String assistantId);

    /** Reads the schemas of an assistant's subgraphs. */
    @GET
    @Path("/{assistant_id}/subgraphs")
    JsonNode listAssistantSubgraphs(@PathParam("assistant_id") String assistantId,
            @QueryParam("recurse") @Nullable String recurse);

    /** Reads the schemas of a subgraph. */
    @GET
    @Path("/{assistant_id}/subgraphs/{namespace}")
    JsonNode getAssistantSubgraph(@PathParam("assistant_id") String assistantId, @PathParam("namespace") String namespace,
            @QueryParam("recurse") @Nullable String recurse);

    /** Lists versions of an assistant, newest first. */
    @POST
    @Path("/{assistant_id}/versions")
    List<Assistant> listAssistantVersions(@PathParam("assistant_id") String assistantId, VersionFilter request);

    /** An assistant; {@code updatedAt} is null in a list of versions. */
    record Assistant(UUID assistantId, String graphId, String name, @Nullable String description, Map<String, Object> config,
            Map<String, Object> context, Map<String, Object> metadata, int version, Instant createdAt,
            @Nullable Instant updatedAt) {
    }

    /**
     * An assistant to create.
     *
     * @param ifExists {@code raise} (default) or {@code do_nothing}
     */
    record NewAssistant(String graphId, @Nullable UUID assistantId, @Nullable String name, @Nullable String description,
            @Nullable Map<String, Object> config, @Nullable Map<String, Object> context,
            @Nullable Map<String, Object> metadata, @Nullable String ifExists) {
    }

    /** Changes of an assistant; null leaves a part unchanged. Members of the metadata are merged. */
    record AssistantChange(@Nullable String graphId, @Nullable String name, @Nullable String description,
            @Nullable Map<String, Object> config, @Nullable Map<String, Object> context,
            @Nullable Map<String, Object> metadata) {
    }

    /** Number of a version. */
    record Version(int version) {
    }

    /** Selects versions. */
    record VersionFilter(@Nullable Map<String, Object> metadata, @Nullable Integer limit, @Nullable Integer offset) {
    }

    /** JSON Schemas of a graph; null where its worker reports none. */
    record AssistantSchemas(String graphId, @Nullable JsonNode inputSchema, @Nullable JsonNode outputSchema,
            @Nullable JsonNode stateSchema, @Nullable JsonNode configSchema, @Nullable JsonNode contextSchema) {
    }

    /** Selects assistants, which must match all members that are not null. */
    record AssistantFilter(@Nullable String graphId, @Nullable String name, @Nullable Map<String, Object> metadata,
            @Nullable Integer limit, @Nullable Integer offset, @Nullable String sortBy, @Nullable String sortOrder,
            @Nullable List<String> select) {

        public static final AssistantFilter ALL = new AssistantFilter(null, null, null, null, null, null, null, null);
    }
}
