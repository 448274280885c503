package dev.waybill.runtime.stream;

import dev.waybill.runtime.access.KeyRecheckTimer;

/**
 * The response of a stream or wait request, open as long as its run; it ends when the client disconnects or its key is revoked.
 */
interface ResponseStream extends KeyRecheckTimer.Watched {

    /** Returns the connection to its client. */
    StreamConnection client();

    /** Writes the response head and the available data. */
    void start();

    /** Sends a heartbeat. */
    void sendHeartbeat();

    /** Releases the response when it is complete or the connection was closed. */
    void close();
}
