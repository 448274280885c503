package dev.waybill.local.quickstart;

import java.io.PrintStream;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.ProgressBar;

/** Prints the output of the tour. */
final class Terminal {

    private final PrintStream out;
    private final boolean interactive;

    Terminal(PrintStream out, boolean interactive) {
        this.out = out;
        this.interactive = interactive;
    }

    void title(String text) {
        out.println();
        out.println(text);
    }

    void line(String format, @Nullable Object... values) {
        out.println("  " + String.format(format, values));
    }

    void plain(String text) {
        out.println(text);
    }

    Progress bar(String label) {
        return new ProgressBar(out, interactive, label);
    }
}
