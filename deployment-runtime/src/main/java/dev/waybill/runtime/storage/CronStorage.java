package dev.waybill.runtime.storage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import io.smallrye.mutiny.Uni;

/** Crons of an owner: requests that start runs on a schedule, which only the caller interprets. JSON is text. */
public interface CronStorage {

    /** Maximum size of a page: a cron can have 320 KiB. */
    int MAX_PAGE_BYTES = 4 << 20;

    /**
     * Creates a cron.
     *
     * @param next date of the first run; null: none
     */
    Uni<StoredCron> create(Owner owner, UUID id, CronSettings settings, @Nullable Instant next);

    /** Returns a cron. */
    Uni<Optional<StoredCron>> find(Owner owner, UUID id);

    /**
     * Returns a page of crons and the number of all that match. The page ends before the cron with which its payloads and
     * metadata would exceed {@link #MAX_PAGE_BYTES}; it has at least one.
     */
    Uni<CronPage> search(Owner owner, CronFilter filter);

    /** Returns the number of crons that match; ignores the filter's page and order. */
    Uni<Long> count(Owner owner, CronFilter filter);

    /** Replaces the settings and the next date; empty if the cron was fired, changed or deleted since it was read. */
    Uni<Optional<StoredCron>> update(StoredCron read, CronSettings settings, @Nullable Instant next);

    /** Deletes a cron; its runs continue. */
    Uni<Boolean> delete(Owner owner, UUID id);

    /** Returns enabled crons of all owners that are due, oldest date first, and the earliest date of the others. */
    Uni<DueCrons> due(int limit);

    /**
     * Starts a run of a due cron and sets its next date, in one transaction. Empty if the cron was fired, changed or deleted
     * since it was read; the run is not stored then. A cron whose thread is missing is deleted.
     */
    Uni<Optional<Begun>> fire(StoredCron due, @Nullable Instant next, NewRun run);

    /**
     * Settings of a cron.
     *
     * @param principal the caller that created it, who owns its runs
     * @param thread null: each run gets a thread of its own
     * @param keepsThreads whether such threads remain
     * @param zone null: UTC
     * @param payload members of the requests for its runs
     */
    record CronSettings(String principal, UUID assistant, @Nullable UUID thread, boolean keepsThreads, String schedule,
            @Nullable String zone, @Nullable Instant end, boolean enabled, String payload, String metadata) {
    }

    /**
     * A stored cron.
     *
     * @param revision number that every change and every fired date increase
     * @param next date of the next run; null: none
     */
    record StoredCron(Owner owner, UUID id, long revision, CronSettings settings, @Nullable Instant next, Instant createdAt,
            Instant updatedAt) {
    }

    /** Crons to fire; the date is the earliest of the others, null if there are none. */
    record DueCrons(List<StoredCron> crons, @Nullable Instant next) {
    }

    /**
     * Selects crons; null: any.
     *
     * @param metadata object that the metadata must contain
     */
    record CronFilter(@Nullable UUID assistant, @Nullable UUID thread, @Nullable Boolean enabled, @Nullable String metadata,
            CronOrder order, boolean ascending, int limit, int offset) {

        /** Selects all crons, newest first. */
        public static CronFilter newest(int limit) {
            return new CronFilter(null, null, null, null, CronOrder.CREATED_AT, false, limit, 0);
        }
    }

    /** Orders of crons, named as their columns; those with equal values are ordered by id, those without a value are last. */
    enum CronOrder {
        /** By id. */
        CRON_ID,
        /** By assistant. */
        ASSISTANT_ID,
        /** By thread. */
        THREAD_ID,
        /** By the time of creation. */
        CREATED_AT,
        /** By the time of the last update. */
        UPDATED_AT,
        /** By the date of the next run. */
        NEXT_RUN_DATE
    }

    /** A page of crons. */
    record CronPage(List<StoredCron> crons, long total) {
    }
}
