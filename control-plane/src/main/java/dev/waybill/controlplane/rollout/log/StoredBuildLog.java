package dev.waybill.controlplane.rollout.log;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.revision.log.LogLine;
import dev.waybill.controlplane.revision.log.RevisionLog;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * The log of the revision that one worker works on. Lines wait in memory, so many at most, and are stored when the lease is
 * renewed and when a step ends; what is stored already is known from the database, so nothing is stored twice or lost when a
 * transaction is undone.
 */
public final class StoredBuildLog implements BuildLog {

    private static final int MOST_WAITING = 2_000;

    private final RevisionLog store;
    private final Clock clock;
    private final int mostLines;
    private final Deque<LogLine> waiting = new ArrayDeque<>();
    private @Nullable UUID tenantId;
    private @Nullable UUID revisionId;
    private Redaction redaction = Redaction.NONE;
    // The position of the first line that waits.
    private long position;
    private long leftOut;

    public StoredBuildLog(RevisionLog store, Clock clock, int mostLines) {
        this.store = store;
        this.clock = clock;
        this.mostLines = mostLines;
    }

    /** From now on lines belong to that revision. */
    public synchronized void belongTo(UUID tenant, UUID revision, Redaction hide, long stored) {
        if (!revision.equals(revisionId)) {
            waiting.clear();
            leftOut = 0;
            tenantId = tenant;
            revisionId = revision;
            position = stored;
        }
        redaction = hide;
    }

    @Override
    public synchronized void line(Phase phase, Stream stream, String text) {
        if (revisionId == null) {
            return;
        }
        if (waiting.size() >= MOST_WAITING || position + waiting.size() >= mostLines) {
            leftOut++;
            return;
        }
        add(phase, stream, text);
    }

    /** A step's reason, hidden like any line. */
    public synchronized String reason(String text) {
        return Shortened.reason(hidden(text));
    }

    private String hidden(String text) {
        return redaction.apply(text.replace('\u0000', ' '));
    }

    /** Stores what waits, in a transaction of whoever holds the lease. */
    public Uni<Void> flush(SqlConnection connection) {
        UUID tenant;
        UUID revision;
        synchronized (this) {
            if (tenantId == null || revisionId == null || (waiting.isEmpty() && leftOut == 0)) {
                return Uni.createFrom().voidItem();
            }
            tenant = tenantId;
            revision = revisionId;
        }
        return store.stored(connection, tenant, revision)
                .chain(stored -> {
                    List<LogLine> lines = unstored(stored);
                    return lines.isEmpty() ? Uni.createFrom().voidItem()
                            : store.append(connection, tenant, revision, stored, lines);
                });
    }

    // What the database has is not ours to keep any more; the rest stays until the database is seen to have it.
    private synchronized List<LogLine> unstored(long stored) {
        while (position < stored && !waiting.isEmpty()) {
            waiting.removeFirst();
            position++;
        }
        position = Math.max(position, stored);
        if (leftOut > 0 && waiting.size() < MOST_WAITING) {
            add(Phase.BUILD, Stream.SYSTEM, leftOut + " lines were left out: they came too fast, or the log is full.");
            leftOut = 0;
        }
        return new ArrayList<>(waiting);
    }

    private void add(Phase phase, Stream stream, String text) {
        waiting.addLast(new LogLine(clock.instant(), phase.name().toLowerCase(Locale.ROOT),
                stream.name().toLowerCase(Locale.ROOT), Shortened.line(hidden(text))));
    }
}
