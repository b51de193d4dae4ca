package toolset

import (
	"septet/backend"
	"septet/safepath"
)

// usualHint is the next step after a failure whose maker knew no better one:
// a fact alone leaves a model to guess. A cancelled call has no next step.
func usualHint(c Code) string {
	switch c {
	case InvalidArguments, InvalidPath, safepath.AmbiguousPath, NotRegularFile, backend.InvalidPattern:
		return "correct the arguments and call again"
	case safepath.OutsideRoots, safepath.ProtectedPath, safepath.ReadOnlyRoot:
		return "choose another path; only the user can widen what is allowed"
	case safepath.PermissionDenied:
		return "choose another path, or ask the user to change its permissions"
	case NotAllowed:
		return "ask the user"
	case UnknownTool:
		return "call one of the tools that are listed"
	case safepath.PathChanged, safepath.IOError, safepath.RootUnavailable, SpawnFailed, TurnActive:
		return "call again"
	case TooManyCalls:
		return "call again when some calls are answered"
	case safepath.RootChanged:
		return "ask the user to restart the session"
	case NotFound, safepath.NotDirectory:
		return "list shows which names there are"
	case Exists, safepath.Stale, NoMatch, ManyMatches, NoChange:
		return "read the file and call again with what it holds now"
	case TooLarge, FrameTooLarge, Timeout:
		return "ask for less and call again"
	case Binary, InvalidUTF8:
		return "look at it with bash"
	case OutcomeUnknown:
		return "look at what is there before you call again"
	case UndoConflict, NotUndoable, JournalFailed:
		return "tell the user"
	case safepath.NoSpace:
		return "ask the user to free some space, then call again; nothing was written"
	case Internal:
		return "this is a bug in septet; other calls still work"
	}
	return ""
}
