import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs the queries of its arguments and prints each row, with its values separated by bars. Connects to the catalog as
 * docs/lake-tables.md describes, with the settings in its environment.
 */
public final class SparkQueries {

    private static final String CATALOG = "spark.sql.catalog.waybill";

    private SparkQueries() {
    }

    public static void main(String[] queries) throws IOException {
        SparkSession.Builder builder = SparkSession.builder().master("local[2]");
        settings(System.getenv()).forEach(builder::config);
        try (SparkSession spark = builder.getOrCreate()) {
            for (String query : queries) {
                spark.sql(query).collectAsList().forEach(row -> System.out.println("row " + text(row)));
            }
        }
    }

    private static Map<String, String> settings(Map<String, String> environment) {
        return Map.ofEntries(
                Map.entry(CATALOG, "org.apache.iceberg.spark.SparkCatalog"),
                Map.entry(CATALOG + ".type", "jdbc"),
                Map.entry(CATALOG + ".uri", environment.get("LAKE_CATALOG_URI")),
                Map.entry(CATALOG + ".jdbc.user", environment.get("LAKE_CATALOG_USER")),
                Map.entry(CATALOG + ".jdbc.password", environment.get("LAKE_CATALOG_PASSWORD")),
                Map.entry(CATALOG + ".warehouse", environment.get("LAKE_WAREHOUSE")),
                Map.entry(CATALOG + ".io-impl", "org.apache.iceberg.aws.s3.S3FileIO"),
                Map.entry(CATALOG + ".s3.endpoint", environment.get("LAKE_S3_ENDPOINT")),
                Map.entry(CATALOG + ".s3.path-style-access", "true"),
                Map.entry("spark.sql.session.timeZone", "UTC"),
                Map.entry("spark.ui.enabled", "false"),
                Map.entry("spark.driver.bindAddress", "127.0.0.1"),
                Map.entry("spark.driver.host", "127.0.0.1"),
                Map.entry("spark.sql.shuffle.partitions", "2"));
    }

    private static String text(Row row) {
        return IntStream.range(0, row.size())
                .mapToObj(row::get)
                .map(String::valueOf)
                .collect(Collectors.joining("|"));
    }
}
