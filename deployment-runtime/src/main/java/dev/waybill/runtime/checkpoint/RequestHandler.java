package dev.waybill.runtime.checkpoint;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.RequestParams.BlobRead;
import dev.waybill.runtime.protocol.RequestParams.CheckpointGet;
import dev.waybill.runtime.protocol.RequestParams.CheckpointQuery;
import dev.waybill.runtime.protocol.RequestParams.CheckpointWrite;
import dev.waybill.runtime.protocol.RequestParams.StoreBatch;
import dev.waybill.runtime.protocol.StoreOperation;

/**
 * Storage of one run, which knows its thread, fence and owner. Methods never block. Writes are called in the order of the
 * worker's lines, by one thread and before earlier ones are complete; they are committed in that order, and complete after the
 * commit. Reads and batches may be called by any thread. A {@link dev.waybill.runtime.protocol.RequestException} is returned to
 * the worker; any other exception is logged.
 */
public interface RequestHandler {

    /** Stores checkpoints with the values of their new versions, and writes of tasks, in one transaction. */
    CompletionStage<Void> store(List<CheckpointWrite> writes);

    /** Retains checkpoints and writes, which are stored in the transaction that ends the run; called after all others. */
    void storeAtEnd(List<CheckpointWrite> writes);

    /** Deletes all checkpoints of the thread. */
    CompletionStage<Void> deleteCheckpoints();

    /** Returns a checkpoint. Called after all earlier writes have completed, as are all methods that read checkpoints. */
    CompletionStage<Optional<CheckpointTuple>> get(CheckpointGet query, InlineLimits limits);

    /** Returns a page of checkpoints, which ends at the query's limit or at that of inline values. */
    CompletionStage<CheckpointTuple.Page> list(CheckpointQuery query, InlineLimits limits);

    /** Returns at most so many bytes of a value that was returned as a reference; none at its end. */
    CompletionStage<byte[]> read(BlobRead read, int maxBytes);

    /** Executes operations of the store; called after earlier batches have completed. */
    CompletionStage<List<StoreOperation.Outcome>> execute(StoreBatch batch, InlineLimits limits);

    /** Provides the handlers of runs. */
    interface Provider {

        /** Returns the handler of a run; empty if the run may not send requests. */
        Optional<RequestHandler> find(UUID run);
    }

    /**
     * Limits of the values in a response; others are returned as references, which are valid until the run has ended.
     *
     * @param valueBytes maximum size of a value
     * @param totalBytes maximum size of all values together
     */
    record InlineLimits(int valueBytes, int totalBytes) {
    }
}
