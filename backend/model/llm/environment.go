package llm

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
)

// OllamaAddress is where an Ollama listens if nobody said otherwise.
const OllamaAddress = ollamaAddress

// fromElsewhere is a provider that stands in no file.
type fromElsewhere struct {
	ProviderConfig
	source string
}

// fromEnvironment is what the usual variables say, and the command if it is in PATH;
// both beside a file as well, so that a first entry there takes nothing away. Without a
// file, an Ollama at its usual address is always worth asking.
func fromEnvironment(opts Options) []fromElsewhere {
	var out []fromElsewhere
	if base, key := opts.Getenv("OPENAI_BASE_URL"), opts.Getenv("OPENAI_API_KEY"); base != "" || key != "" {
		c := ProviderConfig{Name: "openai", Kind: KindOpenAI, BaseURL: base}
		if key != "" {
			c.APIKeyEnv = "OPENAI_API_KEY"
		}
		out = append(out, fromElsewhere{c, SourceEnvironment})
	}
	host, alone := opts.Getenv("OLLAMA_HOST"), len(opts.Providers) == 0
	if host != "" || alone {
		source := SourceFound
		if host != "" {
			source = SourceEnvironment
		}
		out = append(out,
			fromElsewhere{ProviderConfig{Name: "ollama", Kind: KindOllama, BaseURL: ollamaHost(host)}, source})
	}
	has := func(c ProviderConfig) bool { return c.Kind == KindCLI }
	if opts.LookPath != nil && !slices.ContainsFunc(opts.Providers, has) {
		if path, err := opts.LookPath(defaultCommand); err == nil {
			out = append(out, fromElsewhere{ProviderConfig{Name: "llm", Kind: KindCLI, Command: path}, SourceFound})
		}
	}
	return out
}

// ollamaHost reads OLLAMA_HOST, which may lack scheme and port, and may be the address
// that the server listens on.
func ollamaHost(host string) string {
	if host == "" {
		return ollamaAddress
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil {
		return host // add says what is wrong with it
	}
	name, port := u.Hostname(), u.Port()
	if port == "" && u.Scheme == "http" {
		port = "11434"
	}
	if name == "0.0.0.0" || name == "::" || name == "" {
		name = "127.0.0.1"
	}
	if u.Host = name; port != "" {
		u.Host = net.JoinHostPort(name, port)
	}
	return u.String()
}

// listens reports whether anything takes connections at a local address.
func listens(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	dialer := net.Dialer{Timeout: 300 * time.Millisecond}
	conn, err := dialer.DialContext(context.Background(), "tcp", u.Host)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// Address returns the one spelling of a provider's address, under which its key is kept;
// "" for one that has none.
func Address(c ProviderConfig) (string, *errcode.Error) {
	base := strings.TrimRight(strings.TrimSpace(c.BaseURL), "/")
	if c.Kind == KindCLI {
		return "", nil
	}
	switch {
	case base == "" && c.Kind == KindOllama:
		base = ollamaAddress
	case base == "":
		base = openaiAddress
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errcode.New(errcode.Validation, "baseUrl must be an address such as https://host/v1")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errcode.New(
			errcode.Validation,
			"baseUrl must not contain a user, password or query. Put the key in apiKey, or name an environment variable in apiKeyEnv",
		)
	}
	if c.Kind == KindOllama {
		return strings.TrimSuffix(base, "/v1") + "/v1", nil
	}
	return base, nil
}
