package dev.waybill.bench;

import dev.waybill.local.stack.CpuTime;

/** Measures the CPU-seconds of a program and of PostgreSQL from its start. */
final class CpuStopwatch {

    private final long program;
    private final long postgres;
    private final double programBefore;
    private final double postgresBefore;

    private CpuStopwatch(long program, long postgres) {
        this.program = program;
        this.postgres = postgres;
        this.programBefore = CpuTime.ofFamily(program);
        this.postgresBefore = CpuTime.ofFamily(postgres);
    }

    /**
     * @param program process id; its children count as well
     * @param postgres process id of the postmaster; all its backends count
     */
    static CpuStopwatch start(long program, long postgres) {
        return new CpuStopwatch(program, postgres);
    }

    CpuUsage stop(long bytes) {
        return new CpuUsage(CpuTime.ofFamily(program) - programBefore, CpuTime.ofFamily(postgres) - postgresBefore, bytes);
    }
}
