package dev.waybill.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Base64;
import java.util.Optional;

import org.junit.jupiter.api.Test;

class CheckpointRequestsTest {

    private static final int MIN_LINE = 350 << 10;
    private static final int MEMBERS = 1_000;

    @Test
    void linesThatCannotHaveAPartAreRejected() {
        assertThatIllegalStateException().isThrownBy(() -> requests(MIN_LINE - 1))
                .withMessageContaining("waybill.runtime.worker.max-line-size must be at least 350K");
    }

    @Test
    void partFitsInTheSmallestLine() {
        int part = requests(MIN_LINE).limits().partBytes();

        assertThat(Base64.getEncoder().encode(new byte[part]).length + MEMBERS).isLessThan(MIN_LINE);
    }

    private static CheckpointRequests requests(int maxLineSize) {
        return new CheckpointRequests(run -> Optional.empty(), maxLineSize);
    }
}
