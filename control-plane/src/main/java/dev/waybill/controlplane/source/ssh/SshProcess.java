package dev.waybill.controlplane.source.ssh;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import com.jcraft.jsch.ChannelExec;

import dev.waybill.controlplane.source.guard.GuardedInputStream;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/** Adapts a remote ssh command to the {@link Process} that JGit expects. */
final class SshProcess extends Process {

    private static final int POLL_MILLIS = 10;
    /** Limit of the error output, which JGit buffers in memory. */
    private static final int MAX_ERROR_BYTES = 64 << 10;

    private final ChannelExec channel;
    private final InputStream in;
    private final InputStream errors;
    private final OutputStream out;

    SshProcess(ChannelExec channel, long maxBytes, SourceDeadline deadline) throws IOException {
        this.channel = channel;
        this.in = new GuardedInputStream(channel.getInputStream(), channel::disconnect, maxBytes, deadline);
        this.errors = new TruncatingStream(channel.getErrStream());
        this.out = channel.getOutputStream();
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public InputStream getErrorStream() {
        return errors;
    }

    @Override
    public int waitFor() throws InterruptedException {
        while (!channel.isClosed()) {
            Thread.sleep(POLL_MILLIS);
        }
        return exitValue();
    }

    @Override
    public int exitValue() {
        if (!channel.isClosed()) {
            throw new IllegalThreadStateException("the remote command has not ended");
        }
        return channel.getExitStatus();
    }

    @Override
    public void destroy() {
        channel.disconnect();
    }

    /** Returns the beginning of a stream, and reads and discards the rest, so that the host is not blocked. */
    private static final class TruncatingStream extends FilterInputStream {

        private int remaining = MAX_ERROR_BYTES;

        TruncatingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            while (read > 0 && remaining <= 0) {
                read = super.read(buffer, offset, length);
            }
            remaining -= Math.max(0, read);
            return read;
        }
    }
}
