package dev.waybill.experiment.body;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

import dev.waybill.common.problem.ProblemException;

/** Throws after more than a number of bytes. */
final class LimitedInputStream extends FilterInputStream {

    private final Supplier<ProblemException> tooLarge;
    private long remaining;

    LimitedInputStream(InputStream in, long limit, Supplier<ProblemException> tooLarge) {
        super(in);
        this.remaining = limit;
        this.tooLarge = tooLarge;
    }

    @Override
    public int read() throws IOException {
        int count = super.read();
        count(count < 0 ? 0 : 1);
        return count;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        count(Math.max(0, count));
        return count;
    }

    private void count(int bytes) {
        remaining -= bytes;
        if (remaining < 0) {
            throw tooLarge.get();
        }
    }
}
