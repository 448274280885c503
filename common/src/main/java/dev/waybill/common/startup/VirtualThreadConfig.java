package dev.waybill.common.startup;

/**
 * How many threads of the system carry virtual ones. A virtual thread that waits while the JVM loads or initializes a class for
 * it
 * keeps its carrier. With as few carriers as cores, all of them can be kept by threads that wait for one that has none any
 * more,
 * and then no work that crosses {@code Blocking} ends ever again: so a service of two cores could be silenced by its first four
 * requests (docs/decisions/0089).
 */
final class VirtualThreadConfig {

    private static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";
    private static final int FEWEST = 32;

    private VirtualThreadConfig() {
    }

    /** Before the first virtual thread: what the JVM was told otherwise on its command line stays. */
    static void provide() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY,
                    Integer.toString(Math.max(FEWEST, Runtime.getRuntime().availableProcessors())));
        }
    }
}
