/**
 * The filter language (docs/filters.md), shared by exports and run queries: a text is parsed to a {@link
 * dev.waybill.common.filter.Filter}, which is translated to a parameterised condition on {@code trace.runs}.
 *
 * <pre>
 * Filter filter = FilterParser.parse(text);            // or FilterSyntaxException, whose message fits a 422 at ["filter"]
 * FilterSql sql = FilterSql.of(filter, "runs", PlaceholderStyle.numbered(5));
 * ... "WHERE tenant_id = $1 AND ... AND " + sql.condition()      // then bind sql.bindables() from $5 on
 * FilterSql copied = FilterSql.of(filter, "runs", PlaceholderStyle.settings());
 * ... for each of copied.settings(): SELECT set_config(?, ?, true), then in the same transaction
 * ... "COPY (SELECT ... WHERE ... AND " + copied.condition() + ") TO STDOUT"
 * </pre>
 *
 * A condition is never null, never contains a value of the filter in its text, and never fails on a stored run
 * (docs/decisions/0008-filters-on-json-documents.md). Parsing and translation share one large package so that all types
 * except those above are package-private.
 */
@NullMarked
package dev.waybill.common.filter;

import org.jspecify.annotations.NullMarked;
