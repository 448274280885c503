package dev.waybill.export.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.file.FileStoreFactory;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectSettings;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.verification.ObjectReader.Range;
import dev.waybill.export.verification.ObjectReader.SizeMismatchException;
import io.smallrye.mutiny.Uni;

class ObjectReaderTest {

    private static final int RANGE = ObjectReader.RANGE_BYTES;

    private final ObjectStore store = new FileStoreFactory().open(new BucketAccess(FileStoreFactory.TYPE,
            UUID.randomUUID().toString(), null, null, AddressingStyle.PATH, null, ObjectSettings.DEFAULTS));
    private final ObjectReader reader = new ObjectReader(new Blocking());
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(ints = { 1, RANGE - 1, RANGE, 2 * RANGE - 1, 2 * RANGE, 3 * RANGE + 17 })
    void objectIsReadCompletelyInRanges(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        await(store.put("key", content, "text/plain"));

        await(reader.read(store, "key", size, read::writeBytes));
        assertThat(read.toByteArray()).isEqualTo(content);

        read.reset();
        await(reader.readAtMost(store, "key", size, read::writeBytes));
        assertThat(read.toByteArray()).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(longs = { 1, RANGE, 2L * RANGE - 1, 2L * RANGE, 10L * RANGE + 1, 1L << 40 })
    void rangesCoverTheObjectAndEndWithALongOne(long size) {
        var ranges = ObjectReader.ranges(0, size).toList();

        long end = 0;
        for (Range range : ranges) {
            assertThat(range.offset()).isEqualTo(end);
            assertThat(range.length()).isBetween(1, 2 * RANGE - 1);
            end += range.length();
        }
        assertThat(end).isEqualTo(size);
        assertThat((long) ranges.getLast().length()).isGreaterThanOrEqualTo(Math.min(size, RANGE));
        assertThat(ObjectReader.ranges(size, size)).isEmpty();
    }

    @Test
    void otherSizeIsReportedBeforeTheContentIsUsed() {
        await(store.put("key", new byte[100], "text/plain"));

        assertOtherSize(reader.read(store, "key", 99, read::writeBytes), 100);
        assertOtherSize(reader.read(store, "key", 101, read::writeBytes), 100);
        assertOtherSize(reader.readAtMost(store, "key", 99, read::writeBytes), 100);
        assertThat(read.size()).isZero();
    }

    private static void assertOtherSize(Uni<?> reading, long size) {
        assertThatThrownBy(() -> await(reading)).isInstanceOfSatisfying(SizeMismatchException.class,
                e -> assertThat(e.size()).isEqualTo(size));
    }

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(2));
    }
}
