package dev.waybill.runtime.run;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.storage.Owner;
import io.smallrye.mutiny.subscription.Cancellable;

/** Clients that disconnect while the runs of their batch are stored. */
@RuntimeTest
class RunBatchServiceTest {

    private static final int RUNS = 10;

    private final String principal = "client-" + UUID.randomUUID();

    @Inject
    RunBatchService batches;

    @Inject
    RunRegistry registry;

    @Inject
    RunLifecycleService lifecycle;

    @Inject
    ObjectMapper mapper;

    @Test
    void batchOfADisconnectedClientStarts() throws IOException {
        CreateRunRequest request = mapper.readValue(Bodies.threads("wait 60000", "\"on_completion\": \"keep\""),
                CreateRunRequest.class);
        Cancellable client = batches.start(Collections.nCopies(RUNS, request), new Owner(principal), principal)
                .subscribe().with(ignored -> {
                    // The client may be faster than the test.
                });
        Patience.await().until(() -> !active().isEmpty());

        client.cancel();

        Patience.await().until(() -> active().stream().filter(run -> run.status() == RunStatus.RUNNING).count() == RUNS);
        active().forEach(lifecycle::cancel);
        Patience.await().until(() -> active().isEmpty());
    }

    private List<Run> active() {
        return registry.active().stream().filter(run -> run.principal().equals(principal)).toList();
    }
}
