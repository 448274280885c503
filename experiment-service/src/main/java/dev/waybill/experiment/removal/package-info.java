/**
 * Deletion of datasets with their examples and experiments (docs/decisions/0027). A package of its own, because it depends
 * on datasets and sessions, which must not depend on each other.
 */
@NullMarked
package dev.waybill.experiment.removal;

import org.jspecify.annotations.NullMarked;
