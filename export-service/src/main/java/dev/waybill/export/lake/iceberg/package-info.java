/** Apache Iceberg tables over the files of the lake (docs/lake-tables.md): catalog, files, schema and commits. */
@NullMarked
package dev.waybill.export.lake.iceberg;

import org.jspecify.annotations.NullMarked;
