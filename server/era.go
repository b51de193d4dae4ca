package server

import (
	"encoding/json"
	"fmt"
	"slices"

	"septet/server/jsonrpc"
)

// Revision is a revision of the protocol, named by its date; later ones
// compare greater.
type Revision string

const (
	Revision20241105 Revision = "2024-11-05"
	Revision20250326 Revision = "2025-03-26"
	Revision20250618 Revision = "2025-06-18"
	Revision20251125 Revision = "2025-11-25"
	Revision20260728 Revision = "2026-07-28" // the first without a handshake
)

// legacyRevisions are agreed by initialize, once for a pipe; the last one is
// answered to a client that asks for one we do not know. modernRevisions are
// claimed by each request for itself.
var (
	legacyRevisions = []Revision{Revision20241105, Revision20250326, Revision20250618, Revision20251125}
	modernRevisions = []Revision{Revision20260728}
)

const (
	metaPrefix             = "io.modelcontextprotocol/"
	metaProtocolVersion    = metaPrefix + "protocolVersion"
	metaClientInfo         = metaPrefix + "clientInfo"
	metaClientCapabilities = metaPrefix + "clientCapabilities"
	metaLogLevel           = metaPrefix + "logLevel"
	metaServerInfo         = metaPrefix + "serverInfo"
	metaSubscriptionID     = metaPrefix + "subscriptionId"
)

// The two error codes that the modern revisions add.
const (
	codeUnsupportedVersion = -32022
	codeMissingCapability  = -32021
)

var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// era is how one request is served.
type era struct {
	revision Revision // "" for a ping before the handshake
	host     bool     // the caller knows our extension
}

// modern reports whether the request stands for itself.
func (e era) modern() bool { return slices.Contains(modernRevisions, e.revision) }

// since reports whether the caller knows what revision r added.
func (e era) since(r Revision) bool { return e.revision >= r }

// eraOf decides how a request is served: by what it claims, else by what the
// handshake agreed.
func eraOf(q *request, agreed Revision) (era, *jsonrpc.Error) {
	if claims(q.meta) {
		return claimedEra(q.meta)
	}
	switch {
	case q.call.Method == "initialize" || q.call.Method == "ping":
		return era{revision: agreed, host: true}, nil
	case agreed != "": // the method's own row says in which era it exists
		return era{revision: agreed, host: true}, nil
	}
	return era{}, badParams("missing params._meta[%q]; send it with every request, or send initialize first", metaProtocolVersion)
}

func claims(meta jsonrpc.Object) bool {
	for _, key := range []string{metaProtocolVersion, metaClientInfo, metaClientCapabilities, metaLogLevel} {
		if _, given := meta[key]; given {
			return true
		}
	}
	return false
}

func claimedEra(meta jsonrpc.Object) (era, *jsonrpc.Error) {
	var version string
	if !decodes(meta[metaProtocolVersion], &version) {
		return era{}, badParams("params._meta[%q] must be a string", metaProtocolVersion)
	}
	if !slices.Contains(modernRevisions, Revision(version)) {
		return era{}, unsupportedVersion(version)
	}
	capabilities, err := jsonrpc.ParseObject(meta[metaClientCapabilities])
	if err != nil {
		return era{}, badParams("params._meta[%q] must be an object", metaClientCapabilities)
	}
	if bad := checkClaim(meta); bad != nil {
		return era{}, bad
	}
	return era{revision: Revision(version), host: declaresHost(capabilities)}, nil
}

func unsupportedVersion(version string) *jsonrpc.Error {
	version = clip(version, maxMessageBytes)
	return (&jsonrpc.Error{Code: codeUnsupportedVersion, Message: fmt.Sprintf("unsupported protocol version %q", version)}).
		WithData(map[string]any{"supported": modernRevisions, "requested": version})
}

// checkClaim checks the optional keys of a claim.
func checkClaim(meta jsonrpc.Object) *jsonrpc.Error {
	if raw, given := meta[metaClientInfo]; given {
		info, err := jsonrpc.ParseObject(raw)
		var text string
		if err != nil || !decodes(info["name"], &text) || !decodes(info["version"], &text) {
			return badParams("params._meta[%q] must be an object with name and version", metaClientInfo)
		}
	}
	if raw, given := meta[metaLogLevel]; given {
		var level string
		if !decodes(raw, &level) || !slices.Contains(logLevels, level) {
			return badParams("params._meta[%q] must be one of %v", metaLogLevel, logLevels)
		}
	}
	return nil
}

// declaresHost reports whether capabilities.extensions names our extension.
func declaresHost(capabilities jsonrpc.Object) bool {
	extensions, err := jsonrpc.ParseObject(capabilities["extensions"])
	if err != nil {
		return false
	}
	_, err = jsonrpc.ParseObject(extensions[hostExtension])
	return err == nil
}

// decodes reports whether raw is a JSON string and puts it into s.
func decodes(raw json.RawMessage, s *string) bool {
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, s) == nil
}

func badParams(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: fmt.Sprintf(format, args...)}
}
