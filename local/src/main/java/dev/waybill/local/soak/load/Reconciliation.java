package dev.waybill.local.soak.load;

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

/** What was answered with success, against what is there. */
final class Reconciliation {

    private static final int SHOWN = 10;

    private Reconciliation() {
    }

    /** @return what is lost, there more than once, or there and never promised; the first few of it */
    static List<String> differences(String what, Collection<String> promised, Collection<String> found) {
        Map<String, Integer> counts = new TreeMap<>();
        promised.forEach(one -> counts.merge(one, -1, Integer::sum));
        found.forEach(one -> counts.merge(one, 1, Integer::sum));
        List<String> wrong = new ArrayList<>();
        counts.forEach((one, count) -> {
            if (count < 0) {
                wrong.add(what + " lost: " + one);
            } else if (count > 0) {
                wrong.add(what + (promised.contains(one) ? " doubled: " : " never promised: ") + one);
            }
        });
        if (wrong.size() > SHOWN) {
            List<String> some = new ArrayList<>(wrong.subList(0, SHOWN));
            some.add(what + ": " + (wrong.size() - SHOWN) + " more, of " + promised.size());
            return some;
        }
        return wrong;
    }

    /** @return the first column of a query's rows, as the database's administrator sees them */
    static List<String> query(String superuserUrl, String sql) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (answer.next()) {
                values.add(answer.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
