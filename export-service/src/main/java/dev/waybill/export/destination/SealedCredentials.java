package dev.waybill.export.destination;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Credentials that only their destination's row can open.
 *
 * @param box null for those of the service's environment
 * @param keys the names of what is in the box
 */
record SealedCredentials(byte @Nullable [] box, List<String> keys) {

    SealedCredentials {
        keys = List.copyOf(keys);
    }
}
