package dev.waybill.export.storage;

/** How requests to a customer's endpoint name their bucket. AWS is always addressed as AWS wants it. */
public enum AddressingStyle {

    /**
     * {@code https://host/bucket/key}: what nearly every store takes, and the only form for an endpoint that is a bare address.
     */
    PATH,

    /** {@code https://bucket.host/key}: the only form that some stores take. */
    VIRTUAL_HOST
}
