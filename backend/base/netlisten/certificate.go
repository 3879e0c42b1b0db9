package netlisten

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
)

const (
	madeFile = "tls-self-signed.pem"
	madeFor  = 10 * 365 * 24 * time.Hour // clients pin it: a new one has to be told to each
)

// made returns the certificate that is kept in dir with its key, and makes it at the
// first time. What is there and cannot be read is left as it is.
func made(dir, host string) (tls.Certificate, error) {
	path := filepath.Join(dir, madeFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = generate(host); err == nil {
			err = atomicfile.Write(path, text, 0o600)
		}
	}
	if err != nil {
		return tls.Certificate{}, errcode.Wrap(errcode.Unavailable, err, "couldn't read or create the certificate %s",
			path)
	}
	pair, err := tls.X509KeyPair(text, text)
	if err != nil {
		return tls.Certificate{}, errcode.Wrap(errcode.Validation, err,
			"the certificate %s is damaged. Move it away to create a new one, then give its fingerprint to the clients",
			path)
	}
	return pair, nil
}

func generate(host string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	names := []string{"localhost"}
	if name, err := os.Hostname(); err == nil && name != "" {
		names = append(names, name)
	}
	addresses := []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
		addresses = append(addresses, ip)
	} else if ip == nil && host != "" {
		names = append(names, host)
	}
	now := time.Now()
	sheet := x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "AgentFlow"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(madeFor),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, DNSNames: names, IPAddresses: addresses,
	}
	der, err := x509.CreateCertificate(rand.Reader, &sheet, &sheet, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}

const pinPrefix = "sha256:"

// Fingerprint returns the name by which clients know the certificate: sha256: and the
// digest of its DER form, in hexadecimal. It is "" without TLS. It is no secret.
func (e *Exposed) Fingerprint() string {
	if e.TLS == nil {
		return ""
	}
	return FingerprintOf(e.TLS.Certificates[0].Certificate[0])
}

// FingerprintOf returns the fingerprint of a certificate in its DER form.
func FingerprintOf(der []byte) string {
	sum := sha256.Sum256(der)
	return pinPrefix + hex.EncodeToString(sum[:])
}

// Pin returns TLS settings that trust only the one certificate with that fingerprint,
// regardless of its signer. Digits may be in upper case and separated by colons, as
// other programs write them.
func Pin(fingerprint string) (*tls.Config, error) {
	return PinOr(fingerprint, func(presented string) error { return Mismatch(presented) })
}

// Mismatch is the error for a server that presented another certificate than the trusted one.
func Mismatch(presented string) *errcode.Error {
	return errcode.New(errcode.Unauthorized,
		"the certificate (%s) doesn't match the fingerprint. It was replaced, or someone intercepts the connection",
		presented)
}

// PinOr is Pin with the error for a server that presents another certificate.
func PinOr(fingerprint string, mismatch func(presented string) error) (*tls.Config, error) {
	digits := strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(fingerprint)), pinPrefix), ":",
		"")
	want, err := hex.DecodeString(digits)
	if err != nil || len(want) != sha256.Size {
		return nil, errcode.New(errcode.Validation, "%q isn't a certificate fingerprint. Copy it from the other side: sha256: and 64 hexadecimal digits", fingerprint).
			With(errcode.KeyField, "fingerprint")
	}
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, //nolint:gosec // the fingerprint below stands for the chain of trust
		VerifyConnection: func(s tls.ConnectionState) error {
			got := sha256.Sum256(s.PeerCertificates[0].Raw)
			if subtle.ConstantTimeCompare(got[:], want) != 1 {
				return mismatch(FingerprintOf(s.PeerCertificates[0].Raw))
			}
			return nil
		},
	}, nil
}
