package dev.waybill.export.run;

import java.time.Clock;
import java.util.Map;

import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Creates the services of this package without Quarkus on any database. */
public record RunParts(ExportLimits limits, AttemptService attempts, ExportRunService runs, String dueQuery) {

    /**
     * Creates the parts; {@code settings} are keys below {@code waybill.export.limits}, for example {@code running-exports}.
     */
    public static RunParts of(Database database, Map<String, String> settings) {
        ExportLimits limits = limits(settings);
        RunQueue queue = new RunQueue(limits);
        return new RunParts(limits, new AttemptService(database, queue),
                new ExportRunService(database, new Ids(Clock.systemUTC()), Clock.systemUTC()),
                queue.due());
    }

    private static ExportLimits limits(Map<String, String> settings) {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(ExportLimits.class);
        settings.forEach((key, value) -> config.withDefaultValue("waybill.export.limits." + key, value));
        return config.build().getConfigMapping(ExportLimits.class);
    }
}
