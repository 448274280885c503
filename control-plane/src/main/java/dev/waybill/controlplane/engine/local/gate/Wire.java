package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** What comes over a connection, read ahead by one buffer at most. */
final class Wire {

    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int begin;
    private int end;

    Wire(InputStream in) {
        this.in = in;
    }

    /** Waits until there is something. @return false at the end */
    boolean fill() throws IOException {
        if (begin == end) {
            int read = in.read(buffer, 0, buffer.length);
            begin = 0;
            end = Math.max(0, read);
        }
        return begin < end;
    }

    /** @return the next byte, or -1 at the end */
    int read() throws IOException {
        return fill() ? buffer[begin++] & 0xff : -1;
    }

    /** @return how much of what is here belongs to the body */
    int offer(Body body) throws IOException {
        return body.take(buffer, begin, end - begin);
    }

    void pass(OutputStream out, int length) throws IOException {
        out.write(buffer, begin, length);
        begin += length;
    }

    void drop(int length) {
        begin += length;
    }
}
