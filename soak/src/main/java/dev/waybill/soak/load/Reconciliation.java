package dev.waybill.soak.load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares acknowledged writes with stored data. */
final class Reconciliation {

    private static final int MAX_SHOWN = 10;

    private Reconciliation() {
    }

    /** Returns the first missing, duplicate and unexpected values, described with the subject. */
    static List<String> differences(String subject, Collection<String> expected, Collection<String> actual) {
        Map<String, Integer> counts = new TreeMap<>();
        expected.forEach(value -> counts.merge(value, -1, Integer::sum));
        actual.forEach(value -> counts.merge(value, 1, Integer::sum));
        List<String> differences = new ArrayList<>();
        counts.forEach((value, count) -> {
            if (count < 0) {
                differences.add(subject + " missing: " + value);
            } else if (count > 0) {
                differences.add(subject + (expected.contains(value) ? " duplicated: " : " unexpected: ") + value);
            }
        });
        if (differences.size() > MAX_SHOWN) {
            List<String> shown = new ArrayList<>(differences.subList(0, MAX_SHOWN));
            shown.add(subject + ": " + (differences.size() - MAX_SHOWN) + " more, of " + expected.size());
            return shown;
        }
        return differences;
    }

    /** Returns the first column of a query that runs as the superuser. */
    static List<String> query(String superuserUrl, String sql) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement();
                ResultSet response = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (response.next()) {
                values.add(response.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
