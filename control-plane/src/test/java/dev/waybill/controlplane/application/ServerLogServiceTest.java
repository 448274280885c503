package dev.waybill.controlplane.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

import org.junit.jupiter.api.Test;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.application.ServerLogService.Source;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import io.smallrye.mutiny.Uni;

/** Reads of streams while the engine responds slowly. */
class ServerLogServiceTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final ServerLogQuery QUERY = new ServerLogQuery(null, 10, true, "", null, null);

    private final BlockingQueue<CompletableFuture<ServerLog>> executing = new LinkedBlockingQueue<>();
    private final Engine engine = (Engine) Proxy.newProxyInstance(Engine.class.getClassLoader(),
            new Class<?>[] { Engine.class },
            (proxy, method, arguments) -> {
                CompletableFuture<ServerLog> read = new CompletableFuture<>();
                executing.add(read);
                return Uni.createFrom().completionStage(read);
            });
    @SuppressWarnings("NullAway")
    private final ServerLogService logs = new ServerLogService(engine, null, null, Clock.systemUTC(), new Blocking());

    @Test
    void readsOfStreamsWaitForEachOther() throws InterruptedException {
        UUID workspace = UUID.randomUUID();
        List<CompletableFuture<ServerLog>> reads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            reads.add(read(workspace));
        }
        CompletableFuture<ServerLog> ofOther = read(UUID.randomUUID());
        assertThat(executing).as("four reads of the workspace, one of the other").hasSize(5);

        for (int i = 0; i <= reads.size(); i++) {
            executing.take().complete(ServerLog.empty(0));
        }

        assertThat(reads).allSatisfy(read -> assertThat(read).succeedsWithin(PATIENCE));
        assertThat(ofOther).succeedsWithin(PATIENCE);
    }

    private CompletableFuture<ServerLog> read(UUID workspace) {
        ApplicationId application = new ApplicationId(workspace, UUID.randomUUID(), UUID.randomUUID());
        return logs.readForStream(new Source(application, Redaction.NONE), QUERY).subscribeAsCompletionStage();
    }
}
