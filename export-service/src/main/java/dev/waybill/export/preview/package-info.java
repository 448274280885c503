/**
 * The dry run of an export: what an order would bring, told within seconds whatever the range, and without making anything. A
 * package of its own because it only looks: it shares the order's rules with {@code job} and the reading and writing of runs
 * with the export itself, and nothing depends on it (docs/decisions/0015-a-preview-looks-as-far-as-it-is-allowed.md).
 */
@NullMarked
package dev.waybill.export.preview;

import org.jspecify.annotations.NullMarked;
