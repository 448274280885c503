package dev.waybill.bench;

import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;

/**
 * Repeats exports until JIT compilation is nearly complete, so that measurements exclude it. Prints the compilation
 * time, which every process start costs once.
 */
final class WarmUp {

    private static final int MAX_ROUNDS = 60;
    private static final int REQUIRED_COMPILED_ROUNDS = 2;
    private static final double MAX_COMPILER_SHARE = 0.05;

    private final BenchmarkContext bench;

    WarmUp(BenchmarkContext bench) {
        this.bench = bench;
    }

    /**
     * Runs rounds until the compiler uses less than 5 % of the CPU time of two consecutive rounds, at most 60 rounds.
     */
    void untilCompiled(Runnable export) {
        long service = bench.stack.service(ServiceKind.EXPORT).pid();
        ThreadCpuTimes cold = ThreadCpuTimes.of(service);
        double share = 1;
        int rounds = 0;
        for (int compiled = 0; compiled < REQUIRED_COMPILED_ROUNDS && rounds < MAX_ROUNDS; rounds++) {
            ThreadCpuTimes before = ThreadCpuTimes.of(service);
            double usedBefore = CpuTime.of(service);
            export.run();
            share = ThreadCpuTimes.of(service).since(before).of(ThreadCpuTimes.Kind.COMPILER)
                    / (CpuTime.of(service) - usedBefore);
            compiled = share < MAX_COMPILER_SHARE ? compiled + 1 : 0;
        }
        bench.print("        warm after %d rounds and %.1f s of compilation, which is %.0f %% of the last round", rounds,
                ThreadCpuTimes.of(service).since(cold).of(ThreadCpuTimes.Kind.COMPILER), 100 * share);
    }
}
