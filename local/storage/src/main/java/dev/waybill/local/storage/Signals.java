package dev.waybill.local.storage;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals that Java's process API does not support. */
final class Signals {

    private Signals() {
    }

    static void send(long pid, String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
