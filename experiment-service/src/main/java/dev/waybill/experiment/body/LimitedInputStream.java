package dev.waybill.experiment.body;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

import dev.waybill.common.problem.ProblemException;

/** Refuses what comes after so many bytes. */
final class LimitedInputStream extends FilterInputStream {

    private final Supplier<ProblemException> tooLarge;
    private long left;

    LimitedInputStream(InputStream in, long limit, Supplier<ProblemException> tooLarge) {
        super(in);
        this.left = limit;
        this.tooLarge = tooLarge;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int bytes) {
        left -= bytes;
        if (left < 0) {
            throw tooLarge.get();
        }
    }
}
