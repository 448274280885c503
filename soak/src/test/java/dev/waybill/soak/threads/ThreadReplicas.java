package dev.waybill.soak.threads;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.local.RunningStack;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.storage.FreePort;

/** Runtimes of one application with one storage of threads, each with a fixed port. */
final class ThreadReplicas implements AutoCloseable {

    private static final int WORKER_KILLS = 4;
    private static final int RUNTIME_KILLS = 5;
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

    /** Kind of processes to kill. */
    enum Victim {
        /** A worker, which its runtime starts again. */
        WORKER,
        /** A runtime. */
        RUNTIME,
        /** All runtimes at once. */
        ALL;

        /** Returns a kind; all runtimes are the rarest one. */
        static Victim choose(Random random) {
            int number = random.nextInt(WORKER_KILLS + RUNTIME_KILLS + 1);
            return number < WORKER_KILLS ? WORKER : number < WORKER_KILLS + RUNTIME_KILLS ? RUNTIME : ALL;
        }
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

    /** Kills processes with SIGKILL and starts runtimes again; returns when they are ready. */
    void kill(Victim victim, Random random) {
        int index = random.nextInt(replicas.size());
        switch (victim) {
            case WORKER -> replicas.get(index).process.workers().stream().findFirst().flatMap(ProcessHandle::of)
                    .ifPresent(ProcessHandle::destroyForcibly);
            case RUNTIME -> {
                replicas.get(index).process.kill();
                start(index);
            }
            case ALL -> {
                replicas.forEach(replica -> replica.process.kill());
                for (int i = 0; i < replicas.size(); i++) {
                    start(i);
                }
            }
        }
    }

    /** Kills a runtime with SIGKILL without starting it again. */
    void kill(int index) {
        replicas.get(index).process.kill();
    }

    /** Returns the address of a runtime. */
    URI address(int index) {
        return URI.create("http://127.0.0.1:" + replicas.get(index).port);
    }

    /** Returns the address of the runtime that receives the next request; it may be unavailable. */
    URI next() {
        return address(turn.getAndIncrement() % replicas.size());
    }

    @Override
    public void close() {
        replicas.forEach(replica -> replica.process.close());
    }
}
