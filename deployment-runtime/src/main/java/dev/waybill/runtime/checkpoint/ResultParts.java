package dev.waybill.runtime.checkpoint;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams.BlobPart;
import dev.waybill.runtime.protocol.RequestParams.ResultPart;

/** Receives a result of a request of the runtime that is larger than a line: one value, sent in numbered parts. */
final class ResultParts {

    private final PartReceiver receiver;
    private int next;
    private int total;

    ResultParts(PartReceiver receiver) {
        this.receiver = receiver;
    }

    /** Receives a part; parameters and result are those of {@link PartReceiver#receive}. */
    @Nullable
    String receive(ResultPart part, Consumer<@Nullable Throwable> acknowledged) {
        if (part.part() == 0) {
            next = 0;
            total = part.total();
        }
        if (part.part() != next || part.total() != total) {
            throw new RequestException(Code.INVALID_PARAMS, "`part` must be " + next + " and `total` that of the first part.");
        }
        next++;
        return receiver.receive(new BlobPart(part.request(), total, 0, total, part.bytes()), acknowledged);
    }

    /** Returns the complete result and releases its memory; null if parts are missing. */
    byte @Nullable [] take(long request, int parts) {
        PartialMessage message = receiver.current();
        if (message == null || message.number() != request || parts != next) {
            return null;
        }
        try {
            return message.take(0, total);
        } catch (RequestException e) {
            return null;
        } finally {
            receiver.drop();
        }
    }

    /** Drops the parts; later ones are not accepted. */
    void close() {
        receiver.close();
    }
}
