/** Parts of a request in the wire format, and the way from a request to its scopes, which is the same in all signals. */
import { tagsOf, type WireReader } from './wireReader.ts'

/** A message or a text within the bytes of a request. */
export interface Part {
  start: number
  end: number
}

const nothing: Part = { start: 0, end: 0 }

/** The fields that the records of a scope share. A message that comes several times counts as one with the fields of all. */
export interface Shared {
  resource: readonly Part[]
  resourceSchemaUrl: Part
  scope: readonly Part[]
  scopeSchemaUrl: Part
}

const request = tagsOf('ExportLogsRequest')
const resources = tagsOf('ResourceLogs')
const scopes = tagsOf('ScopeLogs')

/** The containers of the other signals have the same tags. */
export const recordsTag = scopes.logRecords

/** Calls `visit` for each scope of a request, with what its records share. */
export function eachScope(wire: WireReader, visit: (scope: Part, shared: Shared) => void): void {
  const whole = { start: 0, end: wire.bytes.length }
  eachMessage(wire, whole, request.resourceLogs, (start, end) => {
    const [resource, resourceSchemaUrl] = sharedIn(wire, { start, end }, resources.resource, resources.schemaUrl)
    eachMessage(wire, { start, end }, resources.scopeLogs, (start, end) => {
      const [scope, scopeSchemaUrl] = sharedIn(wire, { start, end }, scopes.scope, scopes.schemaUrl)
      visit({ start, end }, { resource, resourceSchemaUrl, scope, scopeSchemaUrl })
    })
  })
}

/** Calls `visit` for each message with this tag in a part. The reader is at its start. */
export function eachMessage(
  wire: WireReader,
  { start, end }: Part,
  tag: number,
  visit: (start: number, end: number) => void,
): void {
  wire.at = start
  while (wire.at < end) {
    if (wire.tag() === tag) {
      const inner = wire.enter()
      visit(wire.start, inner)
      wire.at = inner
    } else wire.skip()
  }
}

/** The last text with this tag in some parts. */
export function textIn(wire: WireReader, parts: readonly Part[], tag: number): Part {
  let found = nothing
  for (const part of parts) eachMessage(wire, part, tag, (start, end) => (found = { start, end }))
  return found
}

function sharedIn(wire: WireReader, part: Part, messageTag: number, urlTag: number): [readonly Part[], Part] {
  const messages: Part[] = []
  eachMessage(wire, part, messageTag, (start, end) => messages.push({ start, end }))
  return [messages, textIn(wire, [part], urlTag)]
}
