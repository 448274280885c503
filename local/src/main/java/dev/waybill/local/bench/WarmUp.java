package dev.waybill.local.bench;

import dev.waybill.local.stack.ServiceKind;

/**
 * Repeats exports until the JVM has little left to compile of them: what is compiled once in a process's life is not what a
 * day or a row costs. What it took is told, because whoever starts a service pays it once.
 */
final class WarmUp {

    private static final int MOST = 60;
    private static final int QUIET_IN_A_ROW = 2;
    private static final double QUIET_SHARE = 0.05;

    private final BenchmarkContext bench;

    WarmUp(BenchmarkContext bench) {
        this.bench = bench;
    }

    /** Returns when the compiler took less than a twentieth of two such rounds in a row, or after sixty of them. */
    void untilQuiet(Runnable export) {
        long service = bench.stack.service(ServiceKind.EXPORT).pid();
        ThreadCpuTimes cold = ThreadCpuTimes.of(service);
        double share = 1;
        int rounds = 0;
        for (int quiet = 0; quiet < QUIET_IN_A_ROW && rounds < MOST; rounds++) {
            ThreadCpuTimes before = ThreadCpuTimes.of(service);
            double usedBefore = CpuTime.of(service);
            export.run();
            share = ThreadCpuTimes.of(service).since(before).of(ThreadCpuTimes.Kind.COMPILER) / (CpuTime.of(service) - usedBefore);
            quiet = share < QUIET_SHARE ? quiet + 1 : 0;
        }
        bench.say("        warm after %d rounds and %.1f s of compiling, which takes %.0f %% of the last one", rounds,
                ThreadCpuTimes.of(service).since(cold).of(ThreadCpuTimes.Kind.COMPILER), 100 * share);
    }
}
