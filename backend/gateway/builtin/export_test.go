package builtin

// HashText is the hash of a config's text.
var HashText = hashText
