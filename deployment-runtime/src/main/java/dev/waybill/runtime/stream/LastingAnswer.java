package dev.waybill.runtime.stream;

import dev.waybill.runtime.access.KeyWatchTimer;

/** An answer that lasts as long as its run does, and must outlive neither its client nor its key. */
interface LastingAnswer extends KeyWatchTimer.Watched {

    /** Who it goes to. */
    ClientConnection client();

    /** Writes the head, and what there is to say. */
    void begin();

    /** Says that it is still there. */
    void beat();

    /** The connection is gone, or the answer whole. */
    void close();
}
