package dev.waybill.runtime.checkpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.checkpoint.RequestHandler.InlineLimits;
import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter.RequestLimits;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams;
import dev.waybill.runtime.protocol.RequestParams.BlobPart;
import dev.waybill.runtime.protocol.RequestParams.CheckpointWrite;
import dev.waybill.runtime.protocol.RequestReader;
import dev.waybill.runtime.protocol.ResponseWriter;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;
import dev.waybill.runtime.worker.WorkerRequests.Connection;
import dev.waybill.runtime.worker.WorkerRequests.RunRequests;

/**
 * Executes the requests of one run: decodes them, limits those without a response, and calls the handler in the order of the
 * lines. Reads wait for earlier writes, batches of the store for earlier batches.
 */
final class RunExecutor implements RunRequests {

    private static final Logger LOG = Logger.getLogger(RunExecutor.class);
    private static final Set<String> WRITES = Set.of("checkpoint/put", "checkpoint/putWrites", "checkpoint/batch",
            "store/batch");
    /** A checkpoint without large values is always part of one line. */
    private static final int MAX_BODY = 1 << 20;
    /** The last checkpoints of a run, which are in memory until its end is stored. */
    private static final int MAX_LAST = 256 << 10;
    /** JSON of a state is larger than its serialized values, and a worker may send final values besides it. */
    private static final int RESULT_STATES = 2;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final @Nullable RequestHandler handler;
    private final Connection worker;
    private final Shared shared;
    private final ResponseWriter responses;
    private final RunWindow window;
    private final StateSize state;
    private final PartReceiver values;
    private final ResultParts results;
    private CompletableFuture<?> writes = CompletableFuture.completedFuture(null);
    private CompletableFuture<?> reads = CompletableFuture.completedFuture(null);
    private CompletableFuture<?> batches = CompletableFuture.completedFuture(null);
    private final AtomicInteger openWrites = new AtomicInteger();
    private boolean sentLast;
    private volatile boolean closed;
    private @Nullable String violation;
    private @Nullable RequestException refusal;

    /** Objects that all runs of the process share. */
    record Shared(RequestReader reader, RequestLimits limits, RequestMemory memory, InlineLimits inline, int maxLineSize) {
    }

    /** @param handler executes the decoded requests; null if the run may not send any */
    RunExecutor(@Nullable RequestHandler handler, Connection worker, Shared shared) {
        this.handler = handler;
        this.worker = worker;
        this.shared = shared;
        this.responses = new ResponseWriter(worker.textTypes());
        this.window = new RunWindow(shared.limits().windowBytes());
        this.state = new StateSize(shared.limits().stateBytes());
        this.values = new PartReceiver(shared.memory(), shared.limits().stateBytes());
        this.results = new ResultParts(
                new PartReceiver(shared.memory(), RESULT_STATES * shared.limits().stateBytes()));
    }

    /** Returns the failure of a request for which the process has no memory. */
    static RequestException noMemory() {
        return new RequestException(Code.STORAGE_UNAVAILABLE, "The runtime has no memory for the request.", RETRY_AFTER);
    }

    @Override
    public @Nullable String execute(Message.Call message) {
        if (message.method().equals(Message.Call.LAST)) {
            return closed ? violation : last(message);
        }
        if (closed) {
            worker.send(ResponseWriter.failure(message.id(), new RequestException(Code.RUN_ENDED, "The run has ended.")));
            return violation;
        }
        if (sentLast && message.method().startsWith("checkpoint/")) {
            return violated(message.method() + " after the last checkpoints");
        }
        int cost = WRITES.contains(message.method()) ? message.cost() : 0;
        if (!window.tryAdd(cost)) {
            return violated("more requests without waiting for responses than the run may have");
        }
        Exchange exchange = new Exchange(message.id(), cost);
        try {
            exchange.reserve();
            String forbidden = dispatch(shared.reader().read(message, exchange), exchange);
            return forbidden == null ? null : violated(forbidden);
        } catch (RuntimeException e) {
            exchange.fail(e);
            return null;
        }
    }

    /** Retains the last checkpoints until the end of the run, which fails if they cannot be stored. */
    private @Nullable String last(Message.Call message) {
        if (sentLast) {
            return violated("last checkpoints more than once");
        }
        sentLast = true;
        if (openWrites.get() > 0) {
            return violated("last checkpoints without waiting for the responses to others");
        }
        if (message.cost() > MAX_LAST) {
            return violated("last checkpoints of more than " + MAX_LAST + " bytes");
        }
        try {
            if (shared.reader().read(message, RunExecutor::noPart) instanceof RequestParams.CheckpointBatch batch) {
                batch.operations().forEach(this::require);
                requireHandler().storeAtEnd(batch.operations());
            }
        } catch (RequestException e) {
            refusal = e;
        }
        return null;
    }

    private static byte[] noPart(int part, int size) {
        throw new RequestException(Code.INVALID_PARAMS, "Values of last checkpoints cannot be sent in parts.");
    }

    @Override
    public @Nullable RequestException refusal() {
        return refusal;
    }

    /** Ends the run with an error. Its result is rejected, too, because it may refer to checkpoints that are not stored. */
    private String violated(String forbidden) {
        violation = forbidden;
        if (refusal == null) {
            refusal = new RequestException(Code.INVALID_PARAMS, "The worker sent " + forbidden + ".");
        }
        close();
        return forbidden;
    }

    private @Nullable String dispatch(RequestParams request, Exchange exchange) {
        switch (request) {
            case CheckpointWrite write -> store(exchange, List.of(write));
            case RequestParams.CheckpointBatch batch -> store(exchange, batch.operations());
            case RequestParams.CheckpointsDelete ignored -> write(exchange, RequestHandler::deleteCheckpoints);
            case RequestParams.CheckpointGet query -> read(exchange, storage -> storage.get(query, shared.inline()),
                    found -> checkpoint(exchange, found.orElse(null)));
            case RequestParams.CheckpointQuery query -> read(exchange, storage -> storage.list(query, shared.inline()),
                    page -> responses.page(exchange.id, page));
            case RequestParams.BlobRead read -> read(exchange, storage -> storage.read(read, shared.limits().partBytes()),
                    bytes -> responses.bytes(exchange.id, bytes));
            case RequestParams.StoreBatch batch -> {
                CompletableFuture<List<Outcome>> result = after(batches, storage -> storage.execute(batch, shared.inline()));
                batches = result;
                complete(exchange, result, outcomes -> responses.outcomes(exchange.id, outcomes));
            }
            case BlobPart part -> {
                requireHandler();
                return values.receive(part, exchange::acknowledge);
            }
            // Also for runs without storage, whose results may be as large.
            case RequestParams.ResultPart part -> {
                return results.receive(part, exchange::acknowledge);
            }
        }
        return null;
    }

    private RequestHandler requireHandler() {
        if (handler == null) {
            throw new RequestException(Code.RUN_ENDED, "The run has no storage.");
        }
        return handler;
    }

    private byte[] checkpoint(Exchange exchange, @Nullable CheckpointTuple tuple) {
        if (tuple != null) {
            state.read(tuple);
        }
        return responses.checkpoint(exchange.id, tuple);
    }

    /** Stores checkpoints and writes up to the first that is invalid. */
    private void store(Exchange exchange, List<CheckpointWrite> operations) {
        List<CheckpointWrite> valid = new ArrayList<>();
        RequestException invalid = null;
        for (CheckpointWrite operation : operations) {
            try {
                require(operation);
                valid.add(operation);
            } catch (RequestException e) {
                invalid = e;
                break;
            }
        }
        if (invalid == null) {
            write(exchange, storage -> storage.store(valid));
        } else if (valid.isEmpty()) {
            throw invalid;
        } else {
            CompletionStage<Void> refused = CompletableFuture.failedFuture(invalid);
            write(exchange, storage -> storage.store(valid).thenCompose(stored -> refused));
        }
    }

    private void require(CheckpointWrite operation) {
        if (operation instanceof RequestParams.CheckpointPut put) {
            byte[] body = put.checkpoint().bytes();
            if (body == null || body.length > MAX_BODY) {
                throw new RequestException(Code.VALUE_TOO_LARGE,
                        "`checkpoint` must have 0 to " + MAX_BODY + " bytes without the values of its channels.");
            }
            state.require(put);
        }
    }

    /** Calls the handler at once: it commits writes in the order of their calls. */
    private void write(Exchange exchange, Function<RequestHandler, CompletionStage<Void>> call) {
        exchange.isWrite = true;
        openWrites.incrementAndGet();
        CompletableFuture<Void> stored = call(call);
        writes = CompletableFuture.allOf(settled(writes), settled(stored));
        complete(exchange, stored, ignored -> responses.done(exchange.id));
    }

    private <T> void read(Exchange exchange, Function<RequestHandler, CompletionStage<T>> call, Function<T, byte[]> response) {
        CompletableFuture<T> result = after(CompletableFuture.allOf(settled(writes), settled(reads)), call);
        reads = result;
        complete(exchange, result, response);
    }

    private <T> CompletableFuture<T> after(CompletableFuture<?> earlier, Function<RequestHandler, CompletionStage<T>> call) {
        return settled(earlier).thenCompose(ignored -> call(call));
    }

    private static CompletableFuture<?> settled(CompletableFuture<?> stage) {
        return stage.exceptionally(failure -> null);
    }

    private <T> CompletableFuture<T> call(Function<RequestHandler, CompletionStage<T>> call) {
        try {
            return call.apply(requireHandler()).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> void complete(Exchange exchange, CompletableFuture<T> stage, Function<T, byte[]> response) {
        stage.whenComplete((result, failure) -> {
            if (failure == null) {
                exchange.respond(response, result);
            } else {
                exchange.fail(failure);
            }
        });
    }

    @Override
    public byte @Nullable [] takeResult(long request, int parts) {
        return results.take(request, parts);
    }

    @Override
    public void close() {
        closed = true;
        values.close();
        results.close();
    }

    /** A request until its response is sent: its part of the window and its memory. */
    private final class Exchange implements RequestReader.Parts {

        private final long id;
        private final int cost;
        private boolean reserved;
        private boolean isWrite;
        private @Nullable PartialMessage message;

        Exchange(long id, int cost) {
            this.id = id;
            this.cost = cost;
        }

        /** Reserves the memory of the line. A message whose values were sent before gets in, otherwise they would block it. */
        void reserve() {
            reserved = shared.memory().tryReserve(cost);
            if (!reserved && values.current() == null) {
                throw noMemory();
            }
        }

        @Override
        public byte[] take(int part, int size) {
            PartialMessage received = message == null ? values.current() : message;
            if (received == null) {
                throw new RequestException(Code.INVALID_PARAMS, "The value of part " + part + " was not sent before.");
            }
            if (message == null) {
                message = received;
                values.detach(received);
            }
            return received.take(part, size);
        }

        <T> void respond(Function<T, byte[]> response, T result) {
            byte[] line;
            try {
                line = response.apply(result);
            } catch (RuntimeException e) {
                fail(e);
                return;
            }
            if (line.length > shared.maxLineSize()) {
                fail(new RequestException(Code.VALUE_TOO_LARGE, "The response exceeds the size of a line."));
                return;
            }
            end(line, false);
        }

        void acknowledge(@Nullable Throwable failure) {
            if (failure == null) {
                end(responses.done(id), false);
            } else {
                fail(failure);
            }
        }

        void fail(Throwable thrown) {
            Throwable failure = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (failure instanceof RequestException refused) {
                end(ResponseWriter.failure(id, refused), refused.code() == Code.STORAGE_UNAVAILABLE);
            } else {
                LOG.error("could not execute a request of a worker", failure);
                end(ResponseWriter.failure(id,
                        new RequestException(Code.INTERNAL, "The runtime could not execute the request.")), false);
            }
        }

        /** Releases window and memory before the response, so that the worker can use them when it receives it. */
        private void end(byte[] line, boolean repeatable) {
            PartialMessage sent = message;
            if (sent != null && !(repeatable && values.restore(sent))) {
                shared.memory().release(sent.total());
            }
            if (reserved) {
                shared.memory().release(cost);
            }
            window.remove(cost);
            if (isWrite) {
                openWrites.decrementAndGet();
            }
            worker.send(line);
        }
    }
}
