package dev.waybill.export.verification;

import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStore.ObjectRange;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Reads objects once, in ranges. A range is a call of its own, which the client of the store repeats after a failure, and the
 * only part of the object in memory.
 */
@Singleton
class ObjectReader {

    /** Length of all ranges but the last one, which is shorter than twice this length. */
    static final int RANGE_BYTES = 2 << 20;

    private final Blocking blocking;

    ObjectReader(Blocking blocking) {
        this.blocking = blocking;
    }

    /** Reads an object of known size. Fails with {@link SizeMismatchException} if it has another size. */
    Uni<Void> read(ObjectStore store, String key, long size, Consumer<byte[]> consumer) {
        return readRanges(store, key, 0, size, consumer);
    }

    /** Reads an object of at most {@code maxBytes}. Fails with {@link SizeMismatchException} if it is larger. */
    Uni<Void> readAtMost(ObjectStore store, String key, long maxBytes, Consumer<byte[]> consumer) {
        return store.getRange(key, 0, RANGE_BYTES)
                .invoke(range -> requireAtMost(maxBytes, range.size()))
                .call(range -> consume(range.content(), consumer))
                .chain(range -> readRanges(store, key, range.content().length, range.size(), consumer));
    }

    private Uni<Void> readRanges(ObjectStore store, String key, long offset, long size, Consumer<byte[]> consumer) {
        return Multi.createFrom().items(ranges(offset, size))
                .onItem().transformToUniAndConcatenate(range -> store.getRange(key, range.offset(), range.length())
                        .map(found -> content(found, range, size))
                        .chain(content -> consume(content, consumer)))
                .collect().last();
    }

    private Uni<Void> consume(byte[] content, Consumer<byte[]> consumer) {
        return blocking.run(() -> consumer.accept(content));
    }

    /** Returns the ranges from {@code offset} to the end of an object. */
    static Stream<Range> ranges(long offset, long size) {
        long rest = size - offset;
        long count = rest <= 0 ? 0 : Math.max(1, rest / RANGE_BYTES);
        return LongStream.range(0, count).mapToObj(number -> {
            long start = offset + number * RANGE_BYTES;
            return new Range(start, (int) (number == count - 1 ? size - start : RANGE_BYTES));
        });
    }

    private static byte[] content(ObjectRange found, Range range, long size) {
        if (found.size() != size) {
            throw new SizeMismatchException(found.size());
        }
        if (found.content().length != range.length()) {
            throw new StorageException(StorageProblem.UNAVAILABLE, "the store returned " + found.content().length
                    + " bytes of a range of " + range.length());
        }
        return found.content();
    }

    private static void requireAtMost(long maxBytes, long size) {
        if (size > maxBytes) {
            throw new SizeMismatchException(size);
        }
    }

    /** A range of an object. */
    record Range(long offset, int length) {
    }

    /** The object has another size than expected. */
    static final class SizeMismatchException extends RuntimeException {

        private final long size;

        private SizeMismatchException(long size) {
            super("the object has " + size + " bytes", null, false, false);
            this.size = size;
        }

        long size() {
            return size;
        }
    }
}
