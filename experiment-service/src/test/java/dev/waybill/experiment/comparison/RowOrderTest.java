package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;

class RowOrderTest {

    @ParameterizedTest
    @CsvSource({ "0, 0", "99999, 0", "100000, 100000", "250000, 200000", "2147483647, 2147400000" })
    void windowBeginsAtAMultipleOfItsLength(int offset, int expected) {
        assertThat(RowOrder.windowOf(new PageParameters(100, offset))).isEqualTo(expected);
    }

    @Test
    void pageContainsTheIdsAtItsOffset() {
        // Given
        RowOrder order = new RowOrder(200_005, RowOrder.WINDOW, ids(5));

        // When
        Page<UUID> page = order.page(new PageParameters(2, RowOrder.WINDOW + 1));

        // Then
        assertThat(page.items()).containsExactly(new UUID(1, 1), new UUID(1, 2));
        assertThat(page.total()).isEqualTo(200_005);
    }

    @Test
    void pageBehindTheLastIdIsEmpty() {
        RowOrder order = new RowOrder(5, 0, ids(5));

        assertThat(order.page(new PageParameters(10, 3)).items()).containsExactly(new UUID(1, 3), new UUID(1, 4));
        assertThat(order.page(new PageParameters(10, 5)).items()).isEmpty();
        assertThat(order.page(new PageParameters(100, 99_999)).items()).isEmpty();
    }

    private static byte[] ids(int count) {
        ByteBuffer ids = ByteBuffer.allocate(16 * count);
        IntStream.range(0, count).forEach(i -> ids.putLong(1).putLong(i));
        return ids.array();
    }
}
