// Package client speaks RPC with an OpenClaw gateway over one WebSocket.
//
// Two dialects live behind one Client: JSON-RPC 2.0, and the framed protocol of
// the real OpenClaw gateway. Which one the other side speaks is found out on
// connect, and found out again whenever the guess turns out wrong.
//
// A Client keeps its link while Run runs. Calls never resend: a call whose
// answer was lost fails, with reason outcome_unknown if it may have changed
// something. Every method returns an *errcode.Error.
package client
