package dev.waybill.export.parquet;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The exported session, whose ids are the same in all rows and therefore not read with them.
 */
public record ExportedSession(UUID tenantId, UUID sessionId, @Nullable String sessionName) {

    private static final UUID SEVERAL = new UUID(0, 0);

    /** Returns several sessions of a workspace, whose ids are read with the rows. */
    public static ExportedSession several(UUID tenantId) {
        return new ExportedSession(tenantId, SEVERAL, null);
    }

    boolean isSeveral() {
        return sessionId.equals(SEVERAL);
    }

    /** Returns the value of a field that is not read with the rows. */
    @Nullable
    String value(ExportField field) {
        return switch (field) {
            case TENANT_ID -> tenantId.toString();
            case SESSION_ID -> sessionId.toString();
            case SESSION_NAME -> sessionName;
            default -> throw new IllegalArgumentException(field + " is read with the rows");
        };
    }
}
