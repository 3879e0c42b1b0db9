package strictjson

import "testing"

func TestObject_ReadsOneWay(t *testing.T) {
	for in, want := range map[string]string{
		` {"b" : "\u0020\u0041\n", "a":[1.0, 12345678901234567890]} `: `{"b":" A\n","a":[1.0,12345678901234567890]}`,
		`{}`:                             `{}`,
		`{"a":1,"a":2}`:                  "",
		`{"a":{"b":1,"b":2}}`:            "",
		`{"command":"a","Command":"b"}`:  "",
		`{"env":{"A":"1","a":"2"}}`:      `{"env":{"A":"1","a":"2"}}`,
		`[1]`:                            "",
		`null`:                           "",
		`{"a":1}{"b":2}`:                 "",
		"{\"a\":\"\xff\"}":               "",
		`{"a":"\ud800"}`:                 "",
		`{"city": Kyo`:                   "",
		`"a"`:                            "",
		`{"\u0061":1, "a":2}`:            "",
		`{"path":"a/b","text":"<&>\/ "}`: `{"path":"a/b","text":"<&>/ "}`,
	} {
		got, err := Object([]byte(in))
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestNumbers_FindsWhatAPageWouldChange(t *testing.T) {
	for in, ok := range map[string]bool{
		`{"a":0.1,"b":[1e3,-0.5,9007199254740992]}`: true,
		`{"a":9007199254740993}`:                    false,
		`{"a":{"b":1e400}}`:                         false,
		`[1e-99999999]`:                             false,
		`[0.1000000000000000055511]`:                false,
		`["9007199254740993"]`:                      true,
	} {
		if err := Numbers([]byte(in)); (err == nil) != ok {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestDecode_TakesExactNames(t *testing.T) {
	type args struct {
		Command string `json:"command"`
		Seconds int    `json:"seconds,omitzero"`
	}
	for in, ok := range map[string]bool{`{"command":"a"}`: true, `{"Command":"a"}`: false, `{"command":"a","x":1}`: false, `{"command":1}`: false, `[]`: false} {
		var a args
		if err := Decode([]byte(in), &a); (err == nil) != ok {
			t.Errorf("%s: %+v, %v", in, a, err)
		}
	}
	if data, err := Encode(args{Command: "a"}); err != nil || string(data) != `{"command":"a"}` {
		t.Errorf("%s, %v", data, err)
	}
}
