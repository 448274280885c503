package dev.waybill.common.telemetry;

import java.util.Set;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;

/**
 * Gives the meters of both HTTP servers of a process, API and management, the same labels. Quarkus omits {@code server.port}
 * for a server on a random port (0). If the other server has a fixed port, Prometheus rejects the meters of the second server
 * and startup never completes.
 */
class ServerPortLabel {

    private static final String LABEL = "server.port";
    private static final Set<String> METERS = Set.of("http.server.bytes.read", "http.server.bytes.written",
            "http.server.connections", "http.server.errors", "http.server.active.connections", "http.server.active.requests");

    @Produces
    @Singleton
    MeterFilter serverPort() {
        return new MeterFilter() {

            @Override
            public Meter.Id map(Meter.Id id) {
                return METERS.contains(id.getName()) && id.getTag(LABEL) == null ? id.withTag(Tag.of(LABEL, "0")) : id;
            }
        };
    }
}
