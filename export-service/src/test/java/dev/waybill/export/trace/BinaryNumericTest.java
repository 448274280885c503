package dev.waybill.export.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.junit.jupiter.api.Test;

import dev.waybill.export.trace.RunRow.BinaryNumeric;

class BinaryNumericTest {

    private static final int NAN = 0xC000;

    @Test
    void decimal18And9IsParsedExactly() throws IOException {
        // 999999999.999999999 and 0.000000001
        assertThat(BinaryNumeric.billionths(numeric(2, 0, 9, 9999, 9999, 9999, 9999, 9000), 0))
                .isEqualTo(999_999_999_999_999_999L);
        assertThat(BinaryNumeric.billionths(numeric(-3, 0, 1000), 0)).isEqualTo(1);
    }

    @Test
    void zeroWithoutDigitsIsParsed() throws IOException {
        assertThat(BinaryNumeric.billionths(numeric(0, 0), 0)).isZero();
    }

    @Test
    void negativeNumbersAreParsed() throws IOException {
        assertThat(BinaryNumeric.billionths(numeric(0, 0x4000, 1, 5000), 0)).isEqualTo(-1_500_000_000L);
    }

    @Test
    void valuesOutsideDecimal18And9AreRejected() {
        assertThatThrownBy(() -> BinaryNumeric.billionths(numeric(0, NAN), 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> BinaryNumeric.billionths(numeric(3, 0, 1), 0)).isInstanceOf(IOException.class);
    }

    private static byte[] numeric(int weight, int sign, int... digits) {
        ByteBuffer bytes = ByteBuffer.allocate(8 + 2 * digits.length)
                .putShort((short) digits.length)
                .putShort((short) weight)
                .putShort((short) sign)
                .putShort((short) 9);
        for (int digit : digits) {
            bytes.putShort((short) digit);
        }
        return bytes.array();
    }
}
