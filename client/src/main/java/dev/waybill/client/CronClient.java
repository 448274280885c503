package dev.waybill.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Crons of a deployed application: requests that start runs on a schedule. */
@Path("/")
@Produces("application/json")
public interface CronClient {

    /** Creates a cron whose runs get a thread each. */
    @POST
    @Path("/runs/crons")
    Cron addCron(NewCron request);

    /** Creates a cron on a thread. */
    @POST
    @Path("/threads/{thread_id}/runs/crons")
    Cron addThreadCron(@PathParam("thread_id") UUID threadId, NewCron request);

    /** Finds crons. */
    @POST
    @Path("/runs/crons/search")
    List<Cron> searchCrons(CronFilter request);

    /** Counts crons. */
    @POST
    @Path("/runs/crons/count")
    long countCrons(CronFilter request);

    /** Changes a cron. */
    @PATCH
    @Path("/runs/crons/{cron_id}")
    Cron updateCron(@PathParam("cron_id") UUID cronId, CronChange request);

    /** Deletes a cron. */
    @DELETE
    @Path("/runs/crons/{cron_id}")
    void deleteCron(@PathParam("cron_id") UUID cronId);

    /**
     * A cron; members that a search did not select are null.
     *
     * @param threadId null if each run gets a thread of its own
     * @param timezone null: UTC
     * @param payload members of the requests for its runs
     * @param nextRunDate null if there is none
     */
    record Cron(UUID cronId, UUID assistantId, @Nullable UUID threadId, String onRunCompleted, @Nullable Instant endTime,
            String schedule, @Nullable String timezone, Instant createdAt, Instant updatedAt, JsonNode payload,
            @Nullable String userId, @Nullable Instant nextRunDate, Map<String, Object> metadata, Boolean enabled) {
    }

    /**
     * A cron to create; members that are null have the default of the runtime.
     *
     * @param schedule minute, hour, day of the month, month, day of the week
     * @param endTime ISO 8601
     * @param onRunCompleted {@code delete} or {@code keep}
     */
    record NewCron(String assistantId, String schedule, @Nullable String timezone, @Nullable String endTime,
            @Nullable Boolean enabled, @Nullable String onRunCompleted, @Nullable JsonNode input,
            @Nullable Map<String, Object> metadata, @Nullable Map<String, Object> config, @Nullable Map<String, Object> context,
            @Nullable String webhook, @Nullable JsonNode interruptBefore, @Nullable JsonNode interruptAfter,
            @Nullable String multitaskStrategy, @Nullable JsonNode streamMode, @Nullable Boolean streamSubgraphs,
            @Nullable Boolean streamResumable, @Nullable String durability) {

        /** Returns a cron with an input. */
        public static NewCron of(String assistantId, String schedule, JsonNode input) {
            return new NewCron(assistantId, schedule, null, null, null, null, input, null, null, null, null, null, null, null,
                    null, null, null, null);
        }
    }

    /** Changes of a cron; a missing member changes nothing. {@code endTime} is a text, or null in JSON for none. */
    record CronChange(@Nullable String schedule, @Nullable String timezone, @Nullable JsonNode endTime,
            @Nullable Boolean enabled, @Nullable String onRunCompleted, @Nullable JsonNode input,
            @Nullable Map<String, Object> metadata, @Nullable Map<String, Object> config, @Nullable Map<String, Object> context,
            @Nullable String webhook, @Nullable JsonNode interruptBefore, @Nullable JsonNode interruptAfter,
            @Nullable JsonNode streamMode, @Nullable Boolean streamSubgraphs, @Nullable Boolean streamResumable,
            @Nullable String durability) {
    }

    /** Selects crons, which must match all members that are not null. */
    record CronFilter(@Nullable UUID assistantId, @Nullable UUID threadId, @Nullable Boolean enabled,
            @Nullable Map<String, Object> metadata, @Nullable Integer limit, @Nullable Integer offset, @Nullable String sortBy,
            @Nullable String sortOrder, @Nullable List<String> select) {

        public static final CronFilter ALL = new CronFilter(null, null, null, null, null, null, null, null, null);
    }
}
