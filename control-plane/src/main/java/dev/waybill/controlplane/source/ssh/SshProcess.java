package dev.waybill.controlplane.source.ssh;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import com.jcraft.jsch.ChannelExec;

import dev.waybill.controlplane.source.guard.Deadline;
import dev.waybill.controlplane.source.guard.GuardedInputStream;

/** A program at the host, as git wants to see it. */
final class SshProcess extends Process {

    private static final int LOOK_MILLIS = 10;
    /** What people are told; git keeps it in memory. */
    private static final int MOST_ERRORS = 64 << 10;

    private final ChannelExec channel;
    private final InputStream in;
    private final InputStream errors;
    private final OutputStream out;

    SshProcess(ChannelExec channel, long mostBytes, Deadline deadline) throws IOException {
        this.channel = channel;
        this.in = new GuardedInputStream(channel.getInputStream(), channel::disconnect, mostBytes, deadline);
        this.errors = new First(channel.getErrStream());
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
            Thread.sleep(LOOK_MILLIS);
        }
        return exitValue();
    }

    @Override
    public int exitValue() {
        if (!channel.isClosed()) {
            throw new IllegalThreadStateException("it has not ended");
        }
        return channel.getExitStatus();
    }

    @Override
    public void destroy() {
        channel.disconnect();
    }

    /** The beginning; the rest is read and dropped, so that the host does not wait for its being read. */
    private static final class First extends FilterInputStream {

        private int left = MOST_ERRORS;

        First(InputStream in) {
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
            while (read > 0 && left <= 0) {
                read = super.read(buffer, offset, length);
            }
            left -= Math.max(0, read);
            return read;
        }
    }
}
