package dev.waybill.experiment.run;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Converts runs to one array per column, the parameters of statements with {@code unnest}. JSON is passed as bytes,
 * because the database client would otherwise decode and encode every character; arrays within a row are passed as
 * text.
 */
final class RunColumns {

    private final List<RunFields> runs;
    private final io.vertx.sqlclient.Tuple parameters = io.vertx.sqlclient.Tuple.tuple();

    private RunColumns(UUID tenantId, List<RunFields> runs) {
        this.runs = runs;
        parameters.addUUID(tenantId);
    }

    /** Returns the parameters of {@link TraceStatements#INSERT}. */
    static Tuple forInsert(UUID tenantId, List<RunFields> runs) {
        return new RunColumns(tenantId, runs)
                .add(UUID[]::new, run -> run.id)
                .add(UUID[]::new, RunFields::session)
                .add(UUID[]::new, run -> run.traceId)
                .add(UUID[]::new, run -> run.parentRunId)
                .add(String[]::new, run -> arrayText(run.parentRunIds))
                .add(String[]::new, run -> run.dottedOrder)
                .addShared()
                .tuple();
    }

    /** Returns the parameters of {@link TraceStatements#UPDATE}; {@code locations} contains all of the runs. */
    static Tuple forUpdate(UUID tenantId, List<RunFields> patches, Map<UUID, RunLocation> locations) {
        return new RunColumns(tenantId, patches)
                .addLocations(locations)
                .addShared()
                .tuple();
    }

    /** Returns the parameters of {@link TraceStatements#MOVE}. */
    static Tuple forMove(UUID tenantId, List<RunFields> moved, Map<UUID, RunLocation> locations) {
        return new RunColumns(tenantId, moved)
                .addLocations(locations)
                .add(String[]::new, run -> run.dottedOrder)
                .add(UUID[]::new, run -> run.parentRunId)
                .add(String[]::new, run -> arrayText(run.parentRunIds))
                .tuple();
    }

    /** Returns the parameters that insert the locations of runs. */
    static Tuple forLocations(UUID tenantId, List<RunFields> runs) {
        return new RunColumns(tenantId, runs)
                .add(UUID[]::new, run -> run.id)
                .add(UUID[]::new, RunFields::session)
                .add(OffsetDateTime[]::new, run -> utc(run.startTime))
                .tuple();
    }

    // Adds the range of start times, then the keys.
    private RunColumns addLocations(Map<UUID, RunLocation> locations) {
        RunLocation[] runLocations = runs.stream().map(run -> RunFields.require(locations.get(run.id())))
                .toArray(RunLocation[]::new);
        parameters.addValue(
                Arrays.stream(runLocations).map(RunLocation::startTime).min(OffsetDateTime.timeLineOrder()).orElseThrow());
        parameters.addValue(
                Arrays.stream(runLocations).map(RunLocation::startTime).max(OffsetDateTime.timeLineOrder()).orElseThrow());
        return add(UUID[]::new, run -> run.id)
                .addOf(UUID[]::new, runLocations, RunLocation::sessionId)
                .addOf(OffsetDateTime[]::new, runLocations, RunLocation::startTime);
    }

    private RunColumns addShared() {
        Usage[] usages = runs.stream().map(RunFields::usage).toArray(Usage[]::new);
        return add(String[]::new, run -> run.name)
                .add(String[]::new, run -> run.runType)
                .add(String[]::new, run -> run.status)
                .add(OffsetDateTime[]::new, run -> utc(run.startTime))
                .add(OffsetDateTime[]::new, run -> utc(run.endTime))
                .add(OffsetDateTime[]::new, run -> utc(run.firstToken()))
                .add(UUID[]::new, run -> run.referenceExampleId)
                .add(String[]::new, run -> run.tags == null ? null : arrayText(run.tags))
                .add(String[]::new, run -> run.error)
                .add(Buffer[]::new, run -> buffer(run.inputs))
                .add(Buffer[]::new, run -> buffer(run.outputs))
                .add(Buffer[]::new, run -> buffer(run.events))
                .add(Buffer[]::new, run -> buffer(run.extra))
                .add(Buffer[]::new, run -> buffer(run.metadata))
                .add(Buffer[]::new, run -> buffer(run.serialized))
                .addOf(Long[]::new, usages, Usage::promptTokens)
                .addOf(Long[]::new, usages, Usage::completionTokens)
                .addOf(Long[]::new, usages, Usage::totalTokens)
                .addOf(String[]::new, usages, usage -> plain(usage.promptCost()))
                .addOf(String[]::new, usages, usage -> plain(usage.completionCost()))
                .addOf(String[]::new, usages, usage -> plain(usage.totalCost()))
                .add(UUID[]::new, run -> run.manifestId)
                .add(String[]::new, run -> run.traceTier);
    }

    private <T> RunColumns add(IntFunction<@Nullable T[]> array, Function<RunFields, @Nullable T> column) {
        return addOf(array, runs.toArray(RunFields[]::new), column);
    }

    private <S, T> RunColumns addOf(IntFunction<@Nullable T[]> array, S[] rows, Function<S, @Nullable T> column) {
        @Nullable
        T[] values = array.apply(rows.length);
        for (int i = 0; i < rows.length; i++) {
            values[i] = column.apply(rows[i]);
        }
        parameters.addValue(values);
        return this;
    }

    private Tuple tuple() {
        return Tuple.newInstance(parameters);
    }

    static @Nullable OffsetDateTime utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable Buffer buffer(@Nullable Bytes json) {
        return json == null ? null : json.toBuffer();
    }

    private static @Nullable String plain(@Nullable BigDecimal cost) {
        return cost == null ? null : cost.toPlainString();
    }

    // Returns PostgreSQL's text form of an array; all elements are quoted, so only quotes and backslashes are escaped.
    static String arrayText(List<?> elements) {
        StringBuilder text = new StringBuilder("{");
        for (Object element : elements) {
            text.append(text.length() > 1 ? ",\"" : "\"")
                    .append(element.toString().replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return text.append('}').toString();
    }
}
