package dev.waybill.local.quickstart;

import dev.waybill.local.stack.StackException;

/**
 * The command line options.
 *
 * @param exit stop after the tour
 * @param keep leave everything running after the tour
 * @param fresh delete earlier data first
 * @param stop stop the processes that {@code --keep} left running
 * @param help print the usage
 */
record Options(boolean exit, boolean keep, boolean fresh, boolean stop, boolean help) {

    static final String USAGE = """
            ./quickstart           start everything, run the tour, keep running until Ctrl-C
            ./quickstart --exit    stop after the tour
            ./quickstart --keep    leave everything running after the tour
            ./quickstart --stop    stop the processes that --keep left running
            ./quickstart --fresh   delete earlier data first (can be combined with the others)
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
            throw new StackException("--exit and --keep cannot be combined\n" + USAGE);
        }
        return new Options(exit, keep, fresh, stop, help);
    }
}
