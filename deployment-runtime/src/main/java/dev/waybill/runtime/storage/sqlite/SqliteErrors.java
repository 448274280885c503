package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;

import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.sqlite.SqliteSession.TransactionEndedException;

/** Meaning of SQLite's error codes. */
final class SqliteErrors {

    private static final int PRIMARY_CODE = 0xff;

    private SqliteErrors() {
    }

    /** Returns the exception of the port for a failure. */
    static Throwable translate(Throwable failure) {
        if (failure instanceof TransactionEndedException ended && ended.getCause() != null) {
            return translate(ended.getCause());
        }
        if (!(failure instanceof SQLException sql)) {
            return failure;
        }
        return new StorageException(switch (code(sql)) {
            case SQLITE_FULL -> "The disk of the file of threads is full; free space or move its directory.";
            case SQLITE_CORRUPT, SQLITE_NOTADB -> "The file of threads is damaged; restore it from a backup.";
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
                "The file of threads cannot be written; check the permissions of its directory.";
            default -> "The file of threads cannot be read or written: " + sql.getMessage();
        }, sql);
    }

    private static SQLiteErrorCode code(SQLException failure) {
        int code = failure instanceof SQLiteException sqlite ? sqlite.getResultCode().code : failure.getErrorCode();
        return SQLiteErrorCode.getErrorCode(code & PRIMARY_CODE);
    }
}
