package dev.waybill.local.quickstart;

import java.io.PrintStream;

import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.ProgressBar;

/** Where the person reads. */
final class Screen {

    private final PrintStream out;
    private final boolean terminal;

    Screen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void title(String text) {
        out.println();
        out.println(text);
    }

    void line(String format, Object... values) {
        out.println("  " + String.format(format, values));
    }

    void plain(String text) {
        out.println(text);
    }

    Progress bar(String label) {
        return new ProgressBar(out, terminal, label);
    }
}
