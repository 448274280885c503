package dev.waybill.runtime.storage.sqlite;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Runs on one thread without end, in a process that tests kill. Prints a line for each acknowledged write. */
final class StorageProgram {

    static final Owner OWNER = new Owner("workspace");
    static final UUID THREAD = new UUID(1, 1);
    /** Namespace of the checkpoints that are stored with the end of a run. */
    static final String END = "end";
    static final int VALUE_BYTES = 1_500_000;

    private StorageProgram() {
    }

    /** Arguments: the directory, and the number of the first step. */
    public static void main(String... arguments) {
        SqliteStorage storage = SqliteStorage.open(Path.of(arguments[0]), Clock.systemUTC());
        print("open", 0);
        for (int step = Integer.parseInt(arguments[1]);; step++) {
            NewRun run = new NewRun(OWNER, THREAD, UUID.randomUUID(), Kind.RUN, new UUID(2, 2), new UUID(3, 3),
                    MultitaskStrategy.REJECT, "{}", new byte[0], null, null);
            RunFence fence = ((Begun.Running) await(storage.runs().begin(run))).fence();
            await(storage.checkpoints().put(fence, checkpoint("", step)));
            print("checkpoint", step);
            await(storage.runs().end(fence, end(step).with(List.of(checkpoint(END, step)))));
            print("end", step);
        }
    }

    static NewCheckpoint checkpoint(String namespace, int step) {
        // Each value needs two chunks, so that a torn one is recognized.
        byte[] value = ByteBuffer.allocate(VALUE_BYTES).putInt(0, step).putInt(VALUE_BYTES - Integer.BYTES, step).array();
        return new NewCheckpoint(namespace, id(step), null, new NewValue("json", new byte[] { 1 }), "{}",
                Map.of("step", version(step)), List.of(new NewBlob("step", version(step), new NewValue("bytes", value))));
    }

    /** Returns the end of a run with the state of a step. */
    static RunEnd end(int step) {
        ChannelValue value = new ChannelValue(version(step), Integer.toString(step));
        return new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE,
                new State(Map.of("step", value), Set.of("step"), "{}", id(step)), false);
    }

    private static UUID id(int step) {
        return new UUID(step, 0);
    }

    private static String version(int step) {
        return String.format(Locale.ROOT, "%032d", step);
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(Duration.ofSeconds(60));
    }

    private static void print(String event, int step) {
        System.out.println(event + " " + step);
        System.out.flush();
    }
}
