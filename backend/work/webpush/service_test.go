package webpush_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/event"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/webpush"
)

// browser is the receiver of pushes: it has the keys that its push service never sees.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{key: key, auth: make([]byte, 16)}
	_, _ = rand.Read(b.auth)
	return b
}

func text(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// subscription is what the browser gives the hub.
func (b *browser) subscription(login, endpoint, key string) webpush.Subscription {
	return webpush.Subscription{
		Login: login, Endpoint: endpoint, Key: key, Language: "ja",
		P256dh: text(b.key.PublicKey().Bytes()), Auth: text(b.auth),
	}
}

// open decrypts a push as RFC 8291 and RFC 8188 have it, written from the RFCs and not from the library.
func (b *browser) open(t *testing.T, body []byte) map[string]any {
	t.Helper()
	salt, size, sender := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:21+int(body[20])]
	sealed := body[21+len(sender):]
	if len(sealed) > int(size) {
		t.Fatalf("%d bytes are more than one record of %d", len(sealed), size)
	}
	from, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := b.key.ECDH(from)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		out, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	ikm := derive(shared, b.auth, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain = []byte(strings.TrimRight(string(plain), "\x00"))
	if plain[len(plain)-1] != 2 {
		t.Fatalf("the last record ends with %d, not with 2", plain[len(plain)-1])
	}
	var out map[string]any
	if err := json.Unmarshal(plain[:len(plain)-1], &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// pushed is one request to the push service.
type pushed struct {
	path   string
	header http.Header
	body   []byte
}

// service is a push service on this computer, with TLS.
type service struct {
	*httptest.Server
	got    chan pushed
	mu     sync.Mutex
	answer func(w http.ResponseWriter, r *http.Request)
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{got: make(chan pushed, 100)}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.got <- pushed{r.URL.Path, r.Header, body}
		s.mu.Lock()
		answer := s.answer
		s.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusCreated)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) answers(fn func(http.ResponseWriter, *http.Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = fn
}

func (s *service) answersStatus(status int) {
	s.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

// endpoint is an address of the service under a name that isn't a private one. The transport leads it to the service.
func (s *service) endpoint(path string) string { return "https://push.example.net" + path }

// transport reaches the service, whatever its name.
func (s *service) transport() http.RoundTripper {
	t := s.Client().Transport.(*http.Transport).Clone()
	t.TLSClientConfig.ServerName = "example.com" // of the certificate of httptest
	t.DialContext = dialTo(s.Listener.Addr().String())
	return t
}

// signedBy checks the signature of RFC 8292 and returns its claims.
func signedBy(t *testing.T, header, key string) map[string]any {
	t.Helper()
	token, found := strings.CutPrefix(header, "vapid t=")
	token, given, _ := strings.Cut(token, ", k=")
	parts := strings.Split(token, ".")
	if !found || given != key || len(parts) != 3 {
		t.Fatalf("%q isn't signed by %s", header, key)
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	sig, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !ecdsa.Verify(public, sum[:],
		new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
		t.Fatalf("the signature is wrong: %v", err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{}
	if err := json.Unmarshal(raw, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

// questions is an inbox.
type questions struct {
	mu      sync.Mutex
	list    []inbox.Entry
	changes event.Topic[struct{}]
}

func (q *questions) Waiting() []inbox.Entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]inbox.Entry(nil), q.list...)
}

func (q *questions) Subscribe(n int) *event.Subscription[struct{}] { return q.changes.Subscribe(n) }

func (q *questions) ask(e inbox.Entry) inbox.ID {
	e.ID = inbox.ID(ulid.Make().String())
	q.mu.Lock()
	q.list = append(q.list, e)
	q.mu.Unlock()
	q.changes.Publish(struct{}{})
	return e.ID
}

func (q *questions) clear() {
	q.mu.Lock()
	q.list = nil
	q.mu.Unlock()
	q.changes.Publish(struct{}{})
}

// logins are those that are signed in.
type logins struct {
	mu    sync.Mutex
	gone  map[string]bool
	ended event.Topic[struct{}]
}

func (l *logins) Valid(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.gone[id]
}

func (l *logins) Subscribe(n int) *event.Subscription[struct{}] { return l.ended.Subscribe(n) }

func (l *logins) end(id string) {
	l.mu.Lock()
	l.gone[id] = true
	l.mu.Unlock()
	l.ended.Publish(struct{}{})
}

// secrets keeps secrets in memory.
type secrets struct {
	mu  sync.Mutex
	all map[string]string
}

func (s *secrets) Get(key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[key], nil
}

func (s *secrets) Set(key, secret string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[key] = secret
	return nil
}

// rig is a machine and what is around it.
type rig struct {
	*webpush.Machine
	t         *testing.T
	questions *questions
	logins    *logins
	secrets   *secrets
	path      string
	key       string
	log       *lines
}

func newRig(t *testing.T, way http.RoundTripper) *rig {
	t.Helper()
	r := &rig{
		t: t, questions: new(questions), logins: &logins{gone: map[string]bool{}}, log: new(lines),
		secrets: &secrets{all: map[string]string{}}, path: filepath.Join(t.TempDir(), webpush.FileName),
	}
	r.open(way)
	var err error
	if r.key, err = r.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return r
}

// open loads the machine, as a start of the hub does.
func (r *rig) open(way http.RoundTripper) {
	r.t.Helper()
	var err error
	r.Machine, err = webpush.New(webpush.Options{
		Path: r.path, Inbox: r.questions, Logins: r.logins, Secrets: r.secrets, Transport: way,
		Name:   func(e *inbox.Entry) string { return e.Agent },
		Logger: slog.New(slog.NewTextHandler(r.log, nil)),
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// run runs the machine until the test ends.
func (r *rig) run() {
	r.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	until(r.t, "the machine to listen", func() bool { return r.logins.ended.Readers() > 0 })
	r.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			r.t.Error(err)
		}
	})
}

func (r *rig) put(s webpush.Subscription) {
	r.t.Helper()
	if err := r.Put(s, "https://hub.example.org"); err != nil {
		r.t.Fatal(err)
	}
}

// until waits until something is so; the test's own time limit ends what never is.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for !is() {
		select {
		case <-t.Context().Done():
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(time.Millisecond):
		}
	}
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
