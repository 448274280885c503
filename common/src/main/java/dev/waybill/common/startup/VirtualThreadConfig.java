package dev.waybill.common.startup;

/**
 * Sets the number of platform threads that carry virtual threads. A virtual thread that waits for class loading or
 * initialization pins its carrier. With one carrier per core, all carriers can be pinned by threads that wait for one without a
 * carrier, and blocking work stops forever: the first four requests could deadlock a service with two cores
 * (docs/decisions/0089).
 */
final class VirtualThreadConfig {

    private static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";
    private static final int MIN_PARALLELISM = 32;

    private VirtualThreadConfig() {
    }

    /** Sets the number unless the command line of the JVM sets it. Must be called before the first virtual thread starts. */
    static void apply() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY,
                    Integer.toString(Math.max(MIN_PARALLELISM, Runtime.getRuntime().availableProcessors())));
        }
    }
}
