// Package netlisten keeps secrets off wires that others can read: what listens beyond this
// computer needs TLS, and so does what a secret is sent to (AG-7).
package netlisten

import (
	"crypto/tls"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"agentflow/backend/base/errcode"
)

// Options say where to listen and how.
type Options struct {
	Listen            string // ADDRESS:PORT
	CertFile, KeyFile string // both or none
	SelfSigned        string // folder of a certificate that is made if none is there; "" is none
	InsecureHTTP      bool   // listen beyond this computer without TLS
}

// Exposed is a port that listens.
type Exposed struct {
	*net.TCPListener
	TLS *tls.Config // nil without TLS
	// Readable says that others can read what goes over it: say so loudly.
	Readable bool
}

// Open listens, unless that put secrets on the wire in clear. The caller closes it. Errors
// are Validation for what was asked, and Unavailable where the address cannot be had.
func Open(o Options) (*Exposed, error) {
	certificate, readable, err := check(o)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		if strings.Contains(err.Error(), "address already in use") || strings.Contains(err.Error(), "Only one usage") {
			return nil, errcode.Wrap(errcode.Unavailable, err,
				"the address %s is in use. Stop the program that listens there, or choose another with --listen",
				o.Listen)
		}
		return nil, errcode.Wrap(errcode.Unavailable, err,
			"couldn't listen on %s. Choose another address with --listen", o.Listen)
	}
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		_ = l.Close()
		return nil, errcode.New(errcode.Validation, "--listen must be ADDRESS:PORT, not %q", o.Listen).
			With(errcode.KeyField, "listen")
	}
	return &Exposed{TCPListener: tcp, TLS: certificate, Readable: readable}, nil
}

// Check reports what is wrong with the options. Unlike Open it writes nothing, and no port is taken.
func Check(o Options) error {
	host, port, err := net.SplitHostPort(o.Listen)
	if err == nil {
		_, err = net.LookupPort("tcp", port) //nolint:noctx // it asks no server
	}
	if err != nil {
		return errcode.New(errcode.Validation, "--listen must be ADDRESS:PORT, not %q", o.Listen).
			With(errcode.KeyField, "listen")
	}
	switch {
	case o.CertFile != "" && o.SelfSigned != "":
		return errcode.New(errcode.Validation, "use either --tls-cert and --tls-key, or --tls-self-signed")
	case (o.CertFile == "") != (o.KeyFile == ""):
		return errcode.New(errcode.Validation, "--tls-cert and --tls-key must be used together")
	case o.CertFile == "" && o.SelfSigned == "" && !Local(host) && !o.InsecureHTTP:
		return errcode.New(errcode.Validation, "%s is reachable from other computers. Use --tls-cert and "+
			"--tls-key, or --tls-self-signed, or accept unencrypted traffic with --insecure-http", o.Listen)
	}
	return nil
}

// check returns the certificate, and whether others can read what is sent.
func check(o Options) (certificate *tls.Config, readable bool, err error) {
	if err := Check(o); err != nil {
		return nil, false, err
	}
	host, _, _ := net.SplitHostPort(o.Listen) // Check has read it
	switch {
	case o.CertFile != "":
		pair, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		if err != nil {
			return nil, false, errcode.Wrap(errcode.Validation, err, "couldn't use the certificate %s or its key %s",
				o.CertFile, o.KeyFile)
		}
		return serving(pair), false, nil
	case o.SelfSigned != "":
		pair, err := made(o.SelfSigned, host)
		if err != nil {
			return nil, false, err
		}
		return serving(pair), false, nil
	}
	return nil, !Local(host), nil
}

func serving(pair tls.Certificate) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{pair},
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"http/1.1"},
	}
}

// Local reports whether a host, without its port, is this computer: what is sent there
// crosses no wire.
func Local(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}

// Readable reports whether others can read what is sent to an address: it goes to another
// computer, without TLS.
func Readable(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "ws") && !Local(u.Hostname())
}
