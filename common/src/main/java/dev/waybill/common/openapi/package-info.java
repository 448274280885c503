/** Common parts of all OpenAPI descriptions: problem responses and security schemes. */
@NullMarked
package dev.waybill.common.openapi;

import org.jspecify.annotations.NullMarked;
