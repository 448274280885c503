package dev.waybill.controlplane.engine.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ResourceSpec;

/**
 * The limits of a {@link ResourceSpec} that this engine enforces: {@code memory_limit_mb}, per process, if the machine has
 * {@code prlimit}. The user gets a note about settings without effect.
 *
 * @param heapBytes maximum heap of the runtime
 * @param dataBytes maximum data segment of each process; null for no limit
 */
record ProcessLimits(long heapBytes, @Nullable Long dataBytes) {

    /** The runtime needs about as much memory outside of its heap as for it. */
    private static final int HEAP_DIVISOR = 2;

    static ProcessLimits of(ResourceSpec spec, long defaultHeap) {
        Integer megabytes = spec.memoryLimitMb();
        if (megabytes == null) {
            return new ProcessLimits(defaultHeap, null);
        }
        long bytes = (long) megabytes << 20;
        return new ProcessLimits(Math.min(defaultHeap, bytes / HEAP_DIVISOR), bytes);
    }

    /** Returns a note about settings that are not enforced, or only per process. */
    static Optional<String> describeUnsupported(ResourceSpec spec, boolean canLimit) {
        List<String> ignored = new ArrayList<>();
        note(ignored, "min_scale", spec.minScale());
        note(ignored, "max_scale", spec.maxScale());
        note(ignored, "cpu", spec.cpu());
        note(ignored, "cpu_limit", spec.cpuLimit());
        note(ignored, "memory_mb", spec.memoryMb());
        List<String> sentences = new ArrayList<>();
        if (spec.memoryLimitMb() != null && canLimit) {
            sentences.add("memory_limit_mb limits each process of the application, not their sum.");
        } else {
            note(ignored, "memory_limit_mb", spec.memoryLimitMb());
        }
        if (!ignored.isEmpty()) {
            sentences.add("Applications run as single processes on one machine, so these have no effect: "
                    + String.join(", ", ignored) + ".");
        }
        return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
    }

    private static void note(List<String> names, String name, @Nullable Object value) {
        if (value != null) {
            names.add(name);
        }
    }
}
