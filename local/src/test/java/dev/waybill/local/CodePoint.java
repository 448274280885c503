package dev.waybill.local;

import org.jspecify.annotations.Nullable;

/**
 * Where a service can be stopped.
 *
 * @param argument name of an enum constant that one of the method's arguments must be; null: any call
 * @param times the how-manieth call
 */
public record CodePoint(String name, String type, String method, @Nullable String argument, int times) {

    /** Rows are read and encoded, nothing is sent. */
    public static final CodePoint MID_ROW_GROUP = new CodePoint("mid row group", "dev.waybill.export.parquet.ParquetRunWriter",
            "row",
            null, 50);
    /** A part of a file is on its way, the next is not. */
    public static final CodePoint BETWEEN_PARTS = new CodePoint("between parts", "dev.waybill.export.storage.S3MultipartClient",
            "uploadPart",
            null, 2);
    /** The lock by which replicas take turns is held. */
    public static final CodePoint HANDING_OUT = new CodePoint("handing out", "dev.waybill.export.job.ExportLifecycleRepository",
            "admit", null,
            1);

    /** One of the steps that the worker itself names. */
    public static CodePoint step(String step) {
        return new CodePoint(step, "dev.waybill.export.execution.NoOpCrashPoint", "reached", step, 1);
    }

    /** The control plane writes down that a revision is something else now. */
    public static CodePoint recording(String status) {
        return new CodePoint("recording " + status, "dev.waybill.controlplane.rollout.RolloutRepository", "move", status, 1);
    }

    /** The control plane writes down that a revision is the active one; looks at those that are do not come by here. */
    public static CodePoint activating() {
        return new CodePoint("recording DEPLOYED", "dev.waybill.controlplane.rollout.StepResultWriter$Writing", "activated",
                null,
                1);
    }

    /** A method of the engine that runs applications on this machine. */
    public static CodePoint engine(String name, String type, String method) {
        return new CodePoint(name, "dev.waybill.controlplane.engine.local." + type, method, null, 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
