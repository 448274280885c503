/**
 * The guard on addresses that customers give: buckets, webhooks and repositories are hostile until checked, when they are
 * saved and again at every connection.
 */
@NullMarked
package dev.waybill.common.net;

import org.jspecify.annotations.NullMarked;
