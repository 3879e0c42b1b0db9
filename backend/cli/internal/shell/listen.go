package shell

import (
	"github.com/spf13/cobra"

	"agentflow/backend/base/netlisten"
)

// InsecureUsage is the help of --insecure-http, for what listens and for what sends a token.
const InsecureUsage = "allow traffic without TLS beyond this computer; others on the network can read it, tokens included"

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
	flags.BoolVar(&t.SelfSigned, "tls-self-signed", false, "use a self-signed certificate, created once in the data folder; clients need its printed fingerprint for --fingerprint")
	flags.BoolVar(&t.Insecure, "insecure-http", false, InsecureUsage)
}

// TellExposed says loudly who can read along, and how clients know the certificate.
func (s *Shell) TellExposed(e *netlisten.Exposed) {
	if e.Readable {
		s.Screen.Note(
			"INSECURE: %s is reachable from other computers without TLS. Others on the network can read secrets, messages and tasks.",
			e.Addr(),
		)
	}
	if pin := e.Fingerprint(); pin != "" {
		s.Screen.Note("the certificate's fingerprint is %s", pin)
	}
}
