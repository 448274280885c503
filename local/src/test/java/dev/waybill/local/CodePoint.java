package dev.waybill.local;

import org.jspecify.annotations.Nullable;

/**
 * A point of the code at which a debugger can suspend a service.
 *
 * @param argument the name of an enum constant that must equal one of the method's arguments, or a field of an argument of a
 *        type nested in {@code type}; null for any call
 * @param times the number of the call, starting with 1
 */
public record CodePoint(String name, String type, String method, @Nullable String argument, int times) {

    /** Rows are encoded, and no data is uploaded. */
    public static final CodePoint MID_ROW_GROUP = new CodePoint("mid row group", "dev.waybill.export.parquet.ParquetRunWriter",
            "row",
            null, 50);
    /** One part of a file is being uploaded, and the next has not started. */
    public static final CodePoint BETWEEN_PARTS = new CodePoint("between parts", "dev.waybill.export.storage.S3MultipartClient",
            "uploadPart",
            null, 2);
    /** The worker holds the lock for claiming runs. */
    public static final CodePoint CLAIMING = new CodePoint("claiming", "dev.waybill.export.job.ExportLifecycleService",
            "admit", null,
            1);

    /** Returns a step that the worker defines. */
    public static CodePoint step(String step) {
        return new CodePoint(step, "dev.waybill.export.execution.CrashPoint$NoOp", "reached", step, 1);
    }

    /** Returns a step of a compaction. */
    public static CodePoint compaction(String step) {
        return new CodePoint(step, "dev.waybill.export.lake.CrashPoint$NoOp", "reached", step, 1);
    }

    /** Returns the point at which the control plane stores a new status of a revision. */
    public static CodePoint recording(String status) {
        return new CodePoint("recording " + status, "dev.waybill.controlplane.rollout.RolloutRepository", "move", status, 1);
    }

    /** Returns the point at which the control plane stores a revision as active; health checks do not reach it. */
    public static CodePoint activating() {
        return new CodePoint("recording DEPLOYED", "dev.waybill.controlplane.rollout.RolloutService$ResultTransaction",
                "activated", null, 1);
    }

    /** Returns a method of the local engine. */
    public static CodePoint engine(String name, String type, String method) {
        return new CodePoint(name, "dev.waybill.controlplane.engine.local." + type, method, null, 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
