package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.run.KeyedRunService.Created;
import dev.waybill.runtime.run.KeyedRunService.Key;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageFactory;
import dev.waybill.runtime.storage.ThreadsConfig;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;

/** Keys whose first request fails. */
@RuntimeTest
class KeyedRunServiceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    ThreadsConfig config;

    @Inject
    RuntimeStorage storage;

    @Inject
    ThreadRunService runs;

    @Inject
    KeptThreadService kept;

    @Inject
    ObjectMapper mapper;

    private final AtomicBoolean fails = new AtomicBoolean(true);

    @Test
    void keyIsNotInProgressAfterAFailure() throws IOException {
        ThreadCaller thread = ThreadCaller.create();
        CallerThread caller = new CallerThread(new Owner("local"), "local", UUID.fromString(thread.id()));
        CreateThreadRunRequest request = mapper.readValue(Bodies.threads("hello"), CreateThreadRunRequest.class);
        Key key = new Key("", UUID.randomUUID().toString());
        KeyedRunService keyed = new KeyedRunService(new RuntimeStorage(config, List.of(new FailingFactory())), runs, kept,
                mapper, config);
        assertThatIllegalStateException().isThrownBy(() -> create(keyed, caller, request, key));

        fails.set(false);
        Created created = create(keyed, caller, request, key);

        assertThat(created).isInstanceOf(Created.New.class);
        runs.start(((Created.New) created).run());
        thread.awaitStatus("idle");
    }

    private static Created create(KeyedRunService keyed, CallerThread caller, CreateThreadRunRequest request, Key key) {
        return keyed.create(caller, request, true, key).await().atMost(PATIENCE);
    }

    /** Returns the storage of the runtime, which fails as a closed one. */
    private final class FailingFactory implements StorageFactory {

        @Override
        public Technology technology() {
            return config.storage();
        }

        @Override
        public Storage open() {
            Storage real = storage.find().orElseThrow();
            return (Storage) Proxy.newProxyInstance(Storage.class.getClassLoader(), new Class<?>[] { Storage.class },
                    (proxy, method, arguments) -> {
                        if (fails.get()) {
                            throw new IllegalStateException("the storage is closed");
                        }
                        return method.invoke(real, arguments);
                    });
        }
    }
}
