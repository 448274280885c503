package dev.waybill.runtime.stream;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.runtime.run.RunResponse;

/**
 * The runs of a streamed thread whose events were not sent yet, in the order in which they were executed. A run of this replica
 * is sent when a list of the thread's runs, read after its start, was added: before that, earlier runs of other replicas may be
 * unknown.
 */
final class ThreadRunQueue {

    private final Set<UUID> listed = new HashSet<>();
    private Map<UUID, ThreadRunSource> sources = new LinkedHashMap<>();

    /** Reason why events were not sent. */
    enum Waiting {
        /** Events, or the client. */
        EVENTS,
        /** A list of the thread's runs. */
        LIST,
        /** Other work of the event loop. */
        EVENT_LOOP
    }

    /** Events that are converted for one client before the event loop serves others: all runs of a thread can have many. */
    static final class ReadBudget {

        private static final int MAX_BYTES = 256 << 10;

        private int bytes;

        void add(int read) {
            bytes += read;
        }

        boolean isSpent() {
            return bytes >= MAX_BYTES;
        }
    }

    void add(ThreadRunSource source) {
        sources.put(source.id(), source);
    }

    /** Returns the runs that have started; a list that is read from now on contains all runs before them. */
    Set<UUID> started() {
        return sources.values().stream().filter(ThreadRunSource::hasStarted).map(ThreadRunSource::id)
                .collect(Collectors.toSet());
    }

    /** Notes that a list was read after these runs had started. */
    void listed(Set<UUID> started) {
        started.stream().filter(sources::containsKey).forEach(listed::add);
    }

    /** Orders the runs by their ends: a thread executes one at a time. */
    void order(List<RunResponse> page) {
        Map<UUID, Instant> ends = page.stream().filter(run -> run.status().isFinal())
                .collect(Collectors.toMap(RunResponse::runId, RunResponse::updatedAt));
        Map<UUID, ThreadRunSource> ordered = new LinkedHashMap<>();
        sources.values().stream()
                .sorted(Comparator.comparing((ThreadRunSource source) -> !source.hasBegun())
                        .thenComparing(source -> ends.getOrDefault(source.id(), Instant.MAX)))
                .forEach(source -> ordered.put(source.id(), source));
        sources = ordered;
    }

    /** Sends the events of the runs one after the other; pending ones must not block those that start before them. */
    Waiting send(ThreadEventSink sink) {
        ReadBudget budget = new ReadBudget();
        for (ThreadRunSource source : List.copyOf(sources.values())) {
            if (!source.hasStarted()) {
                continue;
            }
            if (!listed.contains(source.id())) {
                return Waiting.LIST;
            }
            if (!source.send(sink, budget)) {
                return budget.isSpent() ? Waiting.EVENT_LOOP : Waiting.EVENTS;
            }
            sources.remove(source.id());
            listed.remove(source.id());
            source.close();
        }
        return Waiting.EVENTS;
    }

    void close() {
        sources.values().forEach(ThreadRunSource::close);
        sources.clear();
    }
}
