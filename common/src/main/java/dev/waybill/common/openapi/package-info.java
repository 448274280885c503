/**
 * What every service's OpenAPI description says alike: problem responses and the ways to authenticate.
 */
@NullMarked
package dev.waybill.common.openapi;

import org.jspecify.annotations.NullMarked;
