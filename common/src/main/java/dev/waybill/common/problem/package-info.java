/**
 * One error vocabulary for every service: problem details of RFC 9457 as contract.md "Everywhere" shapes them.
 * Services name their own problem types; this package turns them, and whatever else goes wrong, into answers.
 */
@NullMarked
package dev.waybill.common.problem;

import org.jspecify.annotations.NullMarked;
