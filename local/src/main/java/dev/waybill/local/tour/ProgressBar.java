package dev.waybill.local.tour;

import java.io.PrintStream;

/** Prints a progress bar. Without a terminal prints only the completed bar, which keeps logs short. */
public final class ProgressBar implements Progress {

    private static final int WIDTH = 28;

    private final PrintStream out;
    private final boolean terminal;
    private final String label;

    public ProgressBar(PrintStream out, boolean terminal, String label) {
        this.out = out;
        this.terminal = terminal;
        this.label = label;
    }

    @Override
    public void at(long done, long total) {
        boolean full = done >= total;
        if (terminal || full) {
            out.print((terminal ? "\r" : "") + line(done, total) + (full ? "\n" : ""));
            out.flush();
        }
    }

    private String line(long done, long total) {
        int filled = done >= total ? WIDTH : (int) Math.max(0, done * WIDTH / total);
        return String.format("  %-24s %s%s %,d/%,d", label, "█".repeat(filled), "░".repeat(WIDTH - filled), Math.max(0, done),
                total);
    }
}
