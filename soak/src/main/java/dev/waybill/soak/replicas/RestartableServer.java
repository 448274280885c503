package dev.waybill.soak.replicas;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.storage.FreePort;

/** A process that can be stopped and restarted on the same port. */
interface RestartableServer {

    int MAX_ATTEMPTS = 5;

    /** Starts the process and returns when it is ready. */
    void start();

    /** Stops the process with SIGTERM, as Kubernetes does. */
    void stop();

    /** Sends SIGKILL. */
    void kill();

    URI address();

    static RestartableServer of(ServiceProcess process) {
        return new RestartableServer() {

            /** Retries if the process exits during startup, as a process supervisor does in production. */
            @Override
            public void start() {
                for (int attempt = 1;; attempt++) {
                    process.start();
                    try {
                        process.awaitReady();
                        return;
                    } catch (StackException e) {
                        if (process.isAlive() || attempt == MAX_ATTEMPTS) {
                            throw e;
                        }
                    }
                }
            }

            @Override
            public void stop() {
                process.stop();
            }

            @Override
            public void kill() {
                process.kill();
            }

            @Override
            public URI address() {
                return process.address();
            }
        };
    }

    /** Creates a deployment-runtime that serves an application, as in a pod. */
    static RestartableServer runtime(Path release, Path application, Path log, Map<String, String> properties) {
        int port = FreePort.find();
        Map<String, String> all = new TreeMap<>(properties);
        all.put(RuntimeProcess.PORT, Integer.toString(port));
        return new RestartableServer() {

            private @Nullable RuntimeProcess process;

            @Override
            public void start() {
                process = RuntimeProcess.start(release, application, log, List.of(), all);
            }

            @Override
            public void stop() {
                if (process != null) {
                    process.close();
                }
            }

            @Override
            public void kill() {
                if (process != null) {
                    process.kill();
                }
            }

            @Override
            public URI address() {
                return URI.create("http://127.0.0.1:" + port);
            }
        };
    }
}
