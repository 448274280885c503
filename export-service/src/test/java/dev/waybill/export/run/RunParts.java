package dev.waybill.export.run;

import java.time.Clock;
import java.util.Map;

import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Creates the services of this package without Quarkus on any database. */
public record RunParts(ExportLimitsConfig limits, AttemptService attempts, ExportRunService runs, String dueQuery) {

    /**
     * Creates the parts; {@code settings} are keys below {@code waybill.export.limits}, for example {@code running-exports}.
     */
    public static RunParts of(Database database, Map<String, String> settings) {
        ExportLimitsConfig limits = limits(settings);
        ExportRunQueue queue = new ExportRunQueue(limits);
        return new RunParts(limits, new AttemptService(database, queue),
                new ExportRunService(database, new Ids(Clock.systemUTC()), Clock.systemUTC()),
                queue.due());
    }

    private static ExportLimitsConfig limits(Map<String, String> settings) {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(ExportLimitsConfig.class);
        settings.forEach((key, value) -> config.withDefaultValue("waybill.export.limits." + key, value));
        return config.build().getConfigMapping(ExportLimitsConfig.class);
    }
}
