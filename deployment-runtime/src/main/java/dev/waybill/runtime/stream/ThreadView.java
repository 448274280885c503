package dev.waybill.runtime.stream;

import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Selection and format of a thread's events for a client. */
interface ThreadView {

    /** Returns the path of the stream. */
    String path(UUID thread);

    /** Returns the address at which clients that lost their connection continue; null if they repeat their request. */
    @Nullable
    String location(UUID thread);

    /** Returns whether the client reads the states after updates. */
    boolean includesStates();

    /** @param drained called when a client that did not read does again */
    ThreadEventSink sink(StreamConnection client, Runnable drained);

    /** The events of the runs as they are. */
    record Events(Set<ThreadStreamMode> modes) implements ThreadView {

        @Override
        public String path(UUID thread) {
            return "/threads/" + thread + "/stream";
        }

        @Override
        public String location(UUID thread) {
            return path(thread) + "?" + ThreadStreamMode.query(modes);
        }

        @Override
        public boolean includesStates() {
            return modes.contains(ThreadStreamMode.STATE_UPDATE);
        }

        @Override
        public ThreadEventSink sink(StreamConnection client, Runnable drained) {
            return new ThreadEventWriter(client, modes, drained);
        }
    }
}
