/**
 * The HTTP API as records: bodies of requests and responses with their constraints. Services and clients share them, so this
 * module depends on annotations and Jackson's tree model only.
 */
@NullMarked
package dev.waybill.common.api;

import org.jspecify.annotations.NullMarked;
