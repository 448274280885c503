package dev.waybill.export.trace;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;

import org.postgresql.ds.PGSimpleDataSource;

/** A pool of one connection, which remains open after release. */
final class SingleConnectionDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    private final transient Connection connection;

    SingleConnectionDataSource(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] { Connection.class },
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
