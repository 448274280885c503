package dev.waybill.runtime.stream;

import dev.waybill.runtime.access.KeyRecheckTimer;

/** A response that lasts as long as its run; it ends when the client disconnects or its key is revoked. */
interface LongLivedResponse extends KeyRecheckTimer.Watched {

    /** Returns the connection to its client. */
    ClientConnection client();

    /** Writes the response head and the available data. */
    void start();

    /** Sends a heartbeat. */
    void sendHeartbeat();

    /** Releases the response when it is complete or the connection was closed. */
    void close();
}
