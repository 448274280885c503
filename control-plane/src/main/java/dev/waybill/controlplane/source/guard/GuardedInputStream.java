package dev.waybill.controlplane.source.guard;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import dev.waybill.controlplane.source.SourceException;

/**
 * Limits the time and size of a host's response, and the size of its progress messages, which JGit buffers in memory.
 * Messages are the second side band of git's packet lines.
 */
public final class GuardedInputStream extends FilterInputStream {

    private static final int MAX_MESSAGE_BYTES = 1 << 20;
    private static final int HEADER = 4;
    private static final int MESSAGE_BAND = 2;

    private final Closeable connection;
    private final SourceDeadline deadline;
    private final long maxTotal;
    private long bytesLeft;
    private final byte[] header = new byte[HEADER];
    private int headerRead;
    private int packetLeft;
    private boolean bandKnown = true;
    private boolean message;
    private boolean packets = true;
    private int messagesLeft = MAX_MESSAGE_BYTES;

    /** @param connection closed with the stream, without reading the rest */
    public GuardedInputStream(InputStream in, Closeable connection, long maxTotal, SourceDeadline deadline) {
        super(in);
        this.connection = connection;
        this.maxTotal = maxTotal;
        this.bytesLeft = maxTotal;
        this.deadline = deadline;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        deadline.check();
        int read = super.read(buffer, offset, length);
        deadline.check();
        if (read > 0) {
            bytesLeft -= read;
            countMessages(buffer, offset, read);
        }
        if (bytesLeft < 0 || messagesLeft < 0) {
            throw new SourceException(SourceException.Kind.REFUSED,
                    "The repository's host sends more than the limit of " + (maxTotal >> 20) + " MiB.");
        }
        return read;
    }

    @Override
    public long skip(long length) throws IOException {
        return read(new byte[(int) Math.min(length, 8 << 10)]);
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    /** Closes the connection immediately; an orderly close would read the rest, which can be endless. */
    @Override
    public void close() throws IOException {
        connection.close();
    }

    private void countMessages(byte[] buffer, int offset, int length) {
        int at = offset;
        while (packets && at < offset + length) {
            if (packetLeft == 0) {
                header[headerRead++] = buffer[at++];
                if (headerRead == HEADER) {
                    beginPacket();
                }
            } else {
                if (!bandKnown) {
                    message = buffer[at] == MESSAGE_BAND;
                    bandKnown = true;
                }
                int part = Math.min(packetLeft, offset + length - at);
                packetLeft -= part;
                at += part;
                messagesLeft -= message ? part : 0;
            }
        }
    }

    private void beginPacket() {
        headerRead = 0;
        for (byte digit : header) {
            // Responses without packet lines, from old hosts, have no messages.
            packets &= HexFormat.isHexDigit(digit);
        }
        if (packets) {
            packetLeft = Math.max(0,
                    HexFormat.fromHexDigits(new String(header, StandardCharsets.US_ASCII)) - HEADER);
            bandKnown = false;
            message = false;
        }
    }
}
