package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Reads a connection's input through one buffer. */
final class BufferedInput {

    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int begin;
    private int end;

    BufferedInput(InputStream in) {
        this.in = in;
    }

    /**
     * Waits until input is available.
     *
     * @return false at the end of the stream
     */
    boolean fill() throws IOException {
        if (begin == end) {
            int read = in.read(buffer, 0, buffer.length);
            begin = 0;
            end = Math.max(0, read);
        }
        return begin < end;
    }

    /** @return the next byte, or -1 at the end of the stream */
    int read() throws IOException {
        return fill() ? buffer[begin++] & 0xff : -1;
    }

    /** @return the number of buffered bytes that belong to the body */
    int available(BodyFraming body) throws IOException {
        return body.consume(buffer, begin, end - begin);
    }

    void transfer(OutputStream out, int length) throws IOException {
        out.write(buffer, begin, length);
        begin += length;
    }

    void skip(int length) {
        begin += length;
    }
}
