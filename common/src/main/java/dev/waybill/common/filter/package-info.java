/**
 * The filter language (contract.md "Bulk export", Filter), in one place because exports and run queries both speak it: text
 * becomes a
 * {@link dev.waybill.common.filter.Filter}, a filter becomes a parameterised condition on {@code trace.runs}.
 *
 * <pre>
 * Filter filter = FilterParser.parse(text);            // or FilterSyntaxException, whose message fits a 422 at ["filter"]
 * FilterSql sql = FilterSql.of(filter, "runs", PlaceholderStyle.numbered(5));
 * ... "WHERE tenant_id = $1 AND ... AND " + sql.condition()      // then bind sql.bindables() from $5 on
 *
 * FilterSql copied = FilterSql.of(filter, "runs", PlaceholderStyle.settings());
 * ... for each of copied.settings(): SELECT set_config(?, ?, true), then in the same transaction
 * ... "COPY (SELECT ... WHERE ... AND " + copied.condition() + ") TO STDOUT"
 * </pre>
 *
 * A condition is never null, never holds a value of the filter in its text, and never fails on what a run holds
 * (docs/decisions/0008-filters-read-json-where-it-lies.md). Reading and translating share one package, though it is a large
 * one, so that
 * all but the types above can stay out of sight.
 */
@NullMarked
package dev.waybill.common.filter;

import org.jspecify.annotations.NullMarked;
