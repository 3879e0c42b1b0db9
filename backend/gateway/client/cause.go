package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"syscall"

	"agentflow/backend/gateway/client/internal/dialect"
)

// cause says why a link was not made, in a word; "" for what has no word.
func cause(err error) string {
	var (
		status *dialect.StatusError
		name   *net.DNSError
		other  *otherCertificate
		noTLS  tls.RecordHeaderError
		slow   net.Error
	)
	switch {
	case errors.As(err, &status):
		return "no_gateway"
	case errors.As(err, &name):
		return "no_host"
	case errors.As(err, &other):
		return CauseChanged
	case isCertificate(err):
		return CauseCertificate
	case errors.As(err, &noTLS):
		return "no_tls"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no_way"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return "timeout"
	}
	return ""
}
