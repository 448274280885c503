package dev.waybill.export.schedule;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import dev.waybill.export.Bucket;
import dev.waybill.export.Exports;
import dev.waybill.export.storage.FaultProxy;

/** Tests of schedules whose bucket can fail. */
abstract class ScheduleScenario {

    @Inject
    ScheduleService service;

    FaultProxy proxy;
    Exports exports;
    Schedules schedules;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        proxy = FaultProxy.before(Bucket.endpoint());
        exports = Exports.through(proxy.endpoint());
        schedules = new Schedules(exports, service);
    }

    @AfterEach
    void close() {
        proxy.close();
    }
}
