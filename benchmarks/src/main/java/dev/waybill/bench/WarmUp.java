package dev.waybill.bench;

import java.io.PrintStream;
import java.util.Locale;

import dev.waybill.local.stack.CpuTime;

/**
 * Repeats work of a JVM until JIT compilation is nearly complete, so that measurements exclude it. Prints the compilation
 * time, which every process start costs once.
 */
public final class WarmUp {

    private static final int MAX_ROUNDS = 60;
    private static final int REQUIRED_COMPILED_ROUNDS = 2;
    private static final double MAX_COMPILER_SHARE = 0.05;

    private final long process;
    private final PrintStream out;

    /** @param process id of the process of the JVM */
    public WarmUp(long process, PrintStream out) {
        this.process = process;
        this.out = out;
    }

    /**
     * Runs rounds until the compiler uses less than 5 % of the CPU time of two consecutive rounds, at most 60 rounds.
     */
    public void untilCompiled(Runnable round) {
        ThreadCpuTimes cold = ThreadCpuTimes.of(process);
        double share = 1;
        int rounds = 0;
        for (int compiled = 0; compiled < REQUIRED_COMPILED_ROUNDS && rounds < MAX_ROUNDS; rounds++) {
            ThreadCpuTimes before = ThreadCpuTimes.of(process);
            double usedBefore = CpuTime.of(process);
            round.run();
            share = ThreadCpuTimes.of(process).since(before).of(ThreadCpuTimes.Kind.COMPILER)
                    / (CpuTime.of(process) - usedBefore);
            compiled = share < MAX_COMPILER_SHARE ? compiled + 1 : 0;
        }
        out.printf(Locale.ROOT,
                "        warm after %d rounds and %.1f s of compilation, which is %.0f %% of the last round%n", rounds,
                ThreadCpuTimes.of(process).since(cold).of(ThreadCpuTimes.Kind.COMPILER), 100 * share);
        out.flush();
    }
}
