/** A second type of destination, which proves that one package suffices: files in a directory. */
@NullMarked
package dev.waybill.export.file;

import org.jspecify.annotations.NullMarked;
