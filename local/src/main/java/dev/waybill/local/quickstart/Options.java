package dev.waybill.local.quickstart;

import dev.waybill.local.stack.StackException;

/**
 * What was asked for on the command line.
 *
 * @param exit end after the tour
 * @param keep leave everything running after the tour
 * @param fresh forget earlier data first
 * @param stop only end what {@code --keep} left running
 * @param help only say what there is
 */
record Options(boolean exit, boolean keep, boolean fresh, boolean stop, boolean help) {

    static final String USAGE = """
            ./quickstart           start everything, take the tour, stay up until Ctrl-C
            ./quickstart --exit    end after the tour
            ./quickstart --keep    leave everything running after the tour
            ./quickstart --stop    end what --keep left running
            ./quickstart --fresh   forget earlier data first (goes with the others)
            """;

    static Options parse(String... arguments) {
        boolean exit = false;
        boolean keep = false;
        boolean fresh = false;
        boolean stop = false;
        boolean help = false;
        for (String argument : arguments) {
            switch (argument) {
                case "--exit" -> exit = true;
                case "--keep" -> keep = true;
                case "--fresh" -> fresh = true;
                case "--stop" -> stop = true;
                case "--help", "-h" -> help = true;
                default -> throw new StackException("Unknown option " + argument + "\n" + USAGE);
            }
        }
        if (exit && keep) {
            throw new StackException("--exit and --keep contradict each other\n" + USAGE);
        }
        return new Options(exit, keep, fresh, stop, help);
    }
}
