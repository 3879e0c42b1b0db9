package shell

import (
	"github.com/spf13/cobra"

	"agentflow/backend/exposure"
)

// TLSFlags say how what listens is kept from being read by others.
type TLSFlags struct {
	Cert, Key            string
	SelfSigned, Insecure bool
}

// AddTo gives a command the flags.
func (t *TLSFlags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&t.Cert, "tls-cert", "", "certificate file")
	flags.StringVar(&t.Key, "tls-key", "", "key file of the certificate")
	flags.BoolVar(&t.SelfSigned, "tls-self-signed", false, "listen with a certificate that is made once and kept in the data folder; its fingerprint is printed, for the --fingerprint of clients")
	flags.BoolVar(&t.Insecure, "insecure-http", false, "listen without TLS on an address that is not loopback: everybody on the way can read along")
}

// TellExposed says loudly who can read along, and how clients know the certificate.
func (s *Shell) TellExposed(e *exposure.Exposed) {
	if e.Readable {
		s.Screen.Note("INSECURE: %s is reachable from other computers without TLS; secrets, messages and tasks can be read on the way", e.Addr())
	}
	if pin := e.Fingerprint(); pin != "" {
		s.Screen.Note("the certificate's fingerprint is %s", pin)
	}
}
