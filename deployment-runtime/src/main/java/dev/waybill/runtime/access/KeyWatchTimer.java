package dev.waybill.runtime.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Looks again at the keys that answers were asked for with, for as long as those last: who may begin to read may not read for
 * ever. One timer for all answers, and one question for all that have the same key.
 */
@Singleton
public class KeyWatchTimer {

    private final Map<Watched, CheckedKey> answers = new ConcurrentHashMap<>();
    private final ControlPlaneKeys keys;
    private final AccessConfig config;

    KeyWatchTimer(ControlPlaneKeys keys, AccessConfig config) {
        this.keys = keys;
        this.config = config;
    }

    /** An answer that may last. */
    public interface Watched {

        /**
         * It is not to go on.
         *
         * @param reason what to tell its client, a sentence
         */
        void refused(String reason);
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        if (keys.configured()) {
            vertx.setPeriodic(Math.max(1, config.recheck().toMillis()), ignored -> look());
        }
    }

    /** Watches over the answer, unless its key is one that only the configuration can take back. */
    public void add(RoutingContext request, Watched answer) {
        CheckedKey key = CheckedKey.of(request);
        if (key != null) {
            add(key, answer);
        }
    }

    void add(CheckedKey key, Watched answer) {
        answers.put(answer, key);
    }

    public void remove(Watched answer) {
        answers.remove(answer);
    }

    void look() {
        answers.entrySet().stream()
                .collect(Collectors.groupingBy(Map.Entry::getValue,
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())))
                .forEach(this::look);
    }

    private void look(CheckedKey key, List<Watched> watched) {
        keys.principal(key.key()).subscribe().with(
                principal -> {
                    if (!principal.equals(Optional.of(key.principal()))) {
                        refuse(watched, "The API key that this was asked for with has been revoked.");
                    }
                },
                unknown -> refuse(watched, "The control plane has been away for too long to go on trusting the API key."));
    }

    private static void refuse(List<Watched> watched, String reason) {
        watched.forEach(answer -> answer.refused(reason));
    }
}
