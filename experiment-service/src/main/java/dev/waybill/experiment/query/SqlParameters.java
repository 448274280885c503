package dev.waybill.experiment.query;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterSql;
import dev.waybill.common.filter.PlaceholderStyle;
import io.vertx.mutiny.sqlclient.Tuple;

/** Collects the values of a statement while it is written: each is named by its place, none comes near the text. */
public final class SqlParameters {

    private final Tuple values = Tuple.tuple();

    /** Adds a value and returns its placeholder. */
    public String of(UUID id) {
        values.addUUID(id);
        return last("uuid");
    }

    /** Adds a value and returns its placeholder. */
    public String of(List<UUID> ids) {
        values.addArrayOfUUID(ids.toArray(UUID[]::new));
        return last("uuid[]");
    }

    /** Adds a value and returns its placeholder. */
    public String of(Instant time) {
        values.addOffsetDateTime(time.atOffset(ZoneOffset.UTC));
        return last("timestamptz");
    }

    /** Adds a value and returns its placeholder. */
    public String of(String text) {
        values.addString(text);
        return last("text");
    }

    /** Adds a value and returns its placeholder. */
    public String of(long number) {
        values.addLong(number);
        return last("bigint");
    }

    /** The filter as a condition on the run under {@code alias}. */
    public String of(Filter filter, String alias) {
        FilterSql sql = FilterSql.of(filter, alias, PlaceholderStyle.numbered(values.size() + 1));
        sql.bindables().forEach(values::addValue);
        return sql.condition();
    }

    /** The values in the order of their placeholders. */
    public Tuple values() {
        return values;
    }

    private String last(String type) {
        return "$" + values.size() + "::" + type;
    }
}
