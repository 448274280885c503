package dev.waybill.client;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Threads of a deployed application, their states, and items of its store. */
@Path("/")
@Produces("application/json")
public interface ThreadClient {

    /** Stores an item. */
    @PUT
    @Path("/store/items")
    void putItem(NewItem request);

    /** Reads an item; null if it does not exist. */
    @GET
    @Path("/store/items")
    @Nullable
    Item getItem(@QueryParam("namespace") String namespace, @QueryParam("key") String key,
            @QueryParam("refresh_ttl") @Nullable Boolean refreshTtl);

    /** Deletes an item. */
    @DELETE
    @Path("/store/items")
    void deleteItem(ItemKey request);

    /** Finds items. */
    @POST
    @Path("/store/items/search")
    Items searchItems(ItemFilter request);

    /** Finds namespaces. */
    @POST
    @Path("/store/namespaces")
    Namespaces searchNamespaces(NamespaceFilter request);

    /** Creates a thread. */
    @POST
    @Path("/threads")
    Thread startThread(NewThread request);

    /** Counts threads. */
    @POST
    @Path("/threads/count")
    long countThreads(ThreadFilter request);

    /** Deletes threads, or all but their newest checkpoints. */
    @POST
    @Path("/threads/prune")
    PrunedThreads pruneThreads(ThreadPruning request);

    /** Finds threads. */
    @POST
    @Path("/threads/search")
    List<Thread> searchThreads(ThreadFilter request);

    /** Reads a thread. */
    @GET
    @Path("/threads/{thread_id}")
    Thread getThread(@PathParam("thread_id") UUID threadId);

    /** Changes a thread. */
    @PATCH
    @Path("/threads/{thread_id}")
    Thread updateThread(@PathParam("thread_id") UUID threadId, ThreadChange request);

    /** Deletes a thread. */
    @DELETE
    @Path("/threads/{thread_id}")
    void deleteThread(@PathParam("thread_id") UUID threadId);

    /** Copies a thread. */
    @POST
    @Path("/threads/{thread_id}/copy")
    Thread copyThread(@PathParam("thread_id") UUID threadId);

    /** Reads the newest state of a thread. */
    @GET
    @Path("/threads/{thread_id}/state")
    ThreadState getThreadState(@PathParam("thread_id") UUID threadId, @QueryParam("subgraphs") @Nullable Boolean subgraphs);

    /** Reads the state of a thread at a checkpoint. */
    @GET
    @Path("/threads/{thread_id}/state/{checkpoint_id}")
    ThreadState getThreadStateAt(@PathParam("thread_id") UUID threadId, @PathParam("checkpoint_id") UUID checkpointId,
            @QueryParam("subgraphs") @Nullable Boolean subgraphs);

    /** Reads the state of a thread at a checkpoint with a namespace. */
    @POST
    @Path("/threads/{thread_id}/state/checkpoint")
    ThreadState getThreadCheckpoint(@PathParam("thread_id") UUID threadId, StateSelection request);

    /** Changes the state of a thread. */
    @POST
    @Path("/threads/{thread_id}/state")
    UpdatedState updateThreadState(@PathParam("thread_id") UUID threadId, StateUpdate request);

    /** Lists the states of a thread, newest first. */
    @GET
    @Path("/threads/{thread_id}/history")
    List<ThreadState> listThreadStates(@PathParam("thread_id") UUID threadId, @QueryParam("limit") @Nullable Integer limit,
            @QueryParam("before") @Nullable UUID before);

    /** Finds states of a thread, newest first. */
    @POST
    @Path("/threads/{thread_id}/history")
    List<ThreadState> searchThreadStates(@PathParam("thread_id") UUID threadId, StateFilter request);

    /**
     * A thread to create.
     *
     * @param threadId null: a new id
     * @param ifExists {@code raise} (default) or {@code do_nothing}
     * @param ttl minutes, or an object with {@code ttl} and {@code strategy}
     * @param supersteps states of the new thread, one after the other; they need {@code graph_id} in the metadata
     */
    record NewThread(@Nullable UUID threadId, @Nullable Map<String, Object> metadata, @Nullable String ifExists,
            @Nullable JsonNode ttl, @Nullable List<Superstep> supersteps) {

        /** A new thread without metadata and states. */
        public static final NewThread EMPTY = new NewThread(null, null, null, null, null);
    }

    /** Updates that create one state together. */
    record Superstep(List<SuperstepUpdate> updates) {
    }

    /**
     * An update of a superstep.
     *
     * @param values values of the node; null with a command
     * @param command update, goto and resume, as that of a run; null with values
     * @param asNode node that returns the values
     */
    record SuperstepUpdate(@Nullable JsonNode values, @Nullable JsonNode command, @Nullable String asNode) {
    }

    /** Changes of a thread; null leaves a part unchanged. */
    record ThreadChange(@Nullable Map<String, Object> metadata, @Nullable JsonNode ttl) {
    }

    /** Selects threads, which must match all members that are not null. */
    record ThreadFilter(@Nullable List<UUID> ids, @Nullable Map<String, Object> metadata,
            @Nullable Map<String, Object> values, @Nullable String status, @Nullable Integer limit, @Nullable Integer offset,
            @Nullable String sortBy, @Nullable String sortOrder, @Nullable List<String> select) {

        public static final ThreadFilter ALL = new ThreadFilter(null, null, null, null, null, null, null, null, null);
    }

    /**
     * Threads to prune.
     *
     * @param strategy {@code delete} (default) or {@code keep_latest}
     */
    record ThreadPruning(List<UUID> threadIds, @Nullable String strategy) {
    }

    /** Number of threads that were pruned. */
    record PrunedThreads(int prunedCount) {
    }

    /**
     * A thread; members that a search did not select are null.
     *
     * @param status {@code idle}, {@code busy}, {@code interrupted} or {@code error}
     * @param values values of the last run; null before the first one has ended
     */
    record Thread(@Nullable UUID threadId, @Nullable Instant createdAt, @Nullable Instant updatedAt,
            @Nullable Instant stateUpdatedAt, @Nullable JsonNode metadata, @Nullable String status, @Nullable JsonNode config,
            @Nullable JsonNode values, @Nullable JsonNode interrupts, @Nullable JsonNode error) {
    }

    /**
     * An item to store.
     *
     * @param ttl minutes; null: no limit
     */
    record NewItem(List<String> namespace, String key, Map<String, Object> value, @Nullable BigDecimal ttl) {
    }

    /** Namespace and key of an item. */
    record ItemKey(List<String> namespace, String key) {
    }

    /** Selects items, which must match all members that are not null. */
    record ItemFilter(@Nullable List<String> namespacePrefix, @Nullable Map<String, Object> filter, @Nullable Integer limit,
            @Nullable Integer offset, @Nullable Boolean refreshTtl) {
    }

    /** Selects namespaces, which must match all members that are not null. */
    record NamespaceFilter(@Nullable List<String> prefix, @Nullable List<String> suffix, @Nullable Integer maxDepth,
            @Nullable Integer limit, @Nullable Integer offset) {
    }

    /** An item of the store. */
    record Item(List<String> namespace, String key, JsonNode value, Instant createdAt, Instant updatedAt) {
    }

    /** Items of a search. */
    record Items(List<Item> items) {
    }

    /** Namespaces of a search. */
    record Namespaces(List<List<String>> namespaces) {
    }

    /** A checkpoint of a thread; an empty namespace is the graph itself, a null id the newest checkpoint. */
    record Checkpoint(@Nullable UUID threadId, @Nullable String checkpointNs, @Nullable UUID checkpointId,
            @Nullable Map<String, Object> checkpointMap) {
    }

    /** A state of a thread; {@code checkpoint} is null before the first one. */
    record ThreadState(JsonNode values, List<String> next, List<JsonNode> tasks, JsonNode metadata, @Nullable String createdAt,
            @Nullable Checkpoint checkpoint, @Nullable Checkpoint parentCheckpoint, List<JsonNode> interrupts) {
    }

    /** Selects a state. */
    record StateSelection(@Nullable Checkpoint checkpoint, @Nullable Boolean subgraphs) {
    }

    /**
     * An update of a state.
     *
     * @param asNode node that returns the values; null: the last one
     * @param checkpoint checkpoint that the update forks; null: the newest one, or that of {@code checkpointId}
     */
    record StateUpdate(@Nullable JsonNode values, @Nullable String asNode, @Nullable Checkpoint checkpoint,
            @Nullable UUID checkpointId) {
    }

    /** The checkpoint that an update created. */
    record UpdatedState(Checkpoint checkpoint, Checkpoint configurable) {
    }

    /**
     * Selects states.
     *
     * @param before id of the checkpoint before which the states are
     * @param metadata members that the metadata must contain
     */
    record StateFilter(@Nullable Integer limit, @Nullable UUID before, @Nullable Map<String, Object> metadata,
            @Nullable Checkpoint checkpoint) {
    }
}
