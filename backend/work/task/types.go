package task

import "strings"

// Type is the kind of work.
type Type string

// The types. A new one needs its row in Types.
const (
	Chat             Type = "chat"
	CommandExecution Type = "command_execution"
	FileOperation    Type = "file_operation"
	ComplexTask      Type = "complex_task"
)

// TypeInfo describes a type of task for those who offer it and those who do it.
type TypeInfo struct {
	Type     Type
	ToolKind string // tools that an agent of this computer needs for it: "shell", "files", or "" for none
	Name     string // for people who read an agent card
	Does     string // what a task of the type does, in one sentence
}

// Types is the one table of the types, in the order in which people see them. The API, the CLI, A2A, MCP, the agents
// and the page go by it.
var Types = []TypeInfo{
	{Type: Chat, Name: "Chat", Does: "Answers in words. This is the default."},
	{Type: CommandExecution, ToolKind: "shell", Name: "Commands", Does: "Runs a command."},
	{Type: FileOperation, ToolKind: "files", Name: "Files", Does: "Reads and writes files."},
	{Type: ComplexTask, Name: "Larger work", Does: "Works in several steps, with all tools."},
}

// TypeOf returns the row of a type, and whether there is one.
func TypeOf(t Type) (TypeInfo, bool) {
	for _, info := range Types {
		if info.Type == t {
			return info, true
		}
	}
	return TypeInfo{Type: t}, false
}

// TypeList returns the names of the types.
func TypeList() []string {
	names := make([]string, len(Types))
	for i, t := range Types {
		names[i] = string(t.Type)
	}
	return names
}

// TypeNames lists the types for a sentence: "chat, file_operation or complex_task".
func TypeNames() string {
	names := TypeList()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
