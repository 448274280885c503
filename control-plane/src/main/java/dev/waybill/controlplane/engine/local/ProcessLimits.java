package dev.waybill.controlplane.engine.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ResourceSpec;

/**
 * What of a {@link ResourceSpec} holds for processes of one machine: {@code memory_limit_mb}, for each of them, where the
 * machine has {@code prlimit}. The rest a cluster does; that it does not hold here is told and not passed over.
 *
 * @param heapBytes of the runtime
 * @param dataBytes what each process may have for its data; null without a limit
 */
record ProcessLimits(long heapBytes, @Nullable Long dataBytes) {

    /** A runtime needs about as much again beside its heap. */
    private static final int HEAP_PART = 2;

    static ProcessLimits of(ResourceSpec spec, long usualHeap) {
        Integer megabytes = spec.memoryLimitMb();
        if (megabytes == null) {
            return new ProcessLimits(usualHeap, null);
        }
        long bytes = (long) megabytes << 20;
        return new ProcessLimits(Math.min(usualHeap, bytes / HEAP_PART), bytes);
    }

    /** What its user must know. */
    static Optional<String> told(ResourceSpec spec, boolean canLimit) {
        List<String> without = new ArrayList<>();
        note(without, "min_scale", spec.minScale());
        note(without, "max_scale", spec.maxScale());
        note(without, "cpu", spec.cpu());
        note(without, "cpu_limit", spec.cpuLimit());
        note(without, "memory_mb", spec.memoryMb());
        List<String> sentences = new ArrayList<>();
        if (spec.memoryLimitMb() != null && canLimit) {
            sentences.add("Here memory_limit_mb holds for each process of the application, not for all of them together.");
        } else {
            note(without, "memory_limit_mb", spec.memoryLimitMb());
        }
        if (!without.isEmpty()) {
            sentences.add("Applications are single processes of one machine here, so these have no effect: "
                    + String.join(", ", without) + ".");
        }
        return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
    }

    private static void note(List<String> names, String name, @Nullable Object value) {
        if (value != null) {
            names.add(name);
        }
    }
}
