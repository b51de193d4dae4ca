package main

// call is what is asked of a server.
type call struct {
	tool      string
	arguments map[string]any
}

// dialect says the same things in the words of one server.
type dialect struct {
	read  func(path string) call
	list  func(path string) call
	sizes func(path string) call // as list, with the size of each file; nil: the server has no such call
	write func(path, content string) call
	edit  func(path, old, new string) call
	bash  func(command string) call // nil: the server runs no commands
	ended string                    // in the answer when a command has ended
}

// args are arguments, or any JSON object.
type args = map[string]any

var septetWords = dialect{
	read:  func(path string) call { return call{"read", args{"path": path}} },
	list:  func(path string) call { return call{"list", args{"path": path, "limit": listed}} },
	sizes: func(path string) call { return call{"list", args{"path": path, "limit": listed}} },
	write: func(path, content string) call { return call{"write", args{"path": path, "content": content}} },
	edit: func(path, old, new string) call {
		return call{"edit", args{"path": path, "oldText": old, "newText": new}}
	},
	bash:  func(command string) call { return call{"bash", args{"command": command}} },
	ended: "[exit 0;",
}

var referenceWords = dialect{
	read:  func(path string) call { return call{"read_text_file", args{"path": path}} },
	list:  func(path string) call { return call{"list_directory", args{"path": path}} },
	sizes: func(path string) call { return call{"list_directory_with_sizes", args{"path": path}} },
	write: func(path, content string) call { return call{"write_file", args{"path": path, "content": content}} },
	edit: func(path, old, new string) call {
		return call{"edit_file", args{"path": path, "edits": []args{{"oldText": old, "newText": new}}}}
	},
}

var mark3labsWords = dialect{
	read:  func(path string) call { return call{"read_file", args{"path": path}} },
	list:  func(path string) call { return call{"list_directory", args{"path": path}} },
	sizes: func(path string) call { return call{"list_directory", args{"path": path}} },
	write: func(path, content string) call { return call{"write_file", args{"path": path, "content": content}} },
	edit: func(path, old, new string) call {
		return call{"modify_file", args{"path": path, "find": old, "replace": new, "all_occurrences": false}}
	},
}

var commanderWords = dialect{
	read: func(path string) call { return call{"read_file", args{"path": path}} },
	list: func(path string) call { return call{"list_directory", args{"path": path, "depth": 1}} },
	write: func(path, content string) call {
		return call{"write_file", args{"path": path, "content": content, "mode": "rewrite"}}
	},
	edit: func(path, old, new string) call {
		return call{"edit_block", args{"file_path": path, "old_string": old, "new_string": new}}
	},
	bash: func(command string) call {
		return call{"start_process", args{"command": command, "timeout_ms": 5000}}
	},
	ended: "Process started with PID",
}
