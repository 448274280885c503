package dev.waybill.experiment.query;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterSql;
import dev.waybill.common.filter.PlaceholderStyle;
import io.vertx.mutiny.sqlclient.Tuple;

/** Collects the bind parameters of a statement while its text is built; values never become part of the text. */
public final class SqlParameters {

    private final Tuple values = Tuple.tuple();

    /** Adds a value and returns its placeholder. */
    public String of(UUID id) {
        values.addUUID(id);
        return placeholder("uuid");
    }

    /** Adds a value and returns its placeholder. */
    public String of(List<UUID> ids) {
        values.addArrayOfUUID(ids.toArray(UUID[]::new));
        return placeholder("uuid[]");
    }

    /** Adds a value and returns its placeholder. */
    public String of(Instant time) {
        values.addOffsetDateTime(time.atOffset(ZoneOffset.UTC));
        return placeholder("timestamptz");
    }

    /** Adds a value and returns its placeholder. */
    public String ofTimes(List<Instant> times) {
        values.addArrayOfOffsetDateTime(
                times.stream().map(time -> time.atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new));
        return placeholder("timestamptz[]");
    }

    /** Adds a value and returns its placeholder. */
    public String of(String text) {
        values.addString(text);
        return placeholder("text");
    }

    /** Adds a value and returns its placeholder. */
    public String of(long number) {
        values.addLong(number);
        return placeholder("bigint");
    }

    /** Adds the values of a filter and returns its condition on the run with this alias. */
    public String of(Filter filter, String alias) {
        FilterSql sql = FilterSql.of(filter, alias, PlaceholderStyle.numbered(values.size() + 1));
        sql.bindables().forEach(values::addValue);
        return sql.condition();
    }

    /** Returns the values in the order of their placeholders. */
    public Tuple values() {
        return values;
    }

    private String placeholder(String type) {
        return "$" + values.size() + "::" + type;
    }
}
