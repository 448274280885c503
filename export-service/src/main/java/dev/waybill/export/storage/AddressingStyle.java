package dev.waybill.export.storage;

/** How requests to a customer's endpoint specify the bucket. Requests to AWS always use the style that AWS requires. */
public enum AddressingStyle {

    /** {@code https://host/bucket/key}: supported by most stores, and the only style for an endpoint that is an IP address. */
    PATH,

    /** {@code https://bucket.host/key}: the only style that some stores support. */
    VIRTUAL_HOST
}
