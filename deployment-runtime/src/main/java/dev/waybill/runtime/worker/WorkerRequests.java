package dev.waybill.runtime.worker;

import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter.RequestLimits;
import dev.waybill.runtime.protocol.RequestException;

/**
 * Executes requests of workers (docs/worker-protocol-threads.md). Without one, the runtime offers version 1 of the protocol
 * only, and workers send no requests.
 */
public interface WorkerRequests {

    /** Returns the limits that workers are sent. */
    RequestLimits limits();

    /** Begins to execute the requests of a run; called for its first one. */
    RunRequests open(UUID run, Connection worker);

    /** Executes the requests of a run. Called by the worker's reading thread, which must not be blocked. */
    interface RunRequests {

        /**
         * Executes a request; exactly one response is sent to the worker, possibly later.
         *
         * @return null, or what the worker sent that the protocol forbids; the run then fails, and further requests too
         */
        @Nullable
        String execute(Message.Call request);

        /** Returns why the last checkpoints of the run cannot be stored; null if they can, or if it sent none. */
        @Nullable
        RequestException refusal();

        /** Returns the result of a request of the runtime that was sent in parts; null if it is incomplete. */
        byte @Nullable [] takeResult(long request, int parts);

        /** Ends the run: rejects further requests and releases parts. Writes in progress are completed. */
        void close();
    }

    /** Connection to the worker of a run. */
    interface Connection {

        /** Sends a line; never blocks. */
        void send(byte[] line);

        /** Returns the types of serialized values that the worker expects as text. */
        Set<String> textTypes();
    }
}
