package dev.waybill.soak.threads;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.local.RunningStack;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.storage.FreePort;

/** Runtimes of one application with one storage of threads, each with a fixed port. */
final class ThreadReplicas implements AutoCloseable {

    private static final List<String> FAST_START = List.of("-XX:TieredStopAtLevel=1");

    private final Path application;
    private final Path logs;
    private final Map<String, String> settings;
    private final List<Replica> replicas = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    /** A runtime and its port. */
    private static final class Replica {

        private final int port = FreePort.find();
        private RuntimeProcess process;
    }

    /**
     * @param count number of runtimes; a file can have only one
     * @param storage configuration of the storage
     */
    ThreadReplicas(int count, Map<String, String> storage, Path application, Path logs) {
        this.application = application;
        this.logs = logs;
        this.settings = new HashMap<>(storage);
        settings.put("waybill.runtime.runs.max-concurrent", "1100");
        for (int i = 0; i < count; i++) {
            replicas.add(new Replica());
            start(i);
        }
    }

    private void start(int index) {
        Replica replica = replicas.get(index);
        Map<String, String> properties = new HashMap<>(settings);
        properties.put(RuntimeProcess.PORT, Integer.toString(replica.port));
        replica.process = RuntimeProcess.start(RunningStack.root(), application, logs.resolve("runtime-" + index + ".log"),
                FAST_START, properties);
    }

    /** Kills a runtime with SIGKILL and starts it again; returns when it is ready. */
    void restart(int index) {
        replicas.get(index).process.kill();
        start(index);
    }

    int count() {
        return replicas.size();
    }

    /** Returns the address of the runtime that receives the next request; it may be unavailable. */
    URI next() {
        return URI.create("http://127.0.0.1:" + replicas.get(turn.getAndIncrement() % replicas.size()).port);
    }

    @Override
    public void close() {
        replicas.forEach(replica -> replica.process.close());
    }
}
