package dev.waybill.export.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * XXH64 with seed 0, the hash function of Parquet's Bloom filters; parquet-java's implementation creates an object per value.
 */
public final class XxHash64 {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;
    private static final long P1_PLUS_P2 = 0x60EA27EEADC0B5D6L;
    private static final long MINUS_P1 = 0x61C8864E7A143579L;
    private static final int STRIPE = 4 * Long.BYTES;

    private XxHash64() {
    }

    /** Returns the hash of a part of an array. */
    public static long of(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        long hash;
        if (length >= STRIPE) {
            long v1 = P1_PLUS_P2;
            long v2 = P2;
            long v3 = 0;
            long v4 = MINUS_P1;
            for (; at <= end - STRIPE; at += STRIPE) {
                v1 = round(v1, (long) LONG.get(bytes, at));
                v2 = round(v2, (long) LONG.get(bytes, at + Long.BYTES));
                v3 = round(v3, (long) LONG.get(bytes, at + 2 * Long.BYTES));
                v4 = round(v4, (long) LONG.get(bytes, at + 3 * Long.BYTES));
            }
            hash = Long.rotateLeft(v1, 1) + Long.rotateLeft(v2, 7) + Long.rotateLeft(v3, 12) + Long.rotateLeft(v4, 18);
            hash = merge(merge(merge(merge(hash, v1), v2), v3), v4);
        } else {
            hash = P5;
        }
        return finish(tail(hash + length, bytes, at, end));
    }

    private static long tail(long start, byte[] bytes, int from, int end) {
        long hash = start;
        int at = from;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            hash = Long.rotateLeft(hash ^ round(0, (long) LONG.get(bytes, at)), 27) * P1 + P4;
        }
        if (at <= end - Integer.BYTES) {
            hash = Long.rotateLeft(hash ^ ((int) INT.get(bytes, at) & 0xFFFFFFFFL) * P1, 23) * P2 + P3;
            at += Integer.BYTES;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ (bytes[at] & 0xff) * P5, 11) * P1;
        }
        return hash;
    }

    private static long round(long accumulator, long input) {
        return Long.rotateLeft(accumulator + input * P2, 31) * P1;
    }

    private static long merge(long hash, long accumulator) {
        return (hash ^ round(0, accumulator)) * P1 + P4;
    }

    private static long finish(long mixed) {
        long hash = mixed;
        hash = (hash ^ hash >>> 33) * P2;
        hash = (hash ^ hash >>> 29) * P3;
        return hash ^ hash >>> 32;
    }
}
