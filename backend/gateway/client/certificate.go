package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/gateway/client/internal/dialect"
)

// Causes of a link that was not made for the gateway's certificate, as details.cause.
const (
	CauseCertificate = "certificate"         // this computer doesn't trust it
	CauseChanged     = "certificate_changed" // it isn't the one with the fingerprint
)

// KeyFingerprint is the detail with the fingerprint of the certificate that a gateway presented.
const KeyFingerprint = "fingerprint"

// CheckFingerprint returns why the fingerprint can't be that of the gateway's certificate, or nil.
func CheckFingerprint(address, fingerprint string) error {
	_, err := pin(address, fingerprint)
	return err
}

// pin returns TLS settings that trust the certificate with the fingerprint and no other; nil without one.
func pin(address, fingerprint string) (*tls.Config, error) {
	if strings.TrimSpace(fingerprint) == "" {
		return nil, nil
	}
	if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(address)), "wss://") {
		return nil, errcode.New(errcode.Validation,
			"%s has no certificate to compare with a fingerprint. Use a wss URL", address).
			With(errcode.KeyField, "fingerprint")
	}
	return netlisten.PinOr(fingerprint, func(presented string) error { return &otherCertificate{presented} })
}

// otherCertificate is a gateway whose certificate isn't the pinned one.
type otherCertificate struct{ presented string }

func (e *otherCertificate) Error() string { return netlisten.Mismatch(e.presented).Message }

// presented returns the fingerprint of the certificate that was refused; "" if it isn't known.
func presented(err error) string {
	if other, is := errors.AsType[*otherCertificate](err); is {
		return other.presented
	}
	refused, is := errors.AsType[*tls.CertificateVerificationError](err)
	if is && len(refused.UnverifiedCertificates) > 0 {
		return netlisten.FingerprintOf(refused.UnverifiedCertificates[0].Raw)
	}
	return ""
}

// unreachable is the error of a link that was not made.
func (c *Client) unreachable(err error) *errcode.Error {
	e := dialect.LinkDown(err, "couldn't reach the gateway at %s: %s", c.url, dialect.Clean(err.Error())).
		With(errcode.KeyCause, cause(err))
	if fingerprint := presented(err); fingerprint != "" {
		e = e.With(KeyFingerprint, fingerprint)
	}
	return e
}

// isCertificate reports whether the certificate was refused by this computer.
func isCertificate(err error) bool {
	var (
		refused   *tls.CertificateVerificationError
		unknown   x509.UnknownAuthorityError
		wrongHost x509.HostnameError
	)
	return errors.As(err, &refused) || errors.As(err, &unknown) || errors.As(err, &wrongHost)
}
