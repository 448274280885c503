package dev.waybill.controlplane.deployment;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import dev.waybill.controlplane.DatabaseInspector;
import io.vertx.mutiny.pgclient.PgConnection;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Ends a connection in the server before one of its statements, as when its client is killed. */
final class InterruptedConnection {

    private final SqlConnection connection;
    private final int survived;
    private int statements;
    private boolean ended;

    /** @param survived number of statements that are executed */
    InterruptedConnection(SqlConnection connection, int survived) {
        this.connection = connection;
        this.survived = survived;
    }

    /** Returns the connection to use. */
    SqlConnection connection() {
        return new SqlConnection((io.vertx.sqlclient.SqlConnection) Proxy.newProxyInstance(
                InterruptedConnection.class.getClassLoader(), new Class<?>[] { io.vertx.sqlclient.SqlConnection.class },
                (proxy, method, arguments) -> invoke(method, arguments)));
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("query") || method.getName().equals("preparedQuery")) {
            beforeStatement();
        }
        try {
            return method.invoke(connection.getDelegate(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** To be called before the commit too. */
    void beforeStatement() {
        if (statements++ == survived) {
            ended = true;
            DatabaseInspector.text("SELECT pg_terminate_backend(" + PgConnection.cast(connection).processId() + ", 10000)");
        }
    }

    /** Returns whether the connection was ended. */
    boolean isEnded() {
        return ended;
    }
}
